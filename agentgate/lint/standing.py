"""Where words stand: the lines of a file on which a name is written, and the nodes on such lines.

A name can stand on a line only as its own text, so the few lines of a program that matter are found by a search,
and the rest of its syntax tree is not visited.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from agentgate.lint.scopes import children

__all__ = ["Place", "Standing", "holds", "nodes"]


class Place(NamedTuple):
    """Where a word stands. attribute: behind a dot, of the same line. leads_to: the name behind its own dot, if any."""

    line: int
    attribute: bool
    leads_to: str | None


class Standing:
    """Where words stand in one file. starts: the offset in the text at which each line starts."""

    def __init__(self, text: str, starts: Sequence[int]) -> None:
        self._text = text
        self._starts = starts
        self._places: dict[str, list[Place]] = {}

    def places(self, word: str) -> list[Place]:
        """All places of a word, in order."""
        found = self._places.get(word)
        if found is None:
            text, starts = self._text, self._starts
            found = self._places[word] = [
                Place(bisect_right(starts, match.start()), text[match.start() - 1 : match.start()] == ".", match[1])
                for match in _whole(word).finditer(text)
            ]
        return found

    def lines(self, words: Iterable[str]) -> list[int]:
        """The lines on which one of these words stands, in order."""
        return sorted({place.line for word in words for place in self.places(word)})


def holds(lines: Sequence[int], node: ast.AST) -> bool:
    """One of these lines, which are in order, is a line of the node."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    first = (decorators[0] if decorators else node).lineno  # type: ignore[attr-defined]
    at = bisect_left(lines, first)
    return at < len(lines) and lines[at] <= (node.end_lineno or first)  # type: ignore[attr-defined]


def nodes(tree: ast.AST, lines: Sequence[int]) -> Iterator[ast.AST]:
    """The nodes of the statements on these lines, each before those in it; of other statements none."""
    stack = [tree]
    while stack:
        node = stack.pop()
        yield node
        inner = children(node)
        stack += [one for one in reversed(inner) if not isinstance(one, ast.stmt) or holds(lines, one)]


@lru_cache(maxsize=1024)
def _whole(word: str) -> re.Pattern[str]:
    """A whole word and the name behind its dot; led by the literal, which is what makes the search fast."""
    return re.compile(rf"{re.escape(word)}\b(?<!\w{re.escape(word)})(?:[ \t]*\.[ \t]*(\w+))?")
