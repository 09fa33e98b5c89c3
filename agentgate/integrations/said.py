"""What a program's own code says of itself: parsers are full of it, and none of it may end the reading."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any, TypeVar

__all__ = ["MOST_CHOICES", "choices", "said", "text"]

T = TypeVar("T")
D = TypeVar("D")

MOST_CHOICES = 256  # a longer list is no choice that anybody reads


def said(ask: Callable[[], T], otherwise: D) -> T | D:
    """What it says; `otherwise` when it fails, or would end the process."""
    try:
        return ask()
    except (Exception, SystemExit):
        return otherwise


def text(value: Any) -> str:
    """A text that may be missing, translated when it is shown, or no text at all."""
    return said(lambda: str(value), "") if value is not None else ""


def choices(container: Any) -> tuple[Any, ...]:
    """The values in a container of choices; none when they are too many, or can only be tested or read once."""
    if container is None or isinstance(container, (int, float)):
        return ()

    def first() -> list[Any]:
        values = iter(container)
        return [] if values is container else list(islice(values, MOST_CHOICES + 1))

    found: list[Any] = said(first, [])
    if isinstance(container, (set, frozenset)):
        found = sorted(found, key=str)  # the same in every run
    return tuple(found) if len(found) <= MOST_CHOICES else ()
