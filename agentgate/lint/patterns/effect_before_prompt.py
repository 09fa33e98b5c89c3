"""AG204: an effect, and then a question: a run that stops at the question is run again, and does it twice."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate.lint.context import Context
from agentgate.lint.effects import effects
from agentgate.lint.scopes import FUNCTIONS
from agentgate.lint.sites import Site
from agentgate.lint.tree import place

__all__ = ["find"]

CODE = "AG204"


def find(context: Context) -> Iterator[Site | None]:
    """The effects that a question of the same function follows on every way from them."""
    for call, name, _ in effects(context):
        if any(_leads_to(call, prompt, context) for prompt in context.prompts):
            yield context.sites.report(call.func, CODE, "effect", name.removeprefix("builtins."))


def _leads_to(call: ast.Call, prompt: ast.Call, context: Context) -> bool:
    """The prompt stands behind the call, in the call's own block or in one inside that."""
    if place(prompt) <= place(call) or context.parents.function(prompt) is not context.parents.function(call):
        return False
    statement = context.parents.statement(call)
    above = [prompt, *context.parents.above(prompt)]
    # a `with` that opens a file is done with when its block is
    while isinstance(statement, ast.With | ast.AsyncWith):
        if statement in above:
            return True
        break
    block = context.parents.of(statement) if statement is not None else None
    for node in above:
        if context.parents.of(node) is block and isinstance(node, ast.stmt):
            return _same_block(block, statement, node)
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            return False
    return False


def _same_block(block: ast.AST | None, first: ast.stmt | None, second: ast.stmt) -> bool:
    for field in ("body", "orelse", "finalbody"):
        statements = getattr(block, field, None)
        if isinstance(statements, list) and first in statements and second in statements:
            return statements.index(first) < statements.index(second)
    return False
