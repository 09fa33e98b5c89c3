"""Where libcst's nodes stand, in the lines and UTF-8 columns of `ast`."""

from __future__ import annotations

import ast
import re
from typing import TypeVar

import libcst
from libcst.metadata import MetadataWrapper, PositionProvider

__all__ = ["Places"]

N = TypeVar("N", bound=ast.AST)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


class Places:
    """The places of a module's nodes."""

    def __init__(self, tree: libcst.Module, text: str) -> None:
        self._positions = MetadataWrapper(tree, unsafe_skip_copy=True).resolve(PositionProvider)
        self._lines: list[str] = _LINE.findall(text)

    def put(self, new: N, old: libcst.CSTNode) -> N:
        """Give a node the place of the one that it is made from."""
        start, end = self._positions[old].start, self._positions[old].end
        if isinstance(old, libcst.Tuple | libcst.GeneratorExp) and old.lpar:
            # the parentheses next to these belong to them, and to nothing else
            start, end = self._positions[old.lpar[-1]].start, self._positions[old.rpar[0]].end
        new.lineno, new.col_offset = self._at(start.line, start.column)  # type: ignore[attr-defined]
        new.end_lineno, new.end_col_offset = self._at(end.line, end.column)  # type: ignore[attr-defined]
        return new

    def span(self, new: N, first: ast.AST, last: ast.AST) -> N:
        """Give a node the place from the start of one to the end of another."""
        new.lineno, new.col_offset = first.lineno, first.col_offset  # type: ignore[attr-defined]
        new.end_lineno, new.end_col_offset = last.end_lineno, last.end_col_offset  # type: ignore[attr-defined]
        return new

    def text(self, node: libcst.CSTNode) -> str:
        """The source text of a node."""
        place = self._positions[node]
        start, end = place.start, place.end
        if start.line == end.line:
            return self._lines[start.line - 1][start.column : end.column]
        inner = self._lines[start.line : end.line - 1]
        return "".join((self._lines[start.line - 1][start.column :], *inner, self._lines[end.line - 1][: end.column]))

    def _at(self, line: int, column: int) -> tuple[int, int]:
        text = self._lines[line - 1] if line <= len(self._lines) else ""
        return line, column if text.isascii() else len(text[:column].encode("utf-8", "surrogatepass"))
