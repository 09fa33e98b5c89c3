"""AG202: a handler, a `finally` or a `suppress` around a prompt that throws its stop away."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate.lint.context import Context
from agentgate.lint.index import SUPPRESS
from agentgate.lint.scopes import FUNCTIONS, children
from agentgate.lint.sites import Reported, Site

__all__ = ["find"]

CODE = "AG202"
# a stop is a SystemExit
_CATCHES = frozenset({"SystemExit", "BaseException"})
_LOOPS = (ast.While, ast.For, ast.AsyncFor)
_LEAVES = frozenset({"exit", "_exit", "abort", "quit", "fail", "kill"})


def find(context: Context) -> Iterator[Site | None]:
    """Each such place once, however many prompts stand inside it."""
    seen: set[ast.AST] = set()
    for prompt in context.prompts:
        child: ast.AST = prompt
        for above in context.parents.above(prompt):
            if isinstance(above, (*FUNCTIONS, ast.ClassDef)):
                break
            for place, shown in _swallows(above, child, context):
                if place not in seen:
                    seen.add(place)
                    yield context.sites.report(place, CODE, "stop", shown)
            child = above


def _swallows(node: ast.AST, child: ast.AST, context: Context) -> Iterator[tuple[Reported, str]]:
    """What of a statement throws away the stop of what stands in this child of it."""
    if isinstance(node, ast.With | ast.AsyncWith) and child in node.body:
        for item in node.items:
            call = item.context_expr
            if isinstance(call, ast.Call) and context.name(call.func) == SUPPRESS and any(map(_catches, call.args)):
                yield call, ast.unparse(call)
    elif isinstance(node, ast.Try | ast.TryStar):
        if child in node.body:
            handler = next((one for one in node.handlers if one.type is None or _catches(one.type)), None)
            if handler is not None and not _goes_on_out(handler.body):
                shown = "except" if handler.type is None else f"except {ast.unparse(handler.type)}"
                yield handler, f"{shown}:"
        if child not in node.finalbody:
            leaving = _leaving(node.finalbody)
            if leaving is not None:
                yield leaving, f"{type(leaving).__name__.lower()} in finally"


def _catches(exception: ast.expr) -> bool:
    several = exception.elts if isinstance(exception, ast.Tuple) else [exception]
    return any(getattr(one, "id", getattr(one, "attr", "")) in _CATCHES for one in several)


def _goes_on_out(body: list[ast.stmt]) -> bool:
    """The handler raises, or ends the process, somewhere."""
    stack: list[ast.AST] = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Raise):
            return True
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in _LEAVES:
            return True
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            stack += children(node)
    return False


def _leaving(body: list[ast.stmt]) -> ast.stmt | None:
    """The `return`, `break` or `continue` that leaves this block."""
    stack: list[tuple[ast.AST, bool]] = [(statement, False) for statement in reversed(body)]
    while stack:
        node, in_loop = stack.pop()
        if isinstance(node, ast.Return) or (isinstance(node, ast.Break | ast.Continue) and not in_loop):
            return node
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            inside = in_loop or isinstance(node, _LOOPS)
            stack += [(part, inside) for part in reversed(children(node))]
    return None
