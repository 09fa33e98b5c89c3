"""Which names each scope binds, worked out for the scopes that somebody asks about.

The rules are those of the language reference, section 4.2 (naming and binding). Iterative: neither the walk
nor anything that follows depends on how deep the tree is.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

__all__ = ["COMPREHENSIONS", "FUNCTIONS", "Bindings", "ScopeNode", "Scopes", "children", "every_scope", "parameters"]

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension: TypeAlias = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
ScopeNode: TypeAlias = ast.Module | ast.ClassDef | FunctionNode | Comprehension

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# the expressions that hold what an assignment binds
_TARGETS = frozenset((ast.Tuple, ast.List, ast.Starred))


class Bindings(NamedTuple):
    """The names that one scope assigns, and those of them that it declares to be another scope's."""

    bound: set[str]
    globals: set[str]
    nonlocals: set[str]

    def is_local(self, name: str) -> bool:
        """The name is the scope's own."""
        return name in self.bound and name not in self.globals and name not in self.nonlocals


class Scopes(dict[ast.AST, Bindings]):
    """The bindings of the scopes of a module, by the node that opens each: `scopes[node]`.

    text: the source, which tells what does not have to be looked for.
    matters: whether a statement can bind a name that anybody asks about; the others are left out.
    """

    def __init__(self, text: str, matters: Callable[[ast.stmt], bool] = lambda statement: True) -> None:
        super().__init__()
        self._walrus = ":=" in text
        # a scope may declare a name to be another's
        self.declares = "global" in text or "nonlocal" in text
        self._matters = matters

    def __missing__(self, node: ast.AST) -> Bindings:
        found = self[node] = self._bindings(node)
        return found

    def _bindings(self, scope: ast.AST) -> Bindings:
        found = Bindings(set(), set(), set())
        stack = _inside(scope)
        if isinstance(scope, FUNCTIONS):
            found.bound.update(argument.arg for argument in parameters(scope.args))
        elif isinstance(scope, COMPREHENSIONS):
            stack = [generator.target for generator in scope.generators]
        while stack:
            node = stack.pop()
            if type(node) is ast.Name:
                if type(node.ctx) is not ast.Load:
                    found.bound.add(node.id)
            elif self._may_bind(node):
                _bind(node, found)
                stack += _outside(node)
        return found

    def _may_bind(self, node: ast.AST) -> bool:
        """The node, or what is in it, may bind a name that is asked about."""
        if isinstance(node, ast.stmt):
            return self._matters(node)
        return self._walrus or not isinstance(node, ast.expr) or type(node) in _TARGETS


def every_scope(tree: ast.Module, text: str) -> Scopes:
    """The bindings of all scopes of a module. text: its source."""
    scopes = Scopes(text)
    for node in ast.walk(tree):
        if isinstance(node, ScopeNode):
            scopes[node]
    return scopes


def _inside(scope: ast.AST) -> list[ast.AST]:
    """What is run in a scope."""
    body = getattr(scope, "body", None)
    inside = [*body] if isinstance(body, list) else [body] if isinstance(body, ast.AST) else []
    return [*inside, *getattr(scope, "type_params", ())]


def _outside(node: ast.AST) -> list[ast.AST]:
    """The parts of a node that can bind a name in the scope around it."""
    if isinstance(node, FUNCTIONS):
        arguments = node.args
        annotations = (argument.annotation for argument in parameters(arguments))
        parts = (*arguments.defaults, *arguments.kw_defaults, *annotations, getattr(node, "returns", None))
        return [*getattr(node, "decorator_list", ()), *(part for part in parts if part is not None)]
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases, *node.keywords]
    if isinstance(node, COMPREHENSIONS):
        # its variables are its own, but `:=` in it is not
        return [part for part in ast.walk(node) if isinstance(part, ast.NamedExpr)]
    return children(node)


def _bind(node: ast.AST, scope: Bindings) -> None:
    """Note what a node binds that is no Name."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            scope.bound.add(node.name)
        case ast.Import() | ast.ImportFrom():
            for alias in node.names:
                if alias.name != "*":
                    scope.bound.add(alias.asname or alias.name.partition(".")[0])
        case ast.Global():
            scope.globals.update(node.names)
        case ast.Nonlocal():
            scope.nonlocals.update(node.names)
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            scope.bound.add(name)
        case ast.MatchMapping(rest=str(name)):
            scope.bound.add(name)
        case _ if type(node).__name__ in ("TypeVar", "ParamSpec", "TypeVarTuple"):  # nodes of Python 3.12
            scope.bound.add(node.name)  # type: ignore[attr-defined]
        case _:
            pass


# fields that hold no node worth a visit: operators, contexts, and plain values
_PLAIN = frozenset(
    (
        *("arg", "asname", "attr", "conversion", "ctx", "id", "is_async", "kind", "kwd_attrs", "level", "module", "op"),
        *("ops", "rest", "simple", "str", "type_comment", "type_ignores"),
    )
)
# and those that hold nodes only in other kinds of nodes
_PLAIN_IN = {ast.Constant: "value", ast.MatchSingleton: "value", ast.Global: "names", ast.Nonlocal: "names"}


class _Fields(dict[type[ast.AST], tuple[str, ...]]):
    """The other fields, by kind of node."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        # the name of a `type` statement is a node
        plain = {_PLAIN_IN.get(kind), "name" if kind.__name__ != "TypeAlias" else None}
        found = self[kind] = tuple(field for field in kind._fields if field not in _PLAIN and field not in plain)
        return found


_FIELDS = _Fields()


def children(node: ast.AST) -> list[ast.AST]:
    """A node's children, in the order in which they are written; operators and contexts left out."""
    found: list[ast.AST] = []
    for field in _FIELDS[type(node)]:
        value = getattr(node, field, None)
        if type(value) is list:
            found += value
        elif value is not None:
            found.append(value)
    # what stands for `**` in a dict, and for a parameter without a default
    return [child for child in found if child is not None] if None in found else found


def parameters(arguments: ast.arguments) -> list[ast.arg]:
    """All parameters of a function, in order."""
    several = [*arguments.posonlyargs, *arguments.args]
    if arguments.vararg:
        several.append(arguments.vararg)
    several += arguments.kwonlyargs
    if arguments.kwarg:
        several.append(arguments.kwarg)
    return several
