"""Strings: plain ones, joined ones, and those with expressions in them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import libcst as cst

from agentgate.lint.newer import nodes

if TYPE_CHECKING:
    from agentgate.lint.newer.expressions import Expressions

__all__ = ["string"]


def string(node: cst.BaseString, expressions: Expressions) -> ast.expr:
    """What `ast` makes of a string: one constant, or the parts of an f-string or a t-string."""
    parts = _flat(node)
    if all(isinstance(part, cst.SimpleString) for part in parts):
        values = [ast.literal_eval(part.value) for part in parts]  # type: ignore[attr-defined,unused-ignore]
        joined = b"".join(values) if isinstance(values[0], bytes) else "".join(values)
        return ast.Constant(joined, "u" if str(parts[0].value)[0] == "u" else None)  # type: ignore[attr-defined,unused-ignore]
    template = any(type(part).__name__ == "TemplatedString" for part in parts)
    values = _merged([value for part in parts for value in _values(part, expressions)], expressions)
    return nodes.TemplateStr(values) if template else ast.JoinedStr(values)  # type: ignore[no-any-return,unused-ignore]


def _flat(node: cst.BaseString) -> list[cst.BaseString]:
    found: list[cst.BaseString] = []
    while isinstance(node, cst.ConcatenatedString):
        found.append(node.left)
        node = node.right
    return [*found, node]


def _values(node: Any, expressions: Expressions) -> list[ast.expr]:
    if isinstance(node, cst.SimpleString):
        return [expressions.places.put(ast.Constant(ast.literal_eval(node.value)), node)]
    prefix = node.start.rstrip("'\"")
    quote = node.start[len(prefix) :]
    plain = prefix.translate({ord(letter): None for letter in "fFtT"})
    return _parts(node.parts, lambda text: _decoded(text, plain, quote), expressions)


def _decoded(text: str, prefix: str, quote: str) -> str:
    """A text between the braces: escapes are read as in a plain string, doubled braces are one.

    A space keeps a backslash or a quote before a brace from the quotes that are put there.
    """
    value: str = ast.literal_eval(f"{prefix}{quote}{text.replace('{{', '{').replace('}}', '}')} {quote}")
    return value[:-1]


def _parts(parts: Any, decoded: Callable[[str], str], expressions: Expressions) -> list[ast.expr]:
    found: list[ast.expr] = []
    for part in parts:
        if type(part).__name__.endswith("StringText"):
            found.append(expressions.places.put(ast.Constant(decoded(part.value)), part))
            continue
        inner = part.expression
        shown = part.equal is not None
        value = expressions(inner)
        spec: ast.expr | None = None
        if part.format_spec is not None:
            spec = expressions.places.put(
                ast.JoinedStr(_merged(_parts(part.format_spec, decoded, expressions), expressions)), part
            )
        conversion = ord(part.conversion) if part.conversion else (ord("r") if shown and spec is None else -1)
        if shown:
            # `{x = }` writes its own source down before the value
            text = expressions.places.text(part)
            text = (
                text[1 : text.rindex("=") + 1] if spec is None and not part.conversion else _before(part, expressions)
            )
            text += part.equal.whitespace_after.value if hasattr(part.equal.whitespace_after, "value") else ""
            found.append(expressions.places.put(ast.Constant(text), part))
        if type(part).__name__.startswith("Templated"):
            new = nodes.Interpolation(value, expressions.places.text(inner), conversion, spec)
        else:
            new = ast.FormattedValue(value, conversion, spec)
        found.append(expressions.places.put(new, part))
    return found


def _before(part: Any, expressions: Expressions) -> str:
    whole = expressions.places.text(part)[1:]
    inner = expressions.places.text(part.expression)
    return whole[: whole.index("=", whole.index(inner) + len(inner)) + 1]


def _merged(values: list[ast.expr], expressions: Expressions) -> list[ast.expr]:
    """Constants side by side are one, and an empty one is none."""
    found: list[ast.expr] = []
    for value in values:
        last = found[-1] if found else None
        if isinstance(value, ast.Constant) and isinstance(last, ast.Constant):
            joined = ast.Constant(str(last.value) + str(value.value))
            found[-1] = expressions.places.span(joined, last, value)
        elif not isinstance(value, ast.Constant) or value.value:
            found.append(value)
    return found
