"""Calls that change the world outside the program (`lint_rules/known-effects.toml`)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate.lint.context import Context
from agentgate.lint.known import Effect

__all__ = ["effects"]


def effects(context: Context) -> Iterator[tuple[ast.Call, str, Effect]]:
    """The calls of a file that have an effect which a second run would have again."""
    for call, name in context.calls(context.known.effects):
        effect = context.known.effects[name]
        keywords = {keyword.arg: keyword.value for keyword in call.keywords}
        if any(_is_true(keywords.get(word)) for word in effect.idempotent):
            continue
        if effect.modes and not _writes(call, keywords, effect.modes):
            continue
        yield call, name, effect


def _writes(call: ast.Call, keywords: dict[str | None, ast.expr], modes: str) -> bool:
    """A mode that is written as a literal opens the file for writing."""
    position = 0 if isinstance(call.func, ast.Attribute) and len(call.args) == 1 else 1
    mode = keywords.get("mode") or (call.args[position] if len(call.args) > position else None)
    return (
        isinstance(mode, ast.Constant)
        and isinstance(mode.value, str)
        and bool(set(mode.value) & set(modes))
        and (set(mode.value) <= set("rwaxbt+U"))
    )


def _is_true(node: ast.expr | None) -> bool:
    return node is not None and not (isinstance(node, ast.Constant) and not node.value)
