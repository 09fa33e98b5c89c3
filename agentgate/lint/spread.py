"""What `**` can bring into a call: the keys of a dictionary that is made in the same function."""

from __future__ import annotations

import ast

from agentgate.lint.context import Context

__all__ = ["keys"]

# these put nothing in
_READS = frozenset({"copy", "get", "items", "keys", "pop", "values"})


def keys(node: ast.expr, context: Context) -> set[str] | None:
    """All keys that the dictionary can have; None when it may have any."""
    value = context.value(node)
    if isinstance(value, ast.Dict):
        found = _literals(value.keys)
    elif isinstance(value, ast.Call) and getattr(value.func, "id", "") == "dict" and not value.args:
        found = _named(value)
    else:
        return None
    if found is None or value is node:
        return found
    assert isinstance(node, ast.Name)
    function = context.parents.function(node)
    for use in context.parents.names(function)[node.id] if function is not None else []:
        added = _added(use, context) if type(use.ctx) is ast.Load else set()
        if added is None:
            return None
        found |= added
    return found


def _added(use: ast.Name, context: Context) -> set[str] | None:
    """The keys that this use of the variable puts in; None when they are not known."""
    parent = context.parents.of(use)
    if isinstance(parent, ast.Subscript) and parent.value is use:
        return _literals([parent.slice]) if type(parent.ctx) is ast.Store else set()
    if isinstance(parent, ast.keyword | ast.Compare):
        return set() if isinstance(parent, ast.Compare) or parent.arg is None else None
    if not isinstance(parent, ast.Attribute):
        return None
    if parent.attr in _READS:
        return set()
    call = context.parents.of(parent)
    if not isinstance(call, ast.Call):
        return None
    if parent.attr == "setdefault":
        return _literals(call.args[:1])
    return _named(call) if parent.attr == "update" and not call.args else None


def _named(call: ast.Call) -> set[str] | None:
    found = {keyword.arg for keyword in call.keywords}
    return None if None in found else {name for name in found if name}


def _literals(nodes: list[ast.expr] | list[ast.expr | None]) -> set[str] | None:
    found = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return found if len(found) == len(nodes) else None
