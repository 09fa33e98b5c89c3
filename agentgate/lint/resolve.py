"""The resolver: which expressions of a module may be a prompt.

A small flow-sensitive abstract interpreter. Module and class bodies run in order, branches are joined where
they meet; functions run when their module is done, and see its final names. Works on `ast` nodes only,
whatever reader made them.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from agentgate.catalog import Prompt
from agentgate.lint.evaluate import Deferred
from agentgate.lint.facts import Facts
from agentgate.lint.flow import Flow, drive
from agentgate.lint.index import Index
from agentgate.lint.names import Names, Outside
from agentgate.lint.scope import Kind, Scope
from agentgate.lint.scopes import Bindings, scan
from agentgate.lint.values import NOTHING_KNOWN, LocalClass, Special, Values

__all__ = ["Resolution", "exports", "resolve"]

# enough for any chain of facts met in practice; each pass is linear in the file
MAX_PASSES = 6


class Resolution(NamedTuple):
    """What the resolver found.

    uses: every expression that may be a prompt, and which.
    named: the qualified name of every other expression that matters. gates: calls of our own `gate`.
    bindings: the names of every scope. depends: the other files that were read for it.
    """

    uses: dict[ast.expr, Prompt]
    named: dict[ast.expr, str]
    gates: frozenset[ast.Call]
    bindings: dict[ast.AST, Bindings]
    depends: tuple[str, ...] = ()


def resolve(tree: ast.Module, index: Index, *, relevant: bool = False, outside: Outside | None = None) -> Resolution:
    """Find all that may be a prompt in a module.

    relevant: something else in it matters too. outside: the other modules of its project.
    """
    bound, prompts = scan(tree, index)
    if not (relevant or prompts):
        return Resolution({}, {}, frozenset(), bound)
    evaluator = _interpreted(tree, index, bound, outside).evaluator
    depends = tuple(sorted(outside.files)) if outside is not None else ()
    return Resolution(evaluator.uses, evaluator.named, frozenset(evaluator.gates), bound, depends)


def exports(tree: ast.Module, index: Index, outside: Outside) -> dict[str, Values]:
    """The names of a module that hold something of interest when it has been imported."""
    interpreter = _interpreted(tree, index, scan(tree, index).bindings, outside)
    held = ((name, values - {Special.UNBOUND}) for name, values in interpreter.module.state.items())
    return {name: values for name, values in held if values - NOTHING_KNOWN}


def _interpreted(
    tree: ast.Module, index: Index, bound: dict[ast.AST, Bindings], outside: Outside | None
) -> _Interpreter:
    """A module, interpreted until nothing more is learned."""
    facts = Facts()
    classes: dict[ast.ClassDef, LocalClass] = {}
    for _ in range(MAX_PASSES):
        facts.stale = False
        interpreter = _Interpreter(tree, index, bound, facts, classes, outside)
        interpreter.run()
        if not facts.stale:
            break
    return interpreter


class _Interpreter(Flow):
    """One pass over a module."""

    def __init__(
        self,
        tree: ast.Module,
        index: Index,
        bound: dict[ast.AST, Bindings],
        facts: Facts,
        classes: dict[ast.ClassDef, LocalClass],
        outside: Outside | None,
    ) -> None:
        self.tree = tree
        self.module = Scope(Kind.MODULE, tree, bound[tree], None, index.shows)
        super().__init__(Names(index, facts, self.module, outside), index, bound, facts, classes)

    def run(self) -> None:
        """The module, then its functions."""
        drive(self.block(self.tree.body, self.module))
        self.module.running = False
        self._end_of_module()
        position = 0
        while position < len(self.evaluator.deferred):
            self.function(self.evaluator.deferred[position])
            position += 1

    def _end_of_module(self) -> None:
        """Names that functions assign with `global` count as bound from here on."""
        for node, bound in self.bound.items():
            if node is not self.tree:
                for name in bound.globals & bound.bound:
                    known = self.module.state.get(name, frozenset()) - {Special.UNBOUND}
                    self.module.state[name] = known | self.facts.use(("global", name)) | NOTHING_KNOWN

    def function(self, deferred: Deferred) -> None:
        """The body of a function, with what is known of its parameters."""
        node = deferred.node
        scope = Scope(Kind.FUNCTION, node, self.bound[node], deferred.parent)
        for name, values in deferred.parameters.items():
            self.names.bind(scope, name, values)
        if isinstance(node, ast.Lambda):
            self.evaluator.evaluate(node.body, scope)
        else:
            drive(self.block(node.body, scope))
        scope.running = False
