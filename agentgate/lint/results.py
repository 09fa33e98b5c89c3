"""What is made elsewhere in a file: what `editor()`, `self.editor()` and `self.editor` give, and a loop's variable."""

from __future__ import annotations

import ast

from agentgate.lint.context import Context
from agentgate.lint.grown import CHANGES
from agentgate.lint.outline import LeftOut

__all__ = ["results"]

_SELF = ("self", "cls")
_PROPERTIES = ("property", "cached_property")
# what can be more things than these is as good as unknown: each may lead to as many again
_MOST = 8


def results(node: ast.expr, context: Context) -> list[ast.expr]:
    """What an expression can be: a few things, or none where it is not known. Raises LeftOut, as `_results`."""
    found = _results(node, context)
    return found if len(found) <= _MOST else []


def _results(node: ast.expr, context: Context) -> list[ast.expr]:
    """What a function returns, `self` or a dictionary holds or a loop goes over; nothing where it is not known.

    Raises LeftOut where that is in a part of the file that was not read.
    """
    match node:
        case ast.Call(func=ast.Name() as name):
            return _returned(_function(name, context), context)
        case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name)) if owner in _SELF:
            return _returned(_defined(_class(node, context), name), context)
        case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner in _SELF:
            return _held(_class(node, context), name, context)
        case ast.Subscript(value=table, slice=key):
            return _values(table, key, context)
        case ast.Name():
            return _items(node, context)
        case _:
            return []


def _function(name: ast.Name, context: Context) -> ast.FunctionDef | None:
    """The function of the module that a name is."""
    around = context.parents.function(name)
    while around is not None and not isinstance(around, ast.Module):
        if name.id in context.resolution.scopes[around].bound or context.written(name.id, around):
            return None
        around = context.parents.function(around)
    return _defined(context.tree, name.id) if not context.written(name.id, context.tree) else None


def _class(node: ast.expr, context: Context) -> ast.ClassDef | None:
    return next((above for above in context.parents.above(node) if isinstance(above, ast.ClassDef)), None)


def _defined(scope: ast.Module | ast.ClassDef | None, name: str) -> ast.FunctionDef | None:
    """The one function of that name in a module or class itself."""
    body = scope.body if scope is not None else []
    found = [one for one in body if isinstance(one, ast.FunctionDef) and one.name == name]
    return found[0] if len(found) == 1 else None


def _returned(function: ast.FunctionDef | None, context: Context) -> list[ast.expr]:
    if function is None:
        return []
    if context.sites.source.is_part and isinstance(function.body[0], ast.Pass):
        raise LeftOut([function.body[0].lineno + 1])
    return _but_none(context.parents.returned(function))


def _held(owner: ast.ClassDef | None, name: str, context: Context) -> list[ast.expr]:
    """The one value that an attribute of `self` is given anywhere in its class, or what its property returns."""
    if owner is None:
        return []
    known = context.parents.held
    if (owner, name) not in known:
        known[owner, name] = _given(owner, name, context)
    return known[owner, name]


def _given(owner: ast.ClassDef, name: str, context: Context) -> list[ast.expr]:
    parents = context.parents
    getter = _defined(owner, name)
    if getter is not None:
        is_property = any(getattr(one, "attr", getattr(one, "id", "")) in _PROPERTIES for one in getter.decorator_list)
        return _returned(getter, context) if is_property else []
    uses: list[ast.Attribute | ast.Name] = [
        *parents.attributes(owner).get(name, []),
        *parents.names(owner).get(name, []),
    ]
    if any(getattr(parents.of(use), "attr", "") in CHANGES for use in uses):
        return []
    source = context.sites.source
    lines = source.standing.lines([name]) if source.is_part else []
    if not {use.end_lineno for use in uses}.issuperset(lines):
        raise LeftOut(lines)
    values: list[ast.expr] = []
    for use in uses:
        statement = parents.of(use)
        if type(use.ctx) is ast.Load:
            continue
        if not isinstance(statement, ast.Assign | ast.AnnAssign):
            return []
        if statement.value is not None:
            values.append(statement.value)
    given = _but_none(values)
    return given if len(given) == 1 else []


def _items(node: ast.Name, context: Context) -> list[ast.expr]:
    """The items that a `for` over a list goes through, for what stands in the loop."""
    parents = context.parents
    function = parents.function(node)
    written = context.written(node.id, function) if function is not None else []
    loop = parents.of(written[0]) if len(written) == 1 else None
    if not isinstance(loop, ast.For) or loop.target is not written[0] or loop not in parents.above(node):
        return []
    items = context.value(loop.iter)
    if isinstance(items, ast.Call) and isinstance(items.func, ast.Attribute) and items.func.attr == "values":
        return _values(items.func.value, None, context)
    return _but_none(items.elts) if isinstance(items, ast.List | ast.Tuple) else []


def _values(table: ast.expr, key: ast.expr | None, context: Context) -> list[ast.expr]:
    """The value of a key in a dictionary, as far as that is known, or else any of its values."""
    found = context.value(table)
    if not isinstance(found, ast.Dict):
        return []
    if not isinstance(key, ast.Constant):
        return _but_none(found.values)
    pairs = zip(found.keys, found.values, strict=True)
    return [value for one, value in pairs if isinstance(one, ast.Constant) and one.value == key.value]


def _but_none(values: list[ast.expr]) -> list[ast.expr]:
    return [value for value in values if not (isinstance(value, ast.Constant) and value.value is None)]
