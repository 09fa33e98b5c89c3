"""The resolver: which expressions of a module may be a prompt.

A small flow-sensitive abstract interpreter. Module and class bodies run in order, branches are joined where
they meet; functions run when their module is done, and see its final names. Works on `ast` nodes only,
whatever reader made them.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from agentgate.catalog import Prompt
from agentgate.lint.evaluate import Deferred
from agentgate.lint.facts import Facts
from agentgate.lint.flow import Flow, drive
from agentgate.lint.index import Index
from agentgate.lint.interest import Interest
from agentgate.lint.names import Names, Outside
from agentgate.lint.scope import Kind, Scope
from agentgate.lint.scopes import Scopes
from agentgate.lint.source import Source
from agentgate.lint.values import NOT_BOUND, Instance, LocalClass, Ref, Value, Values, matter

__all__ = ["Resolution", "exports", "held", "resolve"]

# enough for any chain of names and facts met in practice; a pass looks at the lines that matter, and at no others
MAX_PASSES = 20


class Resolution(NamedTuple):
    """What the resolver found.

    uses: every expression that may be a prompt, and which.
    named: the qualified name of every other expression that matters. gates: calls of our own `gate`.
    scopes: the names of every scope. lines: those on which anything stands that may lead to one of these.
    depends: the other files that were read for it.
    exports: the names of the module that hold something of interest when it has been imported.
    """

    uses: dict[ast.expr, Prompt]
    named: dict[ast.expr, str]
    gates: frozenset[ast.Call]
    scopes: Scopes
    lines: Sequence[int]
    depends: tuple[str, ...]
    exports: dict[str, Values]


def resolve(source: Source, index: Index, outside: Outside | None = None) -> Resolution:
    """Find all that may be a prompt in a module. outside: the other modules of its project."""
    interpreter = _interpreted(source, index, outside)
    evaluator = interpreter.evaluator
    depends = tuple(sorted(outside.files)) if outside is not None else ()
    return Resolution(
        evaluator.uses,
        evaluator.named,
        frozenset(evaluator.gates),
        Scopes(source.text),
        interpreter.facts.interest.lines,
        depends,
        _exports(interpreter),
    )


def exports(source: Source, index: Index, outside: Outside) -> dict[str, Values]:
    """The names of a module of which nothing else is asked."""
    # what its functions do can matter to others only where they assign the module's names
    return _exports(_interpreted(source, index, outside, functions="global" in source.text))


def held(source: Source, index: Index, outside: Outside, name: str) -> Values:
    """What one name of a module holds when it has been imported, of which nothing else is asked."""
    interpreter = _interpreted(source, index, outside, functions="global" in source.text)
    return interpreter.names.of_module(name) - NOT_BOUND


def _exports(interpreter: _Interpreter) -> dict[str, Values]:
    index = interpreter.index
    held = {name: interpreter.names.of_module(name) - NOT_BOUND for name in interpreter.facts.interest.names}
    return {name: values for name, values in held.items() if any(_hands_on(value, index) for value in values)}


def _hands_on(value: Value, index: Index) -> bool:
    """Another module may come to a prompt through it. What everybody imports from its own place is left out."""
    if isinstance(value, Ref | Instance):
        return value.name.partition(".")[0] in index.handed_on
    return matter(frozenset({value}))


def _interpreted(source: Source, index: Index, outside: Outside | None, *, functions: bool = True) -> _Interpreter:
    """A module, with its functions or without, interpreted until nothing more is learned."""
    own = {name.rpartition(".")[2] for name in index.own}
    facts = Facts(Interest(source, {*index.shows, *own}))
    classes: dict[ast.ClassDef, LocalClass] = {}
    for _ in range(MAX_PASSES):
        facts.stale = False
        scopes = Scopes(source.text, facts.interest.touches)
        interpreter = _Interpreter(source.tree, index, scopes, facts, classes, outside)
        interpreter.run(functions=functions)
        if not facts.stale:
            break
    return interpreter


class _Interpreter(Flow):
    """One pass over a module."""

    def __init__(
        self,
        tree: ast.Module,
        index: Index,
        scopes: Scopes,
        facts: Facts,
        classes: dict[ast.ClassDef, LocalClass],
        outside: Outside | None,
    ) -> None:
        self.tree = tree
        self.module = Scope(Kind.MODULE, tree, scopes, None, index.shows)
        super().__init__(Names(index, facts, self.module, outside), index, scopes, facts, classes)

    def run(self, *, functions: bool) -> None:
        """The module, then its functions."""
        drive(self.block(self.tree.body, self.module))
        self.module.running = False
        position = 0
        while functions and position < len(self.evaluator.deferred):
            self.function(self.evaluator.deferred[position])
            position += 1

    def function(self, deferred: Deferred) -> None:
        """The body of a function, with what is known of its parameters."""
        node = deferred.node
        scope = Scope(Kind.FUNCTION, node, self.scopes, deferred.parent)
        for name, values in deferred.parameters.items():
            self.names.bind(scope, name, values)
        if isinstance(node, ast.Lambda):
            self.evaluator.evaluate(node.body, scope)
        else:
            drive(self.block(node.body, scope))
        scope.running = False
