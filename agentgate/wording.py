"""Words that several commands put the same way."""

from __future__ import annotations

__all__ = ["count"]


def count(number: int, noun: str) -> str:
    """A number of things: `1 finding`, `2 findings`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
