"""`@effects(…)`: what a command does to the world, which its parser cannot know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

__all__ = ["KINDS", "Effects", "declared", "effects"]

T = TypeVar("T")

KINDS = ("read_only", "idempotent", "non_idempotent", "withheld")
_MARK = "__agentgate_effects__"


class Effects(NamedTuple):
    """What is declared of a command.

    kind: one of KINDS, None when it is not declared. person: only a person can run it to its end.
    live: it follows something in time, or takes long, and tells of it while it runs.
    """

    kind: str | None = None
    person: bool = False
    live: bool = False


def effects(kind: str | None = None, *, person: bool = False, live: bool = False) -> Callable[[T], T]:
    """Declare what a handler does; the handler itself stays as it is.

    kind: `read_only` (changes nothing), `idempotent` (run twice, it has done it once; it reports whether it
    changed anything with `outcome.changed`), `non_idempotent` (each run does it again), or `withheld` (not for
    an agent's tools). person: it needs a person to come to its end, such as a login. live: it follows something
    in time or takes long; its output is a stream.

    Goes onto a handler (under or over click's and typer's decorators), or takes an argparse parser. Raises
    ValueError for an unknown kind.
    """
    if kind is not None and kind not in KINDS:
        raise ValueError(f"effects are {', '.join(KINDS)}, not {kind!r}")

    def mark(handler: T) -> T:
        setattr(getattr(handler, "callback", None) or handler, _MARK, Effects(kind, person, live))
        return handler

    return mark


def declared(handler: Any) -> Effects:
    """What was declared of a handler, or of a parser."""
    found = getattr(handler, _MARK, None)
    return found if isinstance(found, Effects) else Effects()
