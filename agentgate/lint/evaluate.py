"""Expressions: visits every part in the order of evaluation, and notes what names and attributes may be."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import NamedTuple

from agentgate.catalog import Prompt
from agentgate.lint.index import GATES
from agentgate.lint.names import Names
from agentgate.lint.scope import Kind, Scope
from agentgate.lint.scopes import COMPREHENSIONS, FunctionNode, Scopes, children
from agentgate.lint.values import NOTHING_KNOWN, Instance, LocalClass, LocalInstance, Ref, Value, Values, union

__all__ = ["Deferred", "Evaluator"]


class Deferred(NamedTuple):
    """A function whose body runs later, when its module is done."""

    node: FunctionNode
    parent: Scope
    parameters: dict[str, Values]


class Evaluator:
    """Evaluates expressions, abstractly.

    uses: every expression that may be a prompt. named: the qualified name of every other one that matters.
    gates: the calls of our own `gate`. classes: the file's own classes, by their definitions.
    deferred: functions met on the way.
    """

    def __init__(self, names: Names, scopes: Scopes, classes: Mapping[ast.ClassDef, LocalClass]) -> None:
        self.names = names
        self.scopes = scopes
        self.classes = classes
        self.values: dict[ast.AST, Values] = {}
        self.uses: dict[ast.expr, Prompt] = {}
        self.named: dict[ast.expr, str] = {}
        self.gates: set[ast.Call] = set()
        self.deferred: list[Deferred] = []

    def evaluate(self, expression: ast.expr, scope: Scope) -> Values:
        """All that an expression may be. Its parts are noted on the way."""
        if not self.names.facts.interest.touches(expression):
            return NOTHING_KNOWN
        # an entry is a node to visit, a (finish, node) whose parts are done, or the scope that goes on
        stack: list[object] = [expression]
        while stack:
            item = stack.pop()
            kind = type(item)
            if kind is ast.Constant:
                continue
            if kind is ast.Name:
                self._name(item, scope)  # type: ignore[arg-type]
            elif kind is ast.Attribute:
                stack += ((Evaluator._attribute, item), item.value)  # type: ignore[attr-defined]
            elif kind is tuple:
                item[0](self, item[1], scope)  # type: ignore[index]
            elif kind is Scope:
                scope = item  # type: ignore[assignment]
            elif kind is ast.Lambda:
                arguments: ast.arguments = item.args  # type: ignore[attr-defined]
                stack.append((Evaluator._lambda, item))
                stack += (part for part in (*arguments.kw_defaults, *arguments.defaults) if part is not None)
            elif isinstance(item, COMPREHENSIONS):
                stack.extend(reversed(self._comprehension(item, scope)))
            else:
                assert isinstance(item, ast.AST)
                if kind in _FINISH:
                    stack.append((_FINISH[kind], item))
                stack.extend(reversed(children(item)))
        return self.values.get(expression, NOTHING_KNOWN)

    def _note(self, node: ast.expr, values: Values) -> None:
        if values == NOTHING_KNOWN:
            return
        self.values[node] = values = union((self.values.get(node, frozenset()), values))
        prompts = self.names.index.prompts
        named = sorted(
            value.name for value in values if isinstance(value, Ref) and not value.alias and value.name in prompts
        )
        if named:
            self.uses[node] = prompts[named[0]]
        for value in values:
            if isinstance(value, Ref) and value.name in self.names.index.followed:
                self.named[node] = value.name

    def _of(self, node: ast.expr) -> Values:
        return self.values.get(node, NOTHING_KNOWN)

    def _name(self, node: ast.Name, scope: Scope) -> None:
        if type(node.ctx) is ast.Load:
            self._note(node, self.names.look_up(scope, node.id))

    def _attribute(self, node: ast.expr, scope: Scope) -> None:
        assert isinstance(node, ast.Attribute)
        base = self._of(node.value)
        if base != NOTHING_KNOWN and type(node.ctx) is ast.Load:
            self._note(node, self.names.attribute(base, node.attr))

    def _call(self, node: ast.expr, scope: Scope) -> None:
        assert isinstance(node, ast.Call)
        callee = self._of(node.func)
        if any(isinstance(value, Ref) and value.name in GATES for value in callee):
            self.gates.add(node)
        if isinstance(node.func, ast.Name) and node.func.id == "super":
            self._note(node, self._bases(node, scope))
        else:
            self._note(node, self.names.called(callee))

    def _bases(self, call: ast.Call, scope: Scope) -> Values:
        """What `super()` looks in: the bases of the class around, or of the one that is named."""
        if call.args:
            return union(value.bases for value in self._of(call.args[0]) if isinstance(value, LocalClass))
        around: Scope | None = scope
        while around is not None and not isinstance(around.node, ast.ClassDef):
            around = around.parent
        owner = self.classes.get(around.node) if around is not None and isinstance(around.node, ast.ClassDef) else None
        return owner.bases if owner is not None else NOTHING_KNOWN

    def _join(self, node: ast.expr, scope: Scope) -> None:
        parts = node.values if isinstance(node, ast.BoolOp) else (node.body, node.orelse)  # type: ignore[attr-defined]
        self.values[node] = union(self.names.aliased(self._of(part)) for part in parts)

    def _walrus(self, node: ast.expr, scope: Scope) -> None:
        assert isinstance(node, ast.NamedExpr)
        owner = scope
        while owner.kind is Kind.COMPREHENSION and owner.parent is not None:
            owner = owner.parent
        values = self.names.aliased(self._of(node.value))
        self.names.bind(owner, node.target.id, values)
        self.values[node] = values

    def _subscript(self, node: ast.expr, scope: Scope) -> None:
        """`PromptBase[str]` is the class, with a parameter."""
        assert isinstance(node, ast.Subscript)
        owners = self.names.index.owners
        self._note(
            node,
            union(
                [
                    frozenset(
                        value
                        for value in self._of(node.value)
                        if isinstance(value, LocalClass) or (isinstance(value, Ref) and value.name in owners)
                    )
                ]
            ),
        )

    def _lambda(self, node: ast.expr, scope: Scope) -> None:
        assert isinstance(node, ast.Lambda)
        self.deferred.append(Deferred(node, scope, self.defaults(node.args)))

    def _comprehension(self, node: ast.expr, scope: Scope) -> list[object]:
        """The parts in order: the first iterable outside, all else inside."""
        assert isinstance(node, COMPREHENSIONS)
        inner = Scope(Kind.COMPREHENSION, node, self.scopes, scope)
        steps: list[object] = [node.generators[0].iter, inner]
        for number, generator in enumerate(node.generators):
            steps += [generator.iter] if number else []
            steps += [generator.target, *generator.ifs]
        steps += [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        return [*steps, scope]

    def defaults(self, arguments: ast.arguments) -> dict[str, Values]:
        """The values that parameters have from their defaults, which are evaluated already."""
        positional = [*arguments.posonlyargs, *arguments.args]
        pairs = [*zip(reversed(positional), reversed(arguments.defaults), strict=False)]
        pairs += [
            (arg, default) for arg, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if default
        ]
        return {
            arg.arg: self.names.aliased(self._of(default)) | NOTHING_KNOWN
            for arg, default in pairs
            if self._of(default) != NOTHING_KNOWN
        }

    def annotated(self, annotation: ast.expr, scope: Scope) -> Values:
        """What a value of this (evaluated) annotation is: an object, when it names a class that matters."""
        found: set[Value] = set()
        pending = [annotation]
        while pending:
            node = pending.pop()
            if isinstance(node, ast.BinOp):
                pending += [node.left, node.right]
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= self._named_in_string(node.value, scope)
            elif isinstance(node, ast.Subscript) and self._of(node) == NOTHING_KNOWN:
                # Optional[X], Annotated[X, …]; of any other generic the first argument is no harm, or an element
                if getattr(node.value, "id", getattr(node.value, "attr", "")) in ("Optional", "Annotated", "Union"):
                    pending += node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            elif type(node) is not ast.Call:
                found |= self.names.called(self._of(node))
        return frozenset(value for value in found if isinstance(value, Instance | LocalInstance)) or NOTHING_KNOWN

    def _named_in_string(self, text: str, scope: Scope) -> Values:
        parts = text.split(".")
        if not all(part.isidentifier() for part in parts):
            return NOTHING_KNOWN
        values = self.names.look_up(scope, parts[0])
        for part in parts[1:]:
            values = self.names.attribute(values, part)
        return self.names.called(values)


# what is left to do when the parts of an expression are done
_FINISH: dict[type, Callable[[Evaluator, ast.expr, Scope], None]] = {
    ast.Call: Evaluator._call,
    ast.BoolOp: Evaluator._join,
    ast.IfExp: Evaluator._join,
    ast.NamedExpr: Evaluator._walrus,
    ast.Subscript: Evaluator._subscript,
}
