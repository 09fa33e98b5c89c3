"""`--json=a,b` and `--json=`: some fields of what a command returns, and which there are."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, get_args, get_origin, get_type_hints, is_typeddict

__all__ = ["declared", "missing", "names", "select"]


def select(data: Any, fields: tuple[str, ...]) -> Any:
    """Only these fields: of an object, or of each object in a list. A name that nothing has is left out."""
    if isinstance(data, list):
        return [select(one, fields) for one in data]
    if not isinstance(data, dict):
        return data
    return {name: data[name] for name in fields if name in data}


def names(data: Any) -> list[str]:
    """The fields that an object has, or that the objects of a list have."""
    if isinstance(data, dict):
        return list(map(str, data))
    objects = [one for one in data if isinstance(one, dict)] if isinstance(data, list) else []
    return list(dict.fromkeys(str(name) for one in objects for name in one))


def missing(data: Any, fields: tuple[str, ...]) -> list[str]:
    """The fields that were asked for and that nothing has."""
    has = names(data)
    return [name for name in fields if name not in has] if has else []


def declared(handler: Callable[..., Any] | None) -> list[str]:
    """The fields that a handler's return annotation promises: of a TypedDict, dataclass or model, or a list of them."""
    try:
        kind = get_type_hints(handler).get("return") if handler else None
    except (NameError, TypeError):  # an annotation of what is imported for type checkers only
        return []
    if get_origin(kind) is list:
        kind = get_args(kind)[0]
    if dataclasses.is_dataclass(kind):
        return [one.name for one in dataclasses.fields(kind)]
    return list(kind.__annotations__) if is_typeddict(kind) else list(getattr(kind, "model_fields", ()))
