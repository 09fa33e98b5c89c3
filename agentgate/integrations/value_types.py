"""What values a parameter of click or typer takes: click says it by type objects, newer typer by annotations."""

from __future__ import annotations

from enum import Enum
from pathlib import PurePath
from typing import Any, Literal, NamedTuple, get_args, get_origin

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
    annotation = parameter.type_descriptor.annotation
    found = _of_annotation(annotation)
    return found._replace(
        minimum=getattr(parameter, "min", None),
        maximum=getattr(parameter, "max", None),
        is_path=found.is_path or getattr(parameter.type_descriptor, "is_file", False),
    )


def _of_object(kind: Any) -> ValueType:
    name = getattr(kind, "name", "text")
    return ValueType(
        "boolean" if name == "boolean" else _TYPES.get(name, "string"),
        tuple(getattr(one, "name", one) for one in getattr(kind, "choices", None) or ()),
        getattr(kind, "min", None),
        getattr(kind, "max", None),
        name in _PATHS,
    )


def _of_annotation(annotation: Any) -> ValueType:
    if get_origin(annotation) is Literal:
        return ValueType(choices=get_args(annotation))
    if get_origin(annotation) in (list, tuple):
        return _of_annotation(get_args(annotation)[0])
    if not isinstance(annotation, type):
        return ValueType()
    if issubclass(annotation, Enum):
        return ValueType(choices=tuple(one.value for one in annotation))
    return ValueType(_ANNOTATIONS.get(annotation, "string"), is_path=issubclass(annotation, PurePath))
