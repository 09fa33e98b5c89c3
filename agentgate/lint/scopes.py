"""Which names each scope binds: one walk over the tree, before any of it is interpreted.

The same walk tells whether it is worth interpreting at all: nearly every file that uses the name of a builtin
prompt means a parameter or a variable of its own.

The rules are those of the language reference, section 4.2 (naming and binding). Iterative: neither the walk
nor anything that follows depends on how deep the tree is.
"""

from __future__ import annotations

import ast
from typing import NamedTuple, TypeAlias

from agentgate.lint.index import Index

__all__ = ["COMPREHENSIONS", "FUNCTIONS", "Bindings", "Scan", "ScopeNode", "children", "parameters", "scan"]

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension: TypeAlias = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
ScopeNode: TypeAlias = ast.Module | ast.ClassDef | FunctionNode | Comprehension

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Bindings(NamedTuple):
    """The names that one scope assigns, and those of them that it declares to be another scope's."""

    bound: set[str]
    globals: set[str]
    nonlocals: set[str]

    def is_local(self, name: str) -> bool:
        """The name is the scope's own."""
        return name in self.bound and name not in self.globals and name not in self.nonlocals


class Scan(NamedTuple):
    """The scopes of a module, by the node that opens each; relevant: some name may lead to a prompt."""

    bindings: dict[ast.AST, Bindings]
    relevant: bool


class _Found(NamedTuple):
    """Where a name counts that is bound here: `walrus` skips comprehensions."""

    scope: Bindings
    walrus: Bindings


def scan(tree: ast.Module, index: Index) -> Scan:
    """The bindings of every scope in a module."""
    found: dict[ast.AST, Bindings] = {}
    imported = False
    reads: list[tuple[Bindings, str]] = []

    def opened(node: ast.AST) -> Bindings:
        return found.setdefault(node, Bindings(set(), set(), set()))

    module = opened(tree)
    stack: list[tuple[ast.AST, _Found]] = [(tree, _Found(module, module))]
    while stack:
        node, here = stack.pop()
        scope = here.scope
        kind = type(node)
        if kind is ast.Name:
            if type(node.ctx) is not ast.Load:  # type: ignore[attr-defined]
                scope.bound.add(node.id)  # type: ignore[attr-defined]
            elif node.id in index.builtins:  # type: ignore[attr-defined]
                reads.append((scope, node.id))  # type: ignore[attr-defined]
            continue
        if kind is ast.Constant:
            continue
        if kind is ast.Attribute:
            stack.append((node.value, here))  # type: ignore[attr-defined]
            continue
        if isinstance(node, FUNCTIONS):
            inner = opened(node)
            if not isinstance(node, ast.Lambda):
                scope.bound.add(node.name)
                stack.extend((decorator, here) for decorator in node.decorator_list)
                if node.returns is not None:
                    stack.append((node.returns, here))
            for argument in parameters(node.args):
                inner.bound.add(argument.arg)
                if argument.annotation is not None:
                    stack.append((argument.annotation, here))
            stack.extend((default, here) for default in (*node.args.defaults, *node.args.kw_defaults) if default)
            inside = _Found(inner, inner)
            body: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(node.body)
            stack.extend((child, inside) for child in (*body, *getattr(node, "type_params", ())))
        elif isinstance(node, ast.ClassDef):
            scope.bound.add(node.name)
            inner = opened(node)
            inside = _Found(inner, inner)
            stack.extend((child, here) for child in (*node.decorator_list, *node.bases, *node.keywords))
            stack.extend((child, inside) for child in (*node.body, *getattr(node, "type_params", ())))
        elif isinstance(node, COMPREHENSIONS):
            inside = _Found(opened(node), here.walrus)
            for number, generator in enumerate(node.generators):
                stack.append((generator.target, inside))
                stack.append((generator.iter, inside if number else here))
                stack.extend((test, inside) for test in generator.ifs)
            values = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
            stack.extend((value, inside) for value in values)
        elif isinstance(node, ast.NamedExpr):
            here.walrus.bound.add(node.target.id)
            stack.append((node.value, here))
        else:
            imported = imported or _imports_from(node, index)
            _bind(node, scope)
            stack.extend((child, here) for child in children(node))
    of_functions = {id(bound) for node, bound in found.items() if isinstance(node, FUNCTIONS)}
    return Scan(
        found, imported or any(not (id(scope) in of_functions and scope.is_local(name)) for scope, name in reads)
    )


def _imports_from(node: ast.AST, index: Index) -> bool:
    if isinstance(node, ast.Import):
        return any(alias.name.partition(".")[0] in index.roots for alias in node.names)
    return isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in index.roots


def _bind(node: ast.AST, scope: Bindings) -> None:
    """Note what a node binds that is no Name."""
    match node:
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


def children(node: ast.AST) -> list[ast.AST]:
    """A node's children, in the order in which they are written; operators and contexts left out."""
    found: list[ast.AST] = []
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(value, ast.AST):
            if value._fields:
                found.append(value)
        elif isinstance(value, list):
            found.extend(item for item in value if isinstance(item, ast.AST))
    return found


def parameters(arguments: ast.arguments) -> list[ast.arg]:
    """All parameters of a function, in order."""
    several = [*arguments.posonlyargs, *arguments.args]
    if arguments.vararg:
        several.append(arguments.vararg)
    several += arguments.kwonlyargs
    if arguments.kwarg:
        several.append(arguments.kwarg)
    return several
