"""`agentgate prompts PATHS`: every question that a program can ask, which an agent reads before it calls it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..runtime import stop, streams
from ..surfaces.effects import effects
from . import output, settings

if TYPE_CHECKING:
    from ..lint.finding import Finding
    from ..lint.questions import Question

__all__ = ["SUMMARY", "add_arguments", "run"]

SUMMARY = "list every question that a program can ask: name, label, kind, choices, default, flag, place"

_COLUMNS = ("NAME", "KIND", "LABEL", "CHOICES", "DEFAULT", "FLAG", "PLACE")
_WIDEST = 40


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("paths", nargs="*", default=["."], metavar="PATH", help="files and folders (default: here)")
    settings.add_arguments(parser)
    output.add_format_arguments(parser)


@effects("read_only")
def run(arguments: argparse.Namespace) -> int:
    """Print the questions. Exit code 0, also when there are none; 2 when a path does not exist."""
    from ..lint import UsageError
    from ..lint.questions import questions

    try:
        unread: list[Finding] = []
        found = list(questions(arguments.paths, settings.config(arguments), unread.append))
    except UsageError as error:
        stop.usage_error(f"prompts: {error}")
    if output.wants_json(arguments):
        data: dict[str, object] = {"prompts": [_data(question) for question in found]}
        if unread:
            data["unreadable"] = [{"path": one.path, "line": one.line, "message": one.message} for one in unread]
        return output.print_outcome(data)
    for one in unread:
        streams.say(f"agentgate: warning: {_cell(one.path)}:{one.line} {one.message}\n")
    output.print_text(_table(found) if found else "No prompts found.")
    return 0


def _data(question: Question) -> dict[str, object]:
    return {key: value for key, value in question._asdict().items() if value is not None}


def _table(questions: list[Question]) -> str:
    rows = [_COLUMNS, *map(_row, questions)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_COLUMNS))]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)


def _row(question: Question) -> tuple[str, ...]:
    return (
        question.name or "-",
        question.kind,
        _cut(question.label),
        _cut("|".join(question.choices) if question.choices else None),
        _cut(question.default),
        question.flag or "-",
        _cell(f"{question.path}:{question.line}"),
    )


def _cut(text: str | None) -> str:
    if text is None:
        return "-"
    text = _cell(text.strip())
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"


def _cell(text: str) -> str:
    from ..lint.report.paths import printable

    return printable(text.replace("\t", " "))
