"""Statements that have no blocks: what they bind, and what they evaluate on the way."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from agentgate.lint.evaluate import Deferred, Evaluator
from agentgate.lint.facts import Facts
from agentgate.lint.index import Index
from agentgate.lint.names import Names
from agentgate.lint.scope import Kind, Scope
from agentgate.lint.scopes import Scopes, children, parameters
from agentgate.lint.values import NOTHING_KNOWN, LocalClass, LocalInstance, Maker, Values, matter

__all__ = ["SIMPLE", "Statements"]

# decorators that leave a function what it is, but for those under which its result is read as an attribute
_PROPERTIES = frozenset({"property", "cached_property"})
_TRANSPARENT = _PROPERTIES | {"cache", "classmethod", "staticmethod"}


class Statements:
    """Interprets simple statements of one module.

    classes: the file's own classes, by their definitions.
    """

    def __init__(
        self,
        names: Names,
        index: Index,
        scopes: Scopes,
        facts: Facts,
        classes: dict[ast.ClassDef, LocalClass],
    ) -> None:
        self.names = names
        self.index = index
        self.scopes = scopes
        self.facts = facts
        self.classes = classes
        self.evaluator = Evaluator(names, scopes, classes)

    def expressions(self, statement: ast.AST, scope: Scope) -> None:
        """A statement that only evaluates."""
        for child in children(statement):
            if isinstance(child, ast.expr):
                self.evaluator.evaluate(child, scope)

    def function_definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> None:
        evaluate = self.evaluator.evaluate
        for expression in (*node.decorator_list, *node.args.defaults, *node.args.kw_defaults):
            if expression is not None:
                evaluate(expression, scope)
        known = self.evaluator.defaults(node.args)
        for argument in parameters(node.args):
            if argument.annotation is not None:
                evaluate(argument.annotation, scope)
                typed = self.evaluator.annotated(argument.annotation, scope)
                if typed != NOTHING_KNOWN:
                    known[argument.arg] = known.get(argument.arg, frozenset()) | typed
        if node.returns is not None:
            evaluate(node.returns, scope)
        known.update(self._receiver(node, scope))
        if self.facts.interest.touches(node):
            self.evaluator.deferred.append(Deferred(node, scope, known))
        own = self.names.defined(node.name) if scope.kind is Kind.MODULE else None
        self.names.bind(scope, node.name, own or self._made(node))

    def _made(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Values:
        """What the name of a function holds: of interest where its calls return, or its property is, what is."""
        returned = self.facts.use((node, "return"))
        decorators = {getattr(one, "attr", getattr(one, "id", "")) for one in node.decorator_list}
        if not matter(returned) or isinstance(node, ast.AsyncFunctionDef) or not decorators <= _TRANSPARENT:
            return NOTHING_KNOWN
        return returned if decorators & _PROPERTIES else frozenset({Maker(returned)})

    def _receiver(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> dict[str, Values]:
        """`self` of a method is an object of its class, `cls` the class."""
        positional = [*node.args.posonlyargs, *node.args.args]
        decorators = {decorator.id for decorator in node.decorator_list if isinstance(decorator, ast.Name)}
        if not isinstance(scope.node, ast.ClassDef) or not positional or "staticmethod" in decorators:
            return {}
        owner = self.classes[scope.node]
        on_class = "classmethod" in decorators or node.name in ("__new__", "__init_subclass__", "__class_getitem__")
        return {positional[0].arg: frozenset({owner if on_class else LocalInstance(owner)})}

    def assignment(self, node: ast.Assign, scope: Scope) -> None:
        self.evaluator.evaluate(node.value, scope)
        for target in node.targets:
            self.assign(target, node.value, scope)

    def annotated_assignment(self, node: ast.AnnAssign, scope: Scope) -> None:
        self.evaluator.evaluate(node.annotation, scope)
        typed = self.evaluator.annotated(node.annotation, scope)
        if node.value is not None:
            self.evaluator.evaluate(node.value, scope)
            self.assign(node.target, node.value, scope, typed)
        elif isinstance(scope.node, ast.ClassDef) and isinstance(node.target, ast.Name) and typed != NOTHING_KNOWN:
            # a field: dataclasses and their like set it
            self.names.have(self.classes[scope.node], node.target.id, typed)

    def augmented_assignment(self, node: ast.AugAssign, scope: Scope) -> None:
        self.evaluator.evaluate(node.value, scope)
        self.assign(node.target, None, scope)

    def deletion(self, node: ast.Delete, scope: Scope) -> None:
        pending: list[ast.expr] = list(node.targets)
        while pending:
            target = pending.pop()
            if isinstance(target, ast.Tuple | ast.List):
                pending += target.elts
            elif isinstance(target, ast.Name):
                if not scope.is_global(target.id):
                    scope.delete(target.id)
            else:
                self.evaluator.evaluate(target, scope)

    def import_statement(self, node: ast.Import, scope: Scope) -> None:
        for alias in node.names:
            name = alias.name if alias.asname else alias.name.partition(".")[0]
            self.names.bind(scope, alias.asname or name, self.names.imported(name, None, 0))

    def from_import(self, node: ast.ImportFrom, scope: Scope) -> None:
        module = node.module or ""
        for alias in node.names:
            if alias.name == "*":
                # of a module that the catalog does not know nothing is known: it shadows nothing
                for name in () if node.level else self.index.exports(module):
                    self.names.bind(scope, name, self.names.imported(module, name, 0))
                for name, values in self.names.exported(module, node.level).items():
                    if not name.startswith("_"):
                        self.names.bind(scope, name, values)
            else:
                self.names.bind(scope, alias.asname or alias.name, self.names.imported(module, alias.name, node.level))

    def leave(self, node: ast.Return | ast.Raise, scope: Scope) -> None:
        self.expressions(node, scope)
        if isinstance(node, ast.Return) and node.value is not None:
            returned = self.names.aliased(self.evaluator.values.get(node.value, NOTHING_KNOWN))
            if matter(returned):
                self.facts.add((scope.node, "return"), returned)
        scope.live = False

    def break_statement(self, node: ast.Break, scope: Scope) -> None:
        if scope.live and scope.breaks:
            scope.breaks[-1].append(dict(scope.state))
        scope.live = False

    def continue_statement(self, node: ast.Continue, scope: Scope) -> None:
        if scope.live and scope.continues:
            scope.continues[-1].append(dict(scope.state))
        scope.live = False

    def assign(self, target: ast.expr, value: ast.expr | None, scope: Scope, typed: Values = NOTHING_KNOWN) -> None:
        """Bind a target to an evaluated expression; None for a value that nothing is known of."""
        pending: list[tuple[ast.expr, ast.expr | None]] = [(target, value)]
        while pending:
            target, value = pending.pop()
            if isinstance(target, ast.Tuple | ast.List):
                pending += zip(target.elts, _elements(value, target.elts), strict=True)
                continue
            if isinstance(target, ast.Starred):
                pending.append((target.value, None))
                continue
            known = self.evaluator.values.get(value, NOTHING_KNOWN) if value is not None else NOTHING_KNOWN
            values = self.names.aliased(known)
            if typed != NOTHING_KNOWN:
                values = values - NOTHING_KNOWN | typed
            if isinstance(target, ast.Name):
                self.names.bind(scope, target.id, values)
            elif isinstance(target, ast.Attribute):
                self.names.set_attribute(self.evaluator.evaluate(target.value, scope), target.attr, values)
            else:
                self.evaluator.evaluate(target, scope)


# the method for each kind of statement; not a bound one, which would be a cycle that keeps a syntax tree alive
SIMPLE: dict[type, Callable[[Any, Any, Scope], None]] = {
    ast.FunctionDef: Statements.function_definition,
    ast.AsyncFunctionDef: Statements.function_definition,
    ast.Assign: Statements.assignment,
    ast.AnnAssign: Statements.annotated_assignment,
    ast.AugAssign: Statements.augmented_assignment,
    ast.Delete: Statements.deletion,
    ast.Import: Statements.import_statement,
    ast.ImportFrom: Statements.from_import,
    ast.Return: Statements.leave,
    ast.Raise: Statements.leave,
    ast.Break: Statements.break_statement,
    ast.Continue: Statements.continue_statement,
}


def _elements(value: ast.expr | None, targets: list[ast.expr]) -> list[ast.expr | None]:
    """The expression for each target of an unpacking, as far as they can be told apart."""
    if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(targets):
        starred = any(isinstance(part, ast.Starred) for part in (*value.elts, *targets))
        return [None] * len(targets) if starred else list(value.elts)
    return [None] * len(targets)
