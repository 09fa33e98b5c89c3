"""What a variable holds that is built up step by step: `command = ["git"]`, `command += ["push"]`."""

from __future__ import annotations

import ast
from typing import NamedTuple

from agentgate.lint.context import Context
from agentgate.lint.tree import place

__all__ = ["Step", "grown"]

# the methods of a list that change it, and those of them that add something at its end
_ADDS = frozenset({"append", "extend"})
_CHANGES = _ADDS | {"clear", "insert", "pop", "remove", "reverse", "sort"}


class Step(NamedTuple):
    """What is added to a variable, always or only on some way.

    value: None for what only the run can tell. one: it is one item of a list, and no list or text itself.
    """

    value: ast.expr | None
    one: bool = False


def grown(node: ast.Name, context: Context) -> tuple[ast.expr, list[Step]]:
    """What a variable is given, and what is added to that; the expression itself, and nothing, where it is not known.

    It is known where nothing else is assigned to the variable.
    """
    parents = context.parents
    function = parents.function(node)
    uses = parents.names(function).get(node.id, []) if function is not None else []
    written = [use for use in uses if type(use.ctx) is not ast.Load]
    first = parents.of(written[0]) if written else None
    if not isinstance(first, ast.Assign) or first.targets != written[:1] or parents.statement(node) is first:
        return context.value(node), []
    if not all(isinstance(parents.of(use), ast.AugAssign) for use in written[1:]):
        return node, []
    added = [(use, _step(use, context)) for use in uses[uses.index(written[0]) + 1 :]]
    # what comes later is there only if all this is in a loop
    return first.value, [step if place(use) < place(node) else Step(None) for use, step in added if step is not None]


def _step(use: ast.Name, context: Context) -> Step | None:
    """What a use of the variable adds to it; None where it is only read."""
    around = context.parents.of(use)
    if isinstance(around, ast.AugAssign):
        return Step(around.value if isinstance(around.op, ast.Add) else None) if around.target is use else None
    if isinstance(around, ast.Subscript):
        return Step(None) if type(around.ctx) is not ast.Load else None
    if not isinstance(around, ast.Attribute) or around.attr not in _CHANGES:
        return None
    call = context.parents.of(around)
    if around.attr in _ADDS and isinstance(call, ast.Call) and len(call.args) == 1 and not call.keywords:
        return Step(call.args[0], one=around.attr == "append")
    return Step(None)
