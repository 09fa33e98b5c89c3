"""Proof that an edited file is the old one but for the wraps and the import: both are compared as trees."""

from __future__ import annotations

import ast

__all__ = ["is_same", "is_same_but_for_gates"]


def is_same(old: ast.Module, new: ast.Module) -> bool:
    """Whether two trees say the same, however deep they are (`ast.dump` is recursive)."""
    return is_same_but_for_gates(old, new, "", 0, imported=None)


def is_same_but_for_gates(old: ast.Module, new: ast.Module, gate: str, wraps: int, *, imported: str | None) -> bool:
    """Whether the new tree, with this many calls of `gate` undone and its import taken out, is the old one.

    gate: the gate's name as the edits write it. imported: the module that it is imported from by a new line.
    """
    body = new.body
    if imported is not None:
        position = next((number for number, node in enumerate(body) if _imports(node, gate, imported)), None)
        if position is None:
            return False
        body = body[:position] + body[position + 1 :]
    undone = 0
    stack: list[tuple[object, object]] = [(old.body, body), (old.type_ignores, new.type_ignores)]
    while stack:
        left, right = stack.pop()
        inner = _wrapped(right, gate)
        if inner is not None and _wrapped(left, gate) is None:
            undone += 1
            right = inner
        if type(left) is not type(right):
            return False
        if isinstance(left, ast.AST):
            assert isinstance(right, ast.AST)
            stack.extend((getattr(left, field, None), getattr(right, field, None)) for field in left._fields)
        elif isinstance(left, list):
            assert isinstance(right, list)
            if len(left) != len(right):
                return False
            stack.extend(zip(left, right, strict=True))
        elif left != right and repr(left) != repr(right):
            return False
    return undone == wraps


def _imports(node: ast.stmt, gate: str, module: str) -> bool:
    if not isinstance(node, ast.ImportFrom) or node.module != module or node.level:
        return False
    return [(alias.name, alias.asname or alias.name) for alias in node.names] == [("gate", gate)]


def _wrapped(node: object, gate: str) -> ast.expr | None:
    """What a call of the gate wraps."""
    if not isinstance(node, ast.Call) or not node.args:
        return None
    parts: list[str] = []
    callee = node.func
    while isinstance(callee, ast.Attribute):
        parts.append(callee.attr)
        callee = callee.value
    if not isinstance(callee, ast.Name):
        return None
    name = ".".join([callee.id, *reversed(parts)])
    return node.args[0] if name in (gate, f"{gate}.later", f"{gate}.consented") else None
