"""The arguments of a call, by the names that the catalog gives the parameters."""

from __future__ import annotations

import ast

from agentgate.catalog import Prompt

__all__ = ["argument", "is_given", "is_true", "may_prompt"]


def argument(call: ast.Call, prompt: Prompt, name: str | None) -> ast.expr | None:
    """The expression given for a parameter; None when it is left out, or hidden in `*args` or `**kwargs`."""
    if name is None:
        return None
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    if name in prompt.args:
        position = prompt.args.index(name)
        before = call.args[: position + 1]
        if len(before) > position and not any(isinstance(part, ast.Starred) for part in before):
            return before[position]
    return None


def is_given(call: ast.Call, prompt: Prompt, name: str | None) -> bool:
    """The parameter is given, and not as `None`."""
    value = argument(call, prompt, name)
    return value is not None and not (isinstance(value, ast.Constant) and value.value is None)


def is_true(call: ast.Call, prompt: Prompt, name: str | None) -> bool:
    """The parameter is given as a literal that is true."""
    value = argument(call, prompt, name)
    return isinstance(value, ast.Constant) and bool(value.value)


def may_prompt(call: ast.Call, prompt: Prompt) -> bool:
    """Whether this call can ask: a declaration only with its parameter, no prompt on a stream of its own."""
    if is_given(call, prompt, prompt.unless):
        return False
    condition = prompt.prompts_when
    if condition is None:
        return True
    value = argument(call, prompt, condition.param)
    if value is None:
        return condition.default or any(keyword.arg is None for keyword in call.keywords)
    return not isinstance(value, ast.Constant) or bool(value.value)
