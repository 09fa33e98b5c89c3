"""Workflow commands of GitHub Actions, which it shows beside the lines of a pull request.

https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentgate.lint.globs import relative
from agentgate.lint.messages import RULES
from agentgate.lint.report.paths import printable

if TYPE_CHECKING:
    from agentgate.lint.runner import LintResult

__all__ = ["render"]


def render(result: LintResult) -> str:
    """One `::error` a finding, one `::warning` a comment that silences nothing."""
    commands = []
    for finding in result.findings:
        asks = f" ({finding.label.strip()!r})" if finding.label else ""
        properties = {
            "title": f"agentgate {finding.code} {RULES[finding.code].name}",
            "file": relative(finding.path, None),
            "line": finding.line,
            "col": finding.column,
            "endLine": finding.end_line,
            "endColumn": finding.end_column,
        }
        place = f"{relative(finding.path, None)}:{finding.line}:{finding.column}"
        commands.append(_command("error", properties, f"{place}: {finding.code} {finding.message}{asks}"))
    for warning in result.warnings:
        properties = {
            "title": f"agentgate {warning.code}",
            "file": relative(warning.path, None),
            "line": warning.line,
            "col": warning.column,
        }
        commands.append(_command("warning", properties, f"{warning.code} {warning.message}"))
    return "".join(commands)


def _command(level: str, properties: dict[str, object], text: str) -> str:
    listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{level} {listed}::{_data(text)}\n"


def _data(text: str) -> str:
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return printable(escaped)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
