"""The functions of a file that ask, so that a call of one counts as a question where it stands."""

from __future__ import annotations

import ast

from agentgate.lint.context import Context
from agentgate.lint.finding import DECLARATION
from agentgate.lint.scopes import FUNCTIONS

__all__ = ["asking_calls", "own_function"]

Function = ast.FunctionDef | ast.AsyncFunctionDef


def asking_calls(context: Context) -> dict[ast.Call, list[ast.Call]]:
    """The calls that ask, with the prompts they come to: the prompts themselves, and calls of the functions that
    they stand in."""
    prompts = [call for call, site in context.prompts.items() if site is None or site.finding.code != DECLARATION]
    asks: dict[ast.AST | None, list[ast.Call]] = {}
    for prompt in prompts:
        asks.setdefault(context.parents.function(prompt), []).append(prompt)
    found = {prompt: [prompt] for prompt in prompts}
    named = {function.name for function in asks if isinstance(function, Function)}
    for node in context.sites.source.on_lines_of(named):
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in named:
            function = own_function(node, context)
            if function in asks:
                found.setdefault(node, asks[function])
    return found


def own_function(call: ast.Call, context: Context) -> Function | None:
    """The function of the same file that a call calls: by its bare name, or a method by `self` or `cls`."""
    match call.func:
        case ast.Name(id=name):
            for above in context.parents.above(call):
                if isinstance(above, FUNCTIONS) and context.resolution.scopes[above].is_local(name):
                    return None
            return _defined(context.tree, name)
        case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
            classes = (above for above in context.parents.above(call) if isinstance(above, ast.ClassDef))
            owner = next(classes, None)
            return None if owner is None else _defined(owner, name)
        case _:
            return None


def _defined(owner: ast.Module | ast.ClassDef, name: str) -> Function | None:
    """The one function of this name in the body of a module or class."""
    found = [node for node in owner.body if isinstance(node, Function) and node.name == name]
    return found[0] if len(found) == 1 else None
