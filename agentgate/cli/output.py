"""How a command says what it found: text for a person, one envelope for an agent."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..runtime import envelope, mode, state, stop, streams

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "add_format_arguments",
    "color",
    "print_outcome",
    "print_text",
    "wants_json",
    "whole",
    "write_bytes",
    "write_file",
]


def add_format_arguments(parser: argparse._ActionsContainer) -> None:
    """Add `--json` and `--no-json`."""
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", default=None, help="print one JSON document (an agent's default)")
    how.add_argument("--no-json", dest="json", action="store_false", help="print text, also for an agent")


def wants_json(arguments: argparse.Namespace) -> bool:
    """Whether this run prints the envelope."""
    return mode.agent_run() if arguments.json is None else bool(arguments.json)


def print_outcome(
    data: dict[str, Any],
    *,
    found: str | None = None,
    next: list[dict[str, Any]] | None = None,
    changed: bool | None = None,
) -> int:
    """Print the envelope of a command that ran; returns its exit code.

    found: what a check found, in one sentence; None when it found nothing (exit code 0). changed: whether
    files were written.
    """
    meta = {"changed": changed}
    if found is None:
        return stop.print_envelope(envelope.build("ok", exit_code=0, data=data, next=next, meta=meta))
    return stop.print_envelope(
        envelope.build("failed", exit_code=1, code="findings", message=found, data=data, next=next, meta=meta)
    )


def print_text(text: str) -> None:
    """Print text; a reader that went away (`| head`) is no error, nor is a character that stdout cannot hold."""
    with _written(sys.stdout):
        print(streams.showable(text), flush=True)


def write_bytes(data: bytes) -> None:
    """Write bytes to stdout as they are (a diff keeps the encodings of its files)."""
    if sys.stdout is None:
        return
    with _written(sys.stdout):
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


@contextmanager
def whole() -> Iterator[None]:
    """Ends the run with exit code 2 where not all of its output could be written, whoever wrote it (a stop: with 3)."""
    try:
        yield
    finally:
        if sys.stdout is not None:
            with _written(sys.stdout):
                sys.stdout.flush()
        if state.unwritten and state.stopped is None:
            raise stop.Told(2)


@contextmanager
def _written(file: Any) -> Iterator[None]:
    """Ends the run with exit code 2 when a stream cannot be written, but for a reader that went away."""
    try:
        yield
    except OSError as error:
        streams.give_up(error, file)
        if state.unwritten:
            raise stop.Told(2) from None


def write_file(path: str, text: str) -> None:
    """Write a whole file. Ends the run with a usage error (exit 2) when it cannot be written."""
    from ..fix.write import WriteError, put

    try:
        put(path, text.encode())
    except WriteError as error:
        stop.usage_error(f"{path}: {error}")


def color() -> bool:
    """Whether to colour: `NO_COLOR` and `FORCE_COLOR` first, then whether stdout is a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (sys.stdout is not None and sys.stdout.isatty())
