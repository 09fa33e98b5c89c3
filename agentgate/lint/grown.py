"""What a variable holds that is built up step by step: `command = ["git"]`, `command += ["push"]`."""

from __future__ import annotations

import ast
from typing import NamedTuple

from agentgate.lint.context import Context
from agentgate.lint.tree import place

__all__ = ["CHANGES", "Step", "grown"]

# the methods of a list that change it, and those of them that add something at its end
_ADDS = frozenset({"append", "extend"})
CHANGES = _ADDS | {"clear", "insert", "pop", "remove", "reverse", "sort"}
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


class Step(NamedTuple):
    """What is added to a variable, always or only on some way.

    value: None for what only the run can tell. one: it is one item of a list, and no list or text itself.
    front: it is put before what there is.
    """

    value: ast.expr | None
    one: bool = False
    front: bool = False


def grown(node: ast.Name, context: Context) -> tuple[ast.expr, list[Step]]:
    """What a variable is given, and what is added to that; the expression itself, and nothing, where it is not known.

    It is known where nothing else is assigned to the variable.
    """
    parents = context.parents
    function = parents.function(node)
    home = context.home(node)
    uses = parents.names(home).get(node.id, []) if home is not None else []
    written = context.written(node.id, home) if home is not None else []
    first = parents.of(written[0]) if written else None
    if not isinstance(first, ast.Assign | ast.AnnAssign) or first.value is None or parents.statement(node) is first:
        return context.value(node), []
    if isinstance(first, ast.Assign) and first.targets != written[:1]:
        return context.value(node), []
    others = [parents.of(use) for use in written[1:]]
    if not all(isinstance(other, ast.AugAssign) or _extension(other, node.id) is not None for other in others):
        return node, []
    loops = [above for above in parents.above(node) if isinstance(above, _LOOPS)]
    added: list[Step] = []
    for use in uses[uses.index(written[0]) + 1 :]:
        step = _step(use, context)
        # what the module adds is there when one of its functions is called
        if step is not None and (place(use) < place(node) or home is not function):
            added.append(step)
        elif step is not None and loops and place(use) < place(loops[-1]):
            added.append(Step(None))
    return first.value, added


def _extension(statement: ast.AST | None, name: str) -> Step | None:
    """What `command = ["sudo"] + command`, or `command = command + words`, adds; None for any other statement."""
    match statement:
        case ast.Assign(targets=[ast.Name()], value=ast.BinOp(op=ast.Add(), left=left, right=right)):
            if isinstance(right, ast.Name) and right.id == name:
                return Step(left, front=True)
            return Step(right) if isinstance(left, ast.Name) and left.id == name else None
        case ast.Assign(targets=[ast.Name()], value=ast.List(elts=[*words, ast.Starred(value=ast.Name(id=last))])):
            return Step(ast.List(words), front=True) if last == name else None
        case _:
            return None


def _step(use: ast.Name, context: Context) -> Step | None:
    """What a use of the variable adds to it; None where it is only read."""
    around = context.parents.of(use)
    if isinstance(around, ast.Assign):
        return _extension(around, use.id) if type(use.ctx) is not ast.Load else None
    if isinstance(around, ast.AugAssign):
        return Step(around.value if isinstance(around.op, ast.Add) else None) if around.target is use else None
    if isinstance(around, ast.Subscript):
        return Step(None) if type(around.ctx) is not ast.Load else None
    if not isinstance(around, ast.Attribute) or around.attr not in CHANGES:
        return None
    call = context.parents.of(around)
    if around.attr in _ADDS and isinstance(call, ast.Call) and len(call.args) == 1 and not call.keywords:
        return Step(call.args[0], one=around.attr == "append")
    if around.attr == "insert" and isinstance(call, ast.Call) and len(call.args) == 2 and _is_zero(call.args[0]):
        return Step(call.args[1], one=True, front=True)
    return Step(None)


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0
