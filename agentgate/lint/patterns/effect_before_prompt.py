"""AG204: an effect, and then a question: a run that stops at the question is run again, and does it twice."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate.lint.context import Context
from agentgate.lint.effects import effects
from agentgate.lint.patterns.ask_first import Move, move
from agentgate.lint.patterns.askers import asking_calls
from agentgate.lint.scopes import FUNCTIONS
from agentgate.lint.sites import Site
from agentgate.lint.tree import place

__all__ = ["find"]

CODE = "AG204"
_BY_HAND = "ask before it: what stands between the two decides, writes or sets more than could be moved for you"


def find(context: Context) -> Iterator[Site | None]:
    """The effects that a question of the same function follows on every way from them."""
    found = list(effects(context))
    questions = asking_calls(context) if found else {}
    for call, name, _ in found:
        behind = [question for question in questions if _leads_to(call, question, context)]
        if behind:
            site = context.sites.report(call.func, CODE, "effect", name.removeprefix("builtins."))
            moves = [move(call, question, context) for question in behind]
            yield site and _judged(site, next(filter(None, moves), None))


def _judged(site: Site, moved: Move | None) -> Site:
    """The site with the move that asks first, or with what is left to do."""
    if moved is None:
        return site._replace(reason=_BY_HAND)
    node, start, end, to = moved
    finding = site.finding._replace(fix="unsafe")
    return site._replace(finding=finding, node=node, start=start, end=end, to=to, reason=None)


def _leads_to(call: ast.Call, prompt: ast.Call, context: Context) -> bool:
    """The prompt stands behind the call, in the call's own block or in one inside that."""
    if place(prompt) <= place(call) or context.parents.function(prompt) is not context.parents.function(call):
        return False
    statement = context.parents.statement(call)
    above = [prompt, *context.parents.above(prompt)]
    # a `with` that opens a file is done with when its block is
    if isinstance(statement, ast.With | ast.AsyncWith) and statement in above:
        return True
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
