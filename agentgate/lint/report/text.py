"""The report for a person: each place with its line, a caret under it, and a summary."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from agentgate.lint.finding import PROMPTS, UNREADABLE
from agentgate.lint.report.paths import printable as _printable
from agentgate.wording import count

if TYPE_CHECKING:
    from agentgate.lint.finding import Finding, Warning
    from agentgate.lint.runner import LintResult

__all__ = ["render", "statistics", "summary"]

_BOLD, _RED, _BLUE, _DIM = "1", "1;31", "34", "2"
_LINE_LIMIT = 160


def render(result: LintResult, *, color: bool) -> str:
    """The whole report, ending in a line feed. color: with terminal escape codes."""
    parts = [_finding(finding, result.lines.get((finding.path, finding.line)), color) for finding in result.findings]
    parts += [_warning(warning, color) for warning in result.warnings]
    return "".join([*parts, summary(result), "\n"])


def statistics(result: LintResult) -> str:
    """How often each rule and each prompt was found, most often first."""
    counted = Counter((finding.code, finding.call or finding.kind) for finding in result.findings)
    width = len(str(max(counted.values(), default=0)))
    rows = [f"{count:{width}}  {code}  {call}\n" for (code, call), count in counted.most_common()]
    return "".join([*rows, summary(result), "\n"])


def _warning(warning: Warning, color: bool) -> str:
    where = f"{_printable(warning.path)}:{warning.line}:{warning.column}:"
    text = f"{_paint(where, _BOLD, color)} {_paint(warning.code, _BLUE, color)} warning: {_printable(warning.message)}"
    return text + "\n"


def _finding(finding: Finding, line: str | None, color: bool) -> str:
    where = f"{_printable(finding.path)}:{finding.line}:{finding.column}:"
    asks = f" ({finding.label.strip()!r})" if finding.label else ""
    text = f"{_paint(where, _BOLD, color)} {_paint(finding.code, _RED, color)} {finding.message}{_printable(asks)}\n"
    return text + (_excerpt(finding, line, color) if line is not None else "") + ("\n" if line is not None else "")


def _excerpt(finding: Finding, line: str, color: bool) -> str:
    number = str(finding.line)
    start = finding.column - 1
    end = finding.end_column - 1 if finding.end_line == finding.line else len(line)
    if start > _LINE_LIMIT:
        line, start, end = "…" + line[start - 20 :], 21, end - start + 21
    line = line[:_LINE_LIMIT] + ("…" if len(line) > _LINE_LIMIT else "")
    # a tab stays one, so that the caret stands under its column however wide tabs are shown
    indent = "\t".join(" " * _width(part) for part in line[:start].split("\t"))
    carets = "^" * max(1, _width(line[start:end]))
    margin = " " * len(number)
    bar = _paint("|", _BLUE, color)
    source = f"{_paint(number, _BLUE, color)} {bar} {_printable(line)}\n"
    return source + f"{margin} {bar} {indent}{_paint(carets, _RED, color)}\n"


def summary(result: LintResult) -> str:
    """What was found, in one sentence."""
    skipped = f" Skipped {count(len(result.skipped), 'file')} of another kind." if result.skipped else ""
    if not result.files:
        return f"No Python files found.{skipped}"
    known = f" {count(result.known, 'finding')} held back by the baseline." if result.known else ""
    if not result.findings:
        return f"No {'new ' if known else ''}findings in {count(result.files, 'file')}.{known}{skipped}"
    unread = sum(finding.code == UNREADABLE for finding in result.findings)
    prompts = sum(finding.code.startswith(PROMPTS) for finding in result.findings)
    others = len(result.findings) - prompts - unread
    paths = len({finding.path for finding in result.findings if finding.code != UNREADABLE})
    found = [count(prompts, "prompt")] if prompts else []
    found += [count(others, "other finding" if prompts else "finding")] if others else []
    text = f"Found {' and '.join(found)} in {count(paths, 'file')}" if found else "Found nothing"
    if result.fixable:
        text += f" ({result.fixable} fixable with `agentgate fix`)"
    if unread:
        text += f"; {count(unread, 'file')} could not be read"
    return f"{text}.{known}{skipped}"


def _width(text: str) -> int:
    """How many columns a terminal gives a text, as it is shown."""
    shown = _printable(text)
    if shown.isascii():
        return len(shown)
    import unicodedata

    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in shown
    )


def _paint(text: str, style: str, color: bool) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if color else text
