"""Where words stand: the lines of a file on which a name is written, and the nodes on such lines.

A name can stand on a line only as its own text, so the few lines of a program that matter are found by a search,
and the rest of its syntax tree is not visited.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence

from agentgate.lint.scopes import children

__all__ = ["Standing", "first_line", "holds", "nodes"]

_ATTRIBUTE = re.compile(r"[ \t]*\.[ \t]*(\w+)")


class Standing:
    """Where words stand in one file. starts: the offset in the text at which each line starts."""

    def __init__(self, text: str, starts: Sequence[int]) -> None:
        self._text = text
        self._starts = starts

    def lines(self, words: Iterable[str]) -> list[int]:
        """The lines on which one of these words stands, in order."""
        return sorted({bisect_right(self._starts, at) for word in words for at in self._places(word)})

    def read(self, name: str, leads_to: Collection[str], *, attribute: bool) -> Iterator[int]:
        """The lines on which a name stands bare, or before one of these attributes.

        attribute: the name may be one itself.
        """
        text = self._text
        for start in self._places(name):
            if attribute or text[start - 1 : start] != ".":
                behind = _ATTRIBUTE.match(text, start + len(name))
                if behind is None or behind[1] in leads_to:
                    yield bisect_right(self._starts, start)

    def _places(self, word: str) -> Iterator[int]:
        """Where a whole word stands; quicker than a pattern, which would have to be made for every word."""
        text, length = self._text, len(word)
        at = text.find(word)
        while at >= 0:
            end = at + length
            if not (_is_letter(text[end : end + 1]) or _is_letter(text[at - 1 : at])):
                yield at
            at = text.find(word, end)


def first_line(node: ast.AST) -> int:
    """The line on which a node starts, with its decorators."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    first: int = (decorators[0] if decorators else node).lineno  # type: ignore[attr-defined]
    return first


def holds(lines: Sequence[int], node: ast.AST) -> bool:
    """One of these lines, which are in order, is a line of the node."""
    first = first_line(node)
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


def _is_letter(character: str) -> bool:
    return character.isalnum() or character == "_"
