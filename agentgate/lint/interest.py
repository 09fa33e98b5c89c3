"""Which lines of a file can matter: those on which a word of interest stands.

Few lines of a program lead to a prompt, so only these are interpreted. The words are the names of builtin prompts,
and every name that was found to hold something worth following; a name can stand on a line only as its own text.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Iterable
from functools import lru_cache

from agentgate.lint.source import Source

__all__ = ["Interest"]

# after these a statement does not go on to the next one; an endless loop does not either
_LEAVES = ("return", "raise", "break", "continue", "while")


class Interest:
    """The lines of interest in one file. words: those that are followed."""

    def __init__(self, source: Source, words: Iterable[str]) -> None:
        self._text = source.text
        self._starts = source.starts
        self.words: set[str] = set()
        self._lines: list[int] = []
        self._leaving: list[int] | None = None
        for word in words:
            self.add(word)

    def add(self, word: str) -> bool:
        """Follow a name from now on; whether that makes any line one of interest that was none."""
        if word in self.words:
            return False
        self.words.add(word)
        new = self._standing(word).difference(self._lines)
        self._lines = sorted((*self._lines, *new))
        return bool(new)

    def touches(self, node: ast.AST) -> bool:
        """A line of this node is of interest."""
        return _holds(self._lines, node)

    def leaves(self, node: ast.stmt) -> bool:
        """What comes after this statement may not be reached from it."""
        if self._leaving is None:
            self._leaving = sorted(set().union(*map(self._standing, _LEAVES)))
        return _holds(self._leaving, node)

    def _standing(self, word: str) -> set[int]:
        """The lines on which a word stands."""
        return {bisect_left(self._starts, found.end()) for found in _whole(word).finditer(self._text)}


def _holds(lines: list[int], node: ast.AST) -> bool:
    """One of these sorted lines is a line of the node."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    first = (decorators[0] if decorators else node).lineno  # type: ignore[attr-defined]
    at = bisect_left(lines, first)
    return at < len(lines) and lines[at] <= (node.end_lineno or first)  # type: ignore[attr-defined]


@lru_cache(maxsize=1024)
def _whole(word: str) -> re.Pattern[str]:
    """A whole word; led by the literal, which is what makes the search fast."""
    return re.compile(rf"{re.escape(word)}\b(?<!\w{re.escape(word)})")
