"""What a call that starts a child gives it: its streams, its terminal and its environment."""

from __future__ import annotations

import ast

from agentgate.lint.context import Context
from agentgate.lint.known import ENVIRONMENT, Start
from agentgate.lint.programs import Surroundings

__all__ = ["of_call", "set_in_file"]


def of_call(call: ast.Call, start: Start, context: Context, everywhere: dict[str, str | None]) -> Surroundings | None:
    """The surroundings of a child; None when `**` hides them. everywhere: variables that the program sets itself."""
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    if None in given:
        return None
    for name, value in zip(start.args, call.args, strict=False):
        given.setdefault(name, value)
    environment, complete = _environment(given.get("env"), context)
    return Surroundings(
        stdin=_is_own(given.get("stdin")) or _is_own(given.get("input")),
        stdout=start.pipe or _is_own(given.get("stdout")) or _is_true(given.get("capture_output")),
        session=_is_true(given.get("start_new_session")) or _is_own(given.get("preexec_fn")),
        environment={**everywhere, **environment},
        complete=complete,
    )


def set_in_file(context: Context) -> dict[str, str | None]:
    """The variables that a file sets for all of its children: `os.environ["X"] = "1"`, `os.environ.setdefault(…)`."""
    found: dict[str, str | None] = {}
    for node, name in context.resolution.named.items():
        if name != ENVIRONMENT[0]:
            continue
        parent = context.parents.of(node)
        if isinstance(parent, ast.Subscript) and type(parent.ctx) is ast.Store:
            found.update(_pair(parent.slice, None))
        elif isinstance(parent, ast.Attribute) and parent.attr in ("setdefault", "update"):
            call = context.parents.of(parent)
            if isinstance(call, ast.Call) and call.args and parent.attr == "setdefault":
                found.update(_pair(call.args[0], None))
            elif isinstance(call, ast.Call):
                found.update({keyword.arg: None for keyword in call.keywords if keyword.arg})
                for argument in call.args:
                    found.update(_environment(argument, context)[0])
    return found


def _environment(node: ast.expr | None, context: Context, depth: int = 0) -> tuple[dict[str, str | None], bool]:
    """The variables in an expression, and whether no others than those of the program itself can be there."""
    if depth > 3:
        return {}, False
    if node is None or (isinstance(node, ast.Constant) and node.value is None):
        return {}, True
    if context.name(node) == ENVIRONMENT[0] or _is_copy(node, context):
        extra = node.keywords if isinstance(node, ast.Call) else []
        return {keyword.arg: _literal(keyword.value) for keyword in extra if keyword.arg}, True
    if isinstance(node, ast.Dict):
        found: dict[str, str | None] = {}
        complete = True
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                inner, inner_complete = _environment(value, context, depth + 1)
                found.update(inner)
                complete = complete and inner_complete
            else:
                found.update(_pair(key, value))
        return found, complete
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        left, right = (_environment(side, context, depth + 1) for side in (node.left, node.right))
        return {**left[0], **right[0]}, left[1] and right[1]
    if isinstance(node, ast.Name):
        value = context.value(node)
        found, complete = _environment(value, context, depth + 1) if value is not node else ({}, False)
        return {**found, **_set_later(node, context)}, complete
    return {}, False


def _is_copy(node: ast.expr, context: Context) -> bool:
    """`os.environ.copy()`, `dict(os.environ, X="1")`, `copy.copy(os.environ)`."""
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute) and node.func.attr == "copy":
        return context.name(node.func.value) == ENVIRONMENT[0] or any(
            context.name(argument) == ENVIRONMENT[0] for argument in node.args
        )
    return (
        isinstance(node.func, ast.Name)
        and node.func.id == "dict"
        and bool(node.args)
        and (context.name(node.args[0]) == ENVIRONMENT[0])
    )


def _set_later(node: ast.Name, context: Context) -> dict[str, str | None]:
    """`env["X"] = "1"` in the same function."""
    function = context.parents.function(node)
    found: dict[str, str | None] = {}
    for use in context.parents.names(function).get(node.id, []) if function is not None else []:
        item = context.parents.of(use)
        if isinstance(item, ast.Subscript) and type(item.ctx) is ast.Store:
            statement = context.parents.of(item)
            found.update(_pair(item.slice, statement.value if isinstance(statement, ast.Assign) else None))
    return found


def _pair(key: ast.expr, value: ast.expr | None) -> dict[str, str | None]:
    name = _literal(key)
    return {name: _literal(value)} if name is not None else {}


def _literal(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _is_own(node: ast.expr | None) -> bool:
    """Given, and not as `None` or the program's own stream."""
    if node is None or (isinstance(node, ast.Constant) and node.value is None):
        return False
    return not (isinstance(node, ast.Attribute) and node.attr in ("stdin", "stdout", "stderr"))


def _is_true(node: ast.expr | None) -> bool:
    return node is not None and not (isinstance(node, ast.Constant) and not node.value)
