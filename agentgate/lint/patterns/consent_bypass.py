"""AG203: an option such as `--yes` or `--force` that is taken in place of a yes/no question."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate.lint.context import Context
from agentgate.lint.scopes import FUNCTIONS
from agentgate.lint.sites import Site

__all__ = ["find"]

CODE = "AG203"
_BLOCKS = (ast.For, ast.AsyncFor, ast.While, ast.Try, ast.TryStar)


def find(context: Context) -> Iterator[Site | None]:
    """The tests that skip a question for such an option, each once."""
    seen: set[ast.expr] = set()
    for prompt, site in context.prompts.items():
        if site is None or site.finding.kind != "confirm":
            continue
        if site.finding.code == "AG104":
            # gated or not, the declaration itself is the option that answers: it only confirms, or is called so
            declaration = prompt.func.args[0] if prompt.func in context.resolution.gates else prompt.func
            found = context.resolution.uses.get(declaration)
            confirms = found is not None and found.kind == "confirm"
            if confirms or site.finding.name in context.known.questions.bypass:
                yield context.sites.report(declaration, CODE, "confirm", site.finding.call)
            continue
        for option in _options(prompt, context):
            if option not in seen:
                seen.add(option)
                yield context.sites.report(option, CODE, "confirm", ast.unparse(option))


def _options(prompt: ast.Call, context: Context) -> Iterator[ast.expr]:
    """The options that decide, in the same function, whether this question is asked."""
    child: ast.AST = prompt
    nearest = True
    for above in context.parents.above(prompt):
        if isinstance(above, (*FUNCTIONS, ast.ClassDef)):
            return
        if isinstance(above, ast.BoolOp):
            at = above.values.index(child) if child in above.values else 0
            positive = isinstance(above.op, ast.Or)
            for value in above.values[:at]:
                yield from _deciding(value, positive, context)
        elif isinstance(above, ast.If | ast.IfExp) and child is not above.test:
            body = above.body if isinstance(above.body, list) else [above.body]
            skips = child not in body
            for option in _deciding(above.test, skips, context):
                # far inside a block that only runs interactively a question is one of many
                if nearest or _option_name(option) in context.known.questions.bypass:
                    yield option
            nearest = False
        elif isinstance(above, _BLOCKS):
            nearest = False
        child = above


def _deciding(test: ast.expr, skips: bool, context: Context) -> Iterator[ast.expr]:
    """The options in a test that, when it is true, skips the question (`skips`), or is needed for it."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _deciding(operand, not skips, context)
        case ast.BoolOp(op=operator, values=values) if skips or isinstance(operator, ast.And):
            for value in values:
                yield from _deciding(value, skips, context)
        case ast.Name() | ast.Attribute() | ast.Subscript() | ast.Call():
            names = context.known.questions.bypass if skips else context.known.questions.asking
            if _option_name(test) in names and _comes_from_outside(test, context):
                yield test


def _option_name(node: ast.expr) -> str | None:
    """`yes`, `args.yes`, `options["yes"]`, `options["--yes"]`, `options.get("yes")`."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(slice=ast.Constant(value=str(name))):
            return name.lstrip("-").replace("-", "_")
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str(name)), *_]):
            return name.lstrip("-").replace("-", "_")
        case _:
            return None


def _comes_from_outside(node: ast.expr, context: Context) -> bool:
    """It is a parameter, or an attribute or item of something; a local variable may be anything."""
    if not isinstance(node, ast.Name):
        return True
    function = context.parents.function(node)
    if function is None or node.id not in context.resolution.scopes[function].bound:
        return True
    value = context.value(node)
    return value is node or _option_name(value) is not None
