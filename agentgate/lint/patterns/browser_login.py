"""AG109: a page is opened in a browser, and the same function then waits for what a person does there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate.lint.context import Context
from agentgate.lint.scopes import FUNCTIONS, children
from agentgate.lint.sites import Site
from agentgate.lint.tree import place

__all__ = ["find"]

CODE = "AG109"
_LOOPS = (ast.While, ast.For, ast.AsyncFor)


def find(context: Context, opened: list[tuple[ast.Call, str]]) -> Iterator[Site | None]:
    """The logins that are waited for, and the servers that wait for the browser. opened: calls that open a page."""
    servers: set[ast.Call] = set()
    for call, name in opened:
        waits = [wait for wait in _waits(call, context) if place(wait) > place(call)]
        if not waits:
            continue
        text = f"`{name}` opens a page in a browser, and the program then waits for a person"
        yield context.sites.report(call.func, CODE, "secret", name, text=text)
        servers.update(wait for wait in waits if _method(wait) in context.known.questions.servers)
    for server in sorted(servers, key=place):
        shown = ast.unparse(server.func)
        text = f"`{shown}` waits for a person to be done in the browser"
        yield context.sites.report(server.func, CODE, "secret", shown, text=text)


def _waits(call: ast.Call, context: Context) -> Iterator[ast.Call]:
    """The calls of the same function that wait for somebody."""
    function = context.parents.function(call)
    stack = children(function) if function is not None else []
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Call) and _is_wait(node, context):
            yield node
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            stack += children(node)


def _is_wait(call: ast.Call, context: Context) -> bool:
    questions = context.known.questions
    if isinstance(call.func, ast.Attribute):
        bare = not call.args and not isinstance(call.func.value, ast.Constant)
        if call.func.attr in questions.waits or (bare and call.func.attr in questions.waits_bare):
            return True
    return call in context.prompts or (context.name(call.func) in questions.sleeps and _in_loop(call, context))


def _method(call: ast.Call) -> str | None:
    return call.func.attr if isinstance(call.func, ast.Attribute) else None


def _in_loop(node: ast.AST, context: Context) -> bool:
    for above in context.parents.above(node):
        if isinstance(above, (*FUNCTIONS, ast.ClassDef)):
            return False
        if isinstance(above, _LOOPS):
            return True
    return False
