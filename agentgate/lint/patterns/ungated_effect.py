"""AG201: a command that destroys something without a go-ahead, or though it is declared to read only."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate.lint.context import Context
from agentgate.lint.effects import effects
from agentgate.lint.known import CONSENT, DECLARATION
from agentgate.lint.scopes import FUNCTIONS
from agentgate.lint.sites import Site
from agentgate.lint.tree import place

__all__ = ["find"]

CODE = "AG201"
READ_ONLY = "read_only"
SAYS = 'is declared `@effects("read_only")`'


def find(context: Context) -> Iterator[Site | None]:
    """The destructive calls in the handlers of commands with no question and no consent before them."""
    asked: list[ast.Call] = [
        call for call, site in context.prompts.items() if site is None or site.finding.kind == "confirm"
    ]
    asked += [call for call, _ in context.calls(CONSENT)]
    for call, name, effect in effects(context):
        function = context.parents.function(call)
        if not effect.destroys or not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        declared = _declared(function, context)
        if declared == READ_ONLY:
            yield context.sites.report(call.func, CODE, "effect", name, text=f"`{name}` in a command that {SAYS}")
            continue
        if declared is None and not _is_handler(function, context):
            continue
        if not any(context.parents.function(one) is function and place(one) < place(call) for one in asked):
            yield context.sites.report(call.func, CODE, "effect", name)


def _declared(function: ast.FunctionDef | ast.AsyncFunctionDef, context: Context) -> str | None:
    """What `@effects(…)` says of a handler; None without one, empty where it says nothing to read."""
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and context.name(decorator.func) == DECLARATION:
            given = [*decorator.args, *(one.value for one in decorator.keywords if one.arg == "kind")]
            first = given[0] if given else None
            return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""
    return None


def _is_handler(function: ast.FunctionDef | ast.AsyncFunctionDef, context: Context) -> bool:
    """A framework calls the function for a command: its decorator says so, or its name in its class."""
    for decorator in function.decorator_list:
        named = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(named, ast.Attribute) and named.attr in context.known.decorators:
            return True
        if isinstance(named, ast.Name) and named.id in context.known.decorators_bare:
            return True
    owner = context.parents.of(function)
    return (
        isinstance(owner, ast.ClassDef)
        and function.name in context.known.methods
        and (not any(isinstance(above, FUNCTIONS) for above in context.parents.above(owner)))
    )
