"""Where words stand: the lines of a file on which a name is written, and the nodes on such lines.

A name can stand on a line only as its own text, so the few lines of a program that matter are found by a search,
and the rest of its syntax tree is not visited.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from agentgate.lint.scopes import children

__all__ = ["Standing", "first_line", "holds", "nodes"]

_ATTRIBUTE = r"(?:[ \t]*\.[ \t]*(\w+))"


class Standing:
    """Where words stand in one file. starts: the offset in the text at which each line starts."""

    def __init__(self, text: str, starts: Sequence[int]) -> None:
        self._text = text
        self._starts = starts

    def lines(self, words: Iterable[str]) -> list[int]:
        """The lines on which one of these words stands, in order."""
        return sorted({self._line(found) for word in words for found in _whole(word).finditer(self._text)})

    def read(self, name: str, leads_to: Collection[str], *, attribute: bool) -> Iterator[int]:
        """The lines on which a name stands bare, or before one of these attributes.

        attribute: the name may be one itself.
        """
        text = self._text
        for found in (_leading(name) if leads_to else _bare(name)).finditer(text):
            if leads_to and found[1] is not None and found[1] not in leads_to:
                continue
            if attribute or text[found.start() - 1 : found.start()] != ".":
                yield self._line(found)

    def _line(self, found: re.Match[str]) -> int:
        return bisect_right(self._starts, found.start())


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


# led by the literal, which is what makes a search fast
@lru_cache(maxsize=1024)
def _whole(word: str) -> re.Pattern[str]:
    return re.compile(rf"{re.escape(word)}\b(?<!\w{re.escape(word)})")


@lru_cache(maxsize=1024)
def _leading(name: str) -> re.Pattern[str]:
    """The name, and that of the attribute behind it."""
    return re.compile(_whole(name).pattern + _ATTRIBUTE + "?")


@lru_cache(maxsize=1024)
def _bare(name: str) -> re.Pattern[str]:
    """The name, with no attribute behind it."""
    return re.compile(_whole(name).pattern + f"(?!{_ATTRIBUTE})")
