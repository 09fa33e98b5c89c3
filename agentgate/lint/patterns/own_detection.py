"""AG302: an agent's variable that the program reads by itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate.lint.argv import key
from agentgate.lint.context import Context
from agentgate.lint.known import ENVIRONMENT
from agentgate.lint.scopes import COMPREHENSIONS
from agentgate.lint.sites import Site

__all__ = ["find"]

CODE = "AG302"


def find(context: Context) -> Iterator[Site | None]:
    """The reads of such variables. One that is set, or taken out for a child, is none."""
    for node, name in list(context.resolution.named.items()):
        if name not in ENVIRONMENT:
            continue
        read = _read(node, context)
        names = _names(read[1], context) if read is not None else []
        agents = [name for name in names if name in context.known.variables]
        if read is not None and agents:
            yield context.sites.report(read[0], CODE, "agent", agents[0])


def _read(node: ast.expr, context: Context) -> tuple[ast.expr, ast.expr] | None:
    """The expression around the environment that reads a variable, and what names it."""
    parent = context.parents.of(node)
    if isinstance(parent, ast.Compare) and node in parent.comparators:
        return (parent, parent.left) if isinstance(parent.ops[0], ast.In | ast.NotIn) else None
    if isinstance(parent, ast.Subscript) and type(parent.ctx) is not ast.Load:
        return None
    if isinstance(parent, ast.Call | ast.Subscript):
        named = key(parent, context)
        return (parent, named) if named is not None else None
    return None


def _names(named: ast.expr, context: Context) -> list[str]:
    """The literals that a key can be: itself, what its variable holds, or what a loop goes through."""
    value = context.value(named)
    literals = [value]
    if isinstance(value, ast.Name):
        literals = next((_literals(loop, context) for loop in _loops(value, context)), [])
    return [one.value for one in literals if isinstance(one, ast.Constant) and isinstance(one.value, str)]


def _loops(name: ast.Name, context: Context) -> Iterator[ast.comprehension | ast.For]:
    """The loops whose variable, or first variable, has this name, from the inside out."""
    for above in context.parents.above(name):
        for loop in above.generators if isinstance(above, COMPREHENSIONS) else [above]:
            if isinstance(loop, ast.comprehension | ast.For):
                first = loop.target.elts[0] if isinstance(loop.target, ast.Tuple) else loop.target
                if isinstance(first, ast.Name) and first.id == name.id:
                    yield loop


def _literals(loop: ast.comprehension | ast.For, context: Context) -> list[ast.expr]:
    """What the first variable of a loop is in turn."""
    through = loop.iter
    if isinstance(through, ast.Call) and isinstance(through.func, ast.Attribute) and not through.args:
        through = through.func.value  # AGENTS.items()
    through = context.value(through)
    if isinstance(through, ast.Call) and len(through.args) == 1:
        through = through.args[0]  # frozenset({…})
    if isinstance(through, ast.Dict):
        return [one for one in through.keys if one is not None]
    found = through.elts if isinstance(through, ast.List | ast.Tuple | ast.Set) else []
    if isinstance(loop.target, ast.Tuple):
        return [one.elts[0] for one in found if isinstance(one, ast.Tuple) and one.elts]
    return found
