"""JUnit XML, which every CI server shows: a test suite a file, a failed test case a finding.

Only what the strictest reader takes, the schema of Jenkins' xUnit plugin: it has a `file` for a suite, and no line.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from agentgate.lint.report.paths import printable

if TYPE_CHECKING:
    from agentgate.lint.finding import Finding
    from agentgate.lint.runner import LintResult

__all__ = ["render"]


def render(result: LintResult) -> str:
    """One document; a run that found nothing is one passed test, because servers take none for an error."""
    suites = [_suite(path, list(findings)) for path, findings in groupby(result.findings, lambda finding: finding.path)]
    if not suites:
        suites = [
            '  <testsuite name="agentgate" tests="1" failures="0" errors="0">\n'
            '    <testcase name="lint" classname="agentgate"/>\n  </testsuite>\n'
        ]
    number = max(len(result.findings), 1)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<testsuites name="agentgate" tests="{number}" failures="{len(result.findings)}" errors="0">\n'
        f"{''.join(suites)}</testsuites>\n"
    )


def _suite(path: str, findings: list[Finding]) -> str:
    cases = "".join(_case(finding) for finding in findings)
    count = len(findings)
    numbers = f'tests="{count}" failures="{count}" errors="0"'
    return f"  <testsuite name={_attribute(path)} {numbers} file={_attribute(path)}>\n{cases}  </testsuite>\n"


def _case(finding: Finding) -> str:
    place = f"{finding.path}:{finding.line}:{finding.column}"
    asks = f" ({finding.label.strip()!r})" if finding.label else ""
    text = escape(printable(f"{place}: {finding.code} {finding.message}{asks}"))
    return (
        f"    <testcase name={_attribute(f'{finding.code} line {finding.line}')}"
        f" classname={_attribute(finding.path)}>\n"
        f"      <failure type={_attribute(finding.code)} message={_attribute(finding.message)}>{text}</failure>\n"
        "    </testcase>\n"
    )


def _attribute(text: str) -> str:
    return quoteattr(printable(text))
