"""What values a parameter of click or typer takes: click says it by type objects, newer typer by annotations."""

from __future__ import annotations

import math
from enum import Enum
from pathlib import PurePath
from typing import Any, Literal, NamedTuple, get_args, get_origin

from .said import choices, said, text

__all__ = ["ValueType", "value_type"]

_TYPES = {"integer": "integer", "integer range": "integer", "float": "number", "float range": "number"}
_PATHS = ("path", "file", "filename", "directory")
_ANNOTATIONS = {int: "integer", float: "number", bool: "boolean"}


class ValueType(NamedTuple):
    """type: as JSON Schema calls it. choices: all values there are, if they are few."""

    type: str = "string"
    choices: tuple[Any, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    is_path: bool = False


def value_type(parameter: Any) -> ValueType:
    """The type of one value of a parameter."""
    if hasattr(parameter, "type"):
        return _of_object(parameter.type)
    descriptor = getattr(parameter, "type_descriptor", None)
    found = _of_annotation(getattr(descriptor, "annotation", str))
    return found._replace(
        minimum=_number(getattr(parameter, "min", None)),
        maximum=_number(getattr(parameter, "max", None)),
        is_path=found.is_path or bool(getattr(descriptor, "is_file", False)),
    )


def _of_object(kind: Any) -> ValueType:
    name = said(lambda: text(kind.name), "text")
    parts: tuple[Any, ...] = said(lambda: tuple(kind.types), ())  # a tuple's
    if parts:
        return _common([_of_object(one) for one in parts])
    return ValueType(
        "boolean" if name == "boolean" else _TYPES.get(name, "string"),
        tuple(one.name if isinstance(one, Enum) else one for one in choices(said(lambda: kind.choices, None))),
        _number(said(lambda: kind.min, None)),
        _number(said(lambda: kind.max, None)),
        name in _PATHS,
    )


def _of_annotation(annotation: Any) -> ValueType:
    within = get_args(annotation)
    if get_origin(annotation) is Literal:
        return ValueType(choices=within)
    if within:  # a list or a tuple; an optional value
        return _common([_of_annotation(one) for one in within if one is not type(None) and one is not ...])
    if not isinstance(annotation, type):
        return ValueType()
    if issubclass(annotation, Enum):
        return ValueType(choices=tuple(one.value for one in annotation))
    return ValueType(_ANNOTATIONS.get(annotation, "string"), is_path=issubclass(annotation, PurePath))


def _common(parts: list[ValueType]) -> ValueType:
    """The type of all values of a tuple, where they have one."""
    return parts[0] if parts and all(one == parts[0] for one in parts) else ValueType()


def _number(value: Any) -> float | None:
    """A limit, as far as JSON Schema can say it."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    return value if is_number else None
