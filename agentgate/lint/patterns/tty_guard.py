"""AG301: whether there is a terminal decides whether a person is asked."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate.lint.context import Context
from agentgate.lint.scopes import FUNCTIONS, children
from agentgate.lint.sites import Site

__all__ = ["find"]

CODE = "AG301"
_LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_EXITS = frozenset({"exit", "_exit", "quit", "fail", "abort", "error"})


def find(context: Context) -> Iterator[Site | None]:
    """The tests for a terminal around or before a question, each once."""
    seen: set[ast.Call] = set()
    for prompt, site in context.prompts.items():
        if site is not None and site.finding.code == "AG104":
            continue
        for test in _tests(prompt, context):
            for asked in _terminals(test, context):
                if asked not in seen:
                    seen.add(asked)
                    yield context.sites.report(asked, CODE, "terminal", ast.unparse(asked))


def _tests(prompt: ast.Call, context: Context) -> Iterator[ast.expr]:
    """The conditions, in the same function, on which the question is asked."""
    child: ast.AST = prompt
    for above in context.parents.above(prompt):
        if isinstance(above, ast.BoolOp) and child in above.values:
            yield from above.values[: above.values.index(child)]
        elif isinstance(above, ast.If | ast.IfExp | ast.While) and child is not above.test:
            yield above.test
        for block in ("body", "orelse", "finalbody"):
            statements = getattr(above, block, None)
            if isinstance(statements, list) and child in statements:
                yield from (
                    one.test
                    for one in statements[: statements.index(child)]
                    if isinstance(one, ast.If) and not one.orelse and _leaves(one.body[-1])
                )
        if isinstance(above, (*FUNCTIONS, ast.ClassDef)):
            return
        child = above


def _leaves(statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(statement, _LEAVES) or (
        isinstance(call, ast.Call) and getattr(call.func, "id", getattr(call.func, "attr", "")) in _EXITS
    )


def _terminals(test: ast.expr, context: Context) -> Iterator[ast.Call]:
    """The calls in a test that ask for a terminal, also through a variable that one assignment sets."""
    stack: list[ast.AST] = [test]
    seen: set[ast.AST] = set()  # two variables may hold one another
    names = context.known.questions.terminals
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in names:
            yield node
        elif isinstance(node, ast.Name) and type(node.ctx) is ast.Load:
            value = context.value(node)
            stack += [value] if value is not node else []
        else:
            stack += [part for part in children(node) if not isinstance(part, FUNCTIONS)]
