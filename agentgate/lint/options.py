"""What click and typer make of an option that is declared: its value's name, its flag, whether it is a yes or no."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from agentgate.catalog import Prompt
from agentgate.lint.tree import Parents

__all__ = ["Option", "declared"]


class Option(NamedTuple):
    """One declared option. name, flag: None when only the run can tell. truth: it is given without a value."""

    name: str | None
    flag: str | None
    truth: bool


def declared(call: ast.Call, prompt: Prompt, parents: Parents) -> Option:
    """The option that a declaration makes."""
    texts = [one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    if not call.args and prompt.flag_default is not None:
        texts = [prompt.flag_default]
    flags = [first for first in (text.partition("/")[0].strip() for text in texts) if first.startswith("-")]
    parameter = _parameter(call, parents)
    if parameter is not None:
        name: str | None = parameter.arg
        flags = flags or ["--" + parameter.arg.replace("_", "-")]
    else:
        name = next(filter(str.isidentifier, texts), None) or _name_of(flags)
    truth = any("/" in text for text in texts) or (parameter is not None and _type_of(parameter) == "bool")
    return Option(name, max(flags, key=len, default=None), truth)


def _name_of(flags: Sequence[str]) -> str | None:
    """The name that click makes of the first flag, of the first long one where there is one."""
    first = next((flag for flag in flags if flag.startswith("--")), next(iter(flags), None))
    return None if first is None else first.lstrip("-").replace("-", "_").lower()


def _type_of(parameter: ast.arg) -> str | None:
    """The name of a parameter's type, also inside of `Annotated`."""
    match parameter.annotation:
        case ast.Subscript(
            value=ast.Name(id="Annotated") | ast.Attribute(attr="Annotated"),
            slice=ast.Tuple(elts=[ast.Name(id=name), *_]),
        ):
            return name
        case ast.Name(id=name):
            return name
        case _:
            return None


def _parameter(call: ast.Call, parents: Parents) -> ast.arg | None:
    """The parameter that typer makes an option of: the declaration is its default, or stands in its annotation."""
    child: ast.AST = call
    for above in parents.above(call):
        if isinstance(above, ast.arg):
            return above
        if isinstance(above, ast.arguments):
            several = [*above.posonlyargs, *above.args]
            defaults = [*zip(reversed(several), reversed(above.defaults), strict=False)]
            defaults += [(one, given) for one, given in zip(above.kwonlyargs, above.kw_defaults, strict=True) if given]
            return next((parameter for parameter, given in defaults if given is child), None)
        if isinstance(above, ast.stmt):
            return None
        child = above
    return None
