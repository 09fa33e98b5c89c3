"""AG302: an agent's variable that the program reads by itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate.lint.argv import variable
from agentgate.lint.context import Context
from agentgate.lint.known import ENVIRONMENT
from agentgate.lint.sites import Site

__all__ = ["find"]

CODE = "AG302"


def find(context: Context) -> Iterator[Site | None]:
    """The reads of such variables. One that is set, or taken out for a child, is none."""
    for node, name in list(context.resolution.named.items()):
        if name not in ENVIRONMENT:
            continue
        read = _read(node, context)
        if read is not None and read[1] in context.known.variables:
            yield context.sites.report(read[0], CODE, "agent", read[1])


def _read(node: ast.expr, context: Context) -> tuple[ast.expr, str] | None:
    """The expression around the environment that reads a variable, and which."""
    parent = context.parents.of(node)
    if isinstance(parent, ast.Compare) and node in parent.comparators:
        left = parent.left
        if isinstance(parent.ops[0], ast.In | ast.NotIn) and isinstance(left, ast.Constant):
            return parent, str(left.value)
        return None
    if isinstance(parent, ast.Subscript) and type(parent.ctx) is not ast.Load:
        return None
    if isinstance(parent, ast.Call | ast.Subscript):
        name = variable(parent, context)
        return (parent, name) if name is not None else None
    return None
