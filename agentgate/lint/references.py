"""A prompt that is used as a value: which of these uses hand it on to somebody who may call it."""

from __future__ import annotations

import ast

from agentgate.lint.scopes import FUNCTIONS
from agentgate.lint.source import Source
from agentgate.lint.tree import Parents

__all__ = ["is_annotation", "is_handed_on", "is_identified"]

# they look at a function and never call it
_INSPECTS = frozenset(
    {"callable", "dir", "getattr", "hasattr", "help", "id", "isinstance", "issubclass", "repr", "signature", "str"}
    | {"type", "update_wrapper", "vars", "wraps"}
)


def is_handed_on(node: ast.expr, parents: Parents, source: Source) -> bool:
    """Whether this use of a prompt, which is no call, may lead to a call elsewhere."""
    parent = parents.of(node)
    match parent:
        case _ if _is_compared(node, parents):
            return False
        case ast.Attribute() | ast.Delete() | ast.Expr() | ast.MatchValue() | ast.ClassDef():
            return False
        case ast.Assert() | ast.UnaryOp() | ast.While() | ast.If():
            return False
        case ast.IfExp():
            return node is not parent.test
        case ast.Assign(targets=[ast.Name()]) if _is_put_back(node, parent, parents, source):
            return False
        case ast.Call():
            return getattr(parent.func, "id", getattr(parent.func, "attr", "")) not in _INSPECTS
        case _:
            return not is_annotation(node, parents)


def is_identified(node: ast.expr, parents: Parents) -> bool:
    """It is told from others by `is`, which no stand-in passes."""
    parent = parents.of(node)
    return isinstance(parent, ast.Compare) and any(isinstance(one, ast.Is | ast.IsNot) for one in parent.ops)


def _is_compared(node: ast.expr, parents: Parents) -> bool:
    """The program asks whether something is this prompt: it compares it, or keeps or looks up something under it."""
    match parents.of(node):
        case ast.Compare() | ast.Subscript() | ast.Set():
            return True
        case ast.Dict(values=values):
            return node not in values
        case ast.DictComp(key=key) | ast.SetComp(elt=key):
            return node is key
        case ast.Tuple() | ast.List() as several:
            return isinstance(parents.of(several), ast.Compare)
        case _:
            return False


def _is_put_back(node: ast.expr, saved: ast.Assign, parents: Parents, source: Source) -> bool:
    """It is only kept to be put back where it was: `saved = pdb.set_trace`, and then `pdb.set_trace = saved`."""
    name, place = saved.targets[0].id, ast.unparse(node)  # type: ignore[attr-defined]
    function = parents.function(saved)
    assert function is not None
    around = source.on_lines_of([name], function)
    reads = [one for one in around if isinstance(one, ast.Name) and one.id == name]
    for read in (one for one in reads if type(one.ctx) is ast.Load):
        put = parents.of(read)
        if not isinstance(put, ast.Assign) or [ast.unparse(target) for target in put.targets] != [place]:
            return False
    return name != place and any(type(one.ctx) is ast.Load for one in reads)


def is_annotation(node: ast.expr, parents: Parents) -> bool:
    """The expression stands in an annotation, which only describes."""
    child: ast.AST = node
    for above in parents.above(node):
        if isinstance(above, ast.arg) or (isinstance(above, ast.AnnAssign) and child is above.annotation):
            return True
        if isinstance(above, FUNCTIONS) and not isinstance(above, ast.Lambda) and child is above.returns:
            return True
        if isinstance(above, ast.stmt):
            return False
        child = above
    return False
