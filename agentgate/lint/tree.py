"""Looking up from a node: its parents, statement, function, and the statement before."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate.lint.scopes import FUNCTIONS, children

__all__ = ["Parents", "place"]


def place(node: ast.AST) -> tuple[int, int]:
    """Where a node ends, as something to sort by."""
    return getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0)


class Parents:
    """The parent of every node of a tree; built only for a file that holds a prompt."""

    def __init__(self, tree: ast.Module) -> None:
        self._parents: dict[ast.AST, ast.AST] = {}
        self._names: dict[ast.AST, dict[str, list[ast.Name]]] = {}
        stack: list[ast.AST] = [tree]
        while stack:
            node = stack.pop()
            for child in children(node):
                self._parents[child] = node
                stack.append(child)

    def of(self, node: ast.AST) -> ast.AST | None:
        """The parent; None for the module."""
        return self._parents.get(node)

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """The parent, its parent, and so on."""
        parent = self._parents.get(node)
        while parent is not None:
            yield parent
            parent = self._parents.get(parent)

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

    def before(self, statement: ast.stmt) -> ast.stmt | None:
        """The statement right before this one in its block."""
        parent = self._parents.get(statement)
        for field in ("body", "orelse", "finalbody"):
            block = getattr(parent, field, None)
            if isinstance(block, list) and statement in block:
                position = block.index(statement)
                return block[position - 1] if position else None
        return None
