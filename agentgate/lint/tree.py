"""Looking up from a node: its parents, statement, function, and the statement before."""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agentgate.lint.scopes import FUNCTIONS, children
from agentgate.lint.standing import first_line

__all__ = ["Parents", "place", "position_in"]

_BLOCKS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def place(node: ast.AST) -> tuple[int, int]:
    """Where a node ends, as something to sort by."""
    return getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0)


def position_in(block: Sequence[ast.AST], node: ast.AST) -> int | None:
    """Where a node stands among these, which are in order; None when it is none of them."""
    at = bisect_left(block, place(node), key=place)
    return at if at < len(block) and block[at] is node else None


class _Blocks(NamedTuple):
    """The functions and classes in a node itself, in order, with the lines on which they start."""

    lines: list[int]
    nodes: Sequence[ast.AST]


class Parents:
    """The parent of every node of a tree, worked out for the statements that somebody asks about."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._parents: dict[ast.AST, ast.AST] = dict.fromkeys(tree.body, tree)
        self._names: dict[ast.AST, dict[str, list[ast.Name]]] = {}
        self._attributes: dict[ast.ClassDef, dict[str, list[ast.Attribute]]] = {}
        self._returned: dict[ast.AST, list[ast.expr]] = {}
        # what the attributes of `self` in a class have been found to hold (`results`)
        self.held: dict[tuple[ast.ClassDef, str], list[ast.expr]] = {}
        # what has been looked into, with what in it has not; at first every statement is a block of its own
        self._open: dict[ast.AST, _Blocks] = {tree: _in_order(tree.body)}
        self._closed: set[ast.AST] = set(tree.body)

    def _look_into(self, block: ast.AST) -> None:
        """Note the parents in a statement of the module, or in the code of a function or class itself."""
        inner: list[ast.AST] = []
        stack = [block]
        while stack:
            node = stack.pop()
            for child in children(node):
                self._parents[child] = node
                (inner if isinstance(child, _BLOCKS) else stack).append(child)
        self._open[block] = _in_order(sorted(inner, key=first_line))
        self._closed.remove(block)
        self._closed.update(inner)

    def of(self, node: ast.AST) -> ast.AST | None:
        """The parent; None for the module."""
        while node not in self._parents and node is not self._tree and self._closed:
            # Python 3.11 cannot tell the line of everything in an f-string
            for block in self._around(node) or list(self._closed):
                self._look_into(block)
        return self._parents.get(node)

    def _around(self, node: ast.AST) -> list[ast.AST]:
        """What has not been looked into, and stands on the line of a node."""
        line: int = getattr(node, "lineno", 0)
        found: list[ast.AST] = []
        pending = [self._open[self._tree]]
        while pending:
            lines, blocks = pending.pop()
            at = bisect_right(lines, line) - 1
            while at >= 0 and place(blocks[at])[0] >= line:
                if blocks[at] in self._closed:
                    found.append(blocks[at])
                else:
                    pending.append(self._open[blocks[at]])
                at -= 1
        return found

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """The parent, its parent, and so on."""
        parent = self.of(node)
        while parent is not None:
            yield parent
            parent = self.of(parent)

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """The statement that an expression stands in."""
        return next((above for above in self.above(node) if isinstance(above, ast.stmt)), None)

    def function(self, node: ast.AST) -> ast.AST | None:
        """The function, class or module whose code a node is."""
        return next(
            (above for above in self.above(node) if isinstance(above, (*FUNCTIONS, ast.ClassDef, ast.Module))), None
        )

    def names(self, function: ast.AST) -> dict[str, list[ast.Name]]:
        """The names in the code of a function, class or module itself, in order of their place."""
        found = self._names.get(function)
        if found is None:
            found = self._names[function] = {}
            stack = children(function)
            while stack:
                node = stack.pop()
                if isinstance(node, ast.Name):
                    found.setdefault(node.id, []).append(node)
                elif not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
                    stack += children(node)
            for several in found.values():
                several.sort(key=place)
        return found

    def attributes(self, owner: ast.ClassDef) -> dict[str, list[ast.Attribute]]:
        """The attributes of `self` and `cls` in a class, its functions included."""
        found = self._attributes.get(owner)
        if found is None:
            found = self._attributes[owner] = {}
            for node in ast.walk(owner):
                match node:
                    case ast.Attribute(value=ast.Name(id="self" | "cls")):
                        found.setdefault(node.attr, []).append(node)
        return found

    def returned(self, function: ast.FunctionDef) -> list[ast.expr]:
        """What a function itself returns."""
        found = self._returned.get(function)
        if found is None:
            found = self._returned[function] = []
            stack: list[ast.AST] = [*function.body]
            while stack:
                node = stack.pop()
                if isinstance(node, ast.Return) and node.value is not None:
                    found.append(node.value)
                elif not isinstance(node, (*_BLOCKS, ast.expr)):
                    stack += children(node)
            found.sort(key=place)
        return found

    def before(self, statement: ast.stmt) -> ast.stmt | None:
        """The statement right before this one in its block."""
        parent = self.of(statement)
        for field in ("body", "orelse", "finalbody"):
            block = getattr(parent, field, None)
            if isinstance(block, list) and (position := position_in(block, statement)) is not None:
                return block[position - 1] if position else None
        return None


def _in_order(nodes: Sequence[ast.AST]) -> _Blocks:
    return _Blocks([first_line(node) for node in nodes], nodes)
