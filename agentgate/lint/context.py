"""What every rule about the code around prompts needs to know of a file."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from agentgate.lint.known import Known
from agentgate.lint.resolve import Resolution
from agentgate.lint.scopes import FUNCTIONS
from agentgate.lint.sites import Site, Sites
from agentgate.lint.tree import Parents

__all__ = ["Context"]


class Context(NamedTuple):
    """One file.

    prompts: the calls that wait for a person, with what was found there; a gated call is one of them, its site
    is None.
    """

    tree: ast.Module
    resolution: Resolution
    parents: Parents
    sites: Sites
    known: Known
    prompts: dict[ast.Call, Site | None]

    def name(self, node: ast.expr) -> str | None:
        """The qualified name of an expression, where it is one that matters."""
        return self.resolution.named.get(node)

    def calls(self, names: object) -> Iterator[tuple[ast.Call, str]]:
        """The calls of these qualified names (anything with `in`), in order."""
        for node, name in self.resolution.named.items():
            if name in names:  # type: ignore[operator]
                call = self.parents.of(node)
                if isinstance(call, ast.Call) and call.func is node:
                    yield call, name

    def value(self, node: ast.expr) -> ast.expr:
        """What a variable holds, where one assignment gives it its only value; else the expression itself."""
        home = self.home(node) if isinstance(node, ast.Name) else None
        if home is None or not isinstance(node, ast.Name):
            return node
        written = self.written(node.id, home)
        statement = self.parents.of(written[0])
        if len(written) > 1 or not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
            return node
        if isinstance(statement, ast.Assign) and statement.targets != written:
            return node
        # `x = x or …` reads what the name was before
        return node if self.parents.statement(node) is statement else statement.value

    def home(self, node: ast.Name) -> ast.AST | None:
        """The function, class or module whose code gives a variable its value; None for a parameter."""
        home = self.parents.function(node)
        while home is not None and not self.written(node.id, home):
            if isinstance(home, FUNCTIONS) and node.id in self.resolution.scopes[home].bound:
                return None
            home = self.parents.function(home)
        return home

    def written(self, name: str, scope: ast.AST) -> list[ast.Name]:
        """Where the code of a function, class or module itself gives a variable a value, in order."""
        return [use for use in self.parents.names(scope).get(name, []) if type(use.ctx) is not ast.Load]

    def preferred(self, node: ast.expr) -> ast.expr:
        """What a variable holds, as `value`; also where it is given another value only in place of none.

        `if not editor: editor = "vi"`, or `except KeyError: editor = "vi"`.
        """
        value = self.value(node)
        function = self.parents.function(node)
        if value is not node or not isinstance(node, ast.Name) or function is None:
            return value
        first, *others = [self.parents.of(use) for use in self.written(node.id, function)] or [None]
        if isinstance(first, ast.Assign) and all(self._stands_in(other, first, node.id) for other in others):
            return first.value
        return node

    def _stands_in(self, other: ast.AST | None, first: ast.Assign, name: str) -> bool:
        """The other assignment is made where the first gave nothing, or could not be made."""
        around = self.parents.of(other) if isinstance(other, ast.Assign) else None
        if isinstance(around, ast.ExceptHandler):
            return self.parents.of(around) is self.parents.of(first)
        if not isinstance(around, ast.If) or other not in around.body:
            return False
        match around.test:
            case ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=tested)):
                return tested == name
            case ast.Compare(left=ast.Name(id=tested), ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
                return tested == name
            case _:
                return False

    def choices(self, node: ast.expr) -> list[ast.expr]:
        """What an expression is either way: conditional, or a variable that the branches of one `if` or `match` set."""
        value = self.value(node)
        if isinstance(value, ast.IfExp):
            return [value.body, value.orelse]
        function = self.parents.function(node)
        if value is not node or not isinstance(node, ast.Name) or function is None:
            return [node]
        written = [self.parents.of(use) for use in self.written(node.id, function)]
        assigned = [one for one in written if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name)]
        tests = {self._first_test(one) for one in assigned}
        if len(assigned) != len(written) or len(tests) != 1 or not tests.isdisjoint({None, *self.parents.above(node)}):
            return [node]
        return [one.value for one in assigned]

    def _first_test(self, statement: ast.stmt) -> ast.AST | None:
        """The `if` or `match` of which a statement is in a branch, be it that of an `elif`; None for one in none."""
        found: ast.If | None = None
        around = self.parents.of(statement)
        if isinstance(around, ast.match_case):
            return self.parents.of(around)
        while isinstance(around, ast.If) and (found is None or around.orelse == [found]):
            found, around = around, self.parents.of(around)
        return found
