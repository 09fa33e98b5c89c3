"""`gate(sys.stdin)`: what a program does with stdin for a person's sake.

`gate(sys.stdin).readline()` is the line that answers a question which the program has just printed;
`gate(sys.stdin).isatty()` tells whether somebody can be asked.

The stream is gated, not its method: a program that was started with a closed stdin has none to ask for one.
"""

from __future__ import annotations

import sys

from . import identity, question, replay, replies, runners

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

__all__ = ["GatedStdin", "asked", "line"]

LINE = "sys.stdin.readline"


def asked(hints: dict[str, Any]) -> question.Question:
    """The question that the next line answers."""
    library = identity.library_of("sys")
    entry = next(one for one in library.prompts if one.call == LINE) if library else None
    found = identity.Found(sys.stdin, entry, library, (), {}) if library and entry else None
    return question.of_call(found, hints, (), {})


def line(asked: question.Question) -> str:
    """The reply to a question as a stream gives it: with its line's end. Raises ActionRequired when there is none."""
    return replies.reply(asked).text() + "\n"


class GatedStdin:
    """Stdin on an agent's run: a line is an answer, or the stop; the agent can be asked; all else is as it was."""

    def __init__(self, hints: dict[str, Any]) -> None:
        self._hints = hints

    def readline(self, *size: int) -> str:
        """The answer, with its line's end. Raises ActionRequired when there is none."""
        if replay.stdin_in_memory():
            return sys.stdin.readline(*size)
        return line(asked(self._hints))

    def isatty(self) -> bool:
        """Whether a question may be asked: an agent is, by the gates behind this test."""
        if sys.stdin is not None and (replay.stdin_in_memory() or runners.under_test()):
            return sys.stdin.isatty()
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(sys.stdin)

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.stdin, name)
