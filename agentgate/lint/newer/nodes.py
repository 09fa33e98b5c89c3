"""The nodes of newer Pythons' `ast`, by the classes of the running one or by stand-ins of the same name and fields."""

from __future__ import annotations

import ast
from typing import Any

__all__ = ["Interpolation", "ParamSpec", "TemplateStr", "TypeAlias", "TypeVar", "TypeVarTuple"]


def _node(name: str, base: type[ast.AST], *fields: str) -> Any:
    found: Any = getattr(ast, name, base)
    if set(fields) <= set(found._fields):
        return found
    return type(name, (found,), {"_fields": fields, "__module__": __name__})


TypeAlias = _node("TypeAlias", ast.stmt, "name", "type_params", "value")
TypeVar = _node("TypeVar", ast.AST, "name", "bound", "default_value")
ParamSpec = _node("ParamSpec", ast.AST, "name", "default_value")
TypeVarTuple = _node("TypeVarTuple", ast.AST, "name", "default_value")
TemplateStr = _node("TemplateStr", ast.expr, "values")
Interpolation = _node("Interpolation", ast.expr, "value", "str", "conversion", "format_spec")
