"""What a call asks for: the catalog's kind, unless the call itself tells more.

The run decides the same way from the same words (`agentgate.label`). Where it could not know, because only the
code around the call tells, the codemod writes a hint.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from agentgate import label as words
from agentgate.catalog import Prompt
from agentgate.lint.answers import compared
from agentgate.lint.arguments import argument, is_given, is_true
from agentgate.lint.labels import HOLE
from agentgate.lint.options import declared
from agentgate.lint.tree import Parents

__all__ = ["Asked", "asked"]


class Asked(NamedTuple):
    """A call's kind, and the hints that its gate needs: (keyword, text), in the order to write them."""

    kind: str
    hints: tuple[tuple[str, str], ...] = ()


def asked(call: ast.Call, prompt: Prompt, label: str | None, parents: Parents, *, own: bool = False) -> Asked:
    """What a call of a prompt asks for. own: the project declared it, so its kind is what the project says."""
    if is_true(call, prompt, prompt.secret):
        return Asked("secret")
    if prompt.declares:
        truth = is_true(call, prompt, prompt.confirm) or declared(call, prompt, parents).truth
        return Asked("confirm" if truth else "choice" if _offers_choices(call, prompt) else prompt.kind)
    if prompt.kind == "text":
        return _text(call, prompt, label, parents, own=own)
    if prompt.kind == "key" and _is_thrown_away(call, parents):
        return Asked("pause", (("kind", "pause"),))
    return Asked(prompt.kind)


def _text(call: ast.Call, prompt: Prompt, label: str | None, parents: Parents, *, own: bool) -> Asked:
    """A text prompt takes any answer, so people use it for all kinds of questions."""
    told = words.yes_no(label) if label is not None else None
    seen = compared(call, parents)
    if seen is not None:
        known = told is not None and seen.takes(told.yes)
        return Asked("confirm", () if known else (("yes", seen.yes),))
    if told is not None:
        return Asked("confirm")
    if _offers_choices(call, prompt):
        return Asked("choice")
    if label is not None and words.is_pause(label.replace(HOLE, "")):
        return Asked("pause")
    # only a prompt that takes an empty line as it is can be a mere pause
    if prompt.strategy == "value" and not own and _is_thrown_away(call, parents):
        return Asked("pause", (("kind", "pause"),))
    return Asked("text")


def _is_thrown_away(call: ast.Call, parents: Parents) -> bool:
    return isinstance(parents.of(call), ast.Expr)


def _offers_choices(call: ast.Call, prompt: Prompt) -> bool:
    parameter, _, attribute = (prompt.choices or "").partition(".")
    if not attribute:
        return bool(parameter) and is_given(call, prompt, parameter)
    # the choices are an attribute of the parameter's value: seen when that is made of a list right here
    value = argument(call, prompt, parameter)
    return isinstance(value, ast.Call) and bool(value.args) and isinstance(value.args[0], ast.List | ast.Tuple)
