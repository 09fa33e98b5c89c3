"""`agentgate lint PATHS`: every place that can wait for a person."""

from __future__ import annotations

import argparse

from ..runtime import commandline, envelope, stop
from . import output

__all__ = ["SUMMARY", "add_arguments", "run"]

SUMMARY = "find every place in a code base that can wait for a person"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("paths", nargs="*", default=["."], metavar="PATH", help="files and folders (default: here)")
    parser.add_argument("--no-cache", action="store_true", help="read every file anew")
    output.add_format_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Lint the paths. Exit code 0 when nothing was found, 1 with findings, 2 when a path does not exist."""
    from ..lint import UsageError, lint_paths
    from ..lint.report import text

    try:
        result = lint_paths(arguments.paths)
    except UsageError as error:
        stop.usage_error(f"lint: {error}")
    found = text.summary(result) if result.findings else None
    if output.wants_json(arguments):
        return output.print_outcome(result.data(), found=found, next=_next(arguments.paths) if result.fixable else None)
    output.print_text(text.render(result, color=output.color()).rstrip("\n"))
    return 1 if found else 0


def _next(paths: list[str]) -> list[dict[str, object]]:
    start = commandline.command()
    at = start.index("lint")
    return [
        envelope.next_step([*start[:at], "fix", "--diff", *paths], "to see how each of them would be rewritten"),
        envelope.next_step([*start[:at], "fix", *paths], "to rewrite them, once a person has agreed"),
    ]
