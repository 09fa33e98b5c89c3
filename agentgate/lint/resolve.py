"""The resolver: which expressions of a module may be a prompt.

A small flow-sensitive abstract interpreter. Module and class bodies run in order, branches are joined where
they meet; functions run when their module is done, and see its final names. Works on `ast` nodes only,
whatever reader made them. Statements are interpreted by generators on a stack of our own: a compound statement
yields its blocks, so no nesting, however deep, is recursion here.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Generator
from typing import Any, NamedTuple, TypeAlias

from agentgate.catalog import Prompt
from agentgate.lint.evaluate import Deferred, Evaluator
from agentgate.lint.facts import Facts
from agentgate.lint.index import SUPPRESS, Index
from agentgate.lint.names import Names
from agentgate.lint.scope import Kind, Scope, State
from agentgate.lint.scopes import Bindings, children, parameters, scan
from agentgate.lint.values import NOTHING_KNOWN, LocalClass, LocalInstance, Ref, Special, Values

__all__ = ["Resolution", "resolve"]

# enough for any chain of facts met in practice; each pass is linear in the file
MAX_PASSES = 6

Task: TypeAlias = "Generator[Task, None, None]"


class Resolution(NamedTuple):
    """What the resolver found.

    uses: every expression that may be a prompt, and which. gates: calls of our own `gate`.
    bindings: the names of every scope.
    """

    uses: dict[ast.expr, Prompt]
    gates: frozenset[ast.Call]
    bindings: dict[ast.AST, Bindings]


def resolve(tree: ast.Module, index: Index) -> Resolution:
    """Find all that may be a prompt in a module."""
    bound, relevant = scan(tree, index)
    if not relevant:
        return Resolution({}, frozenset(), bound)
    facts = Facts()
    classes: dict[ast.ClassDef, LocalClass] = {}
    for _ in range(MAX_PASSES):
        facts.stale = False
        interpreter = _Interpreter(tree, index, bound, facts, classes)
        interpreter.run()
        if not facts.stale:
            break
    return Resolution(interpreter.evaluator.uses, frozenset(interpreter.evaluator.gates), bound)


def _drive(task: Task) -> None:
    """Run a task and all that it yields, each to its end before its parent goes on."""
    stack = [task]
    while stack:
        child = next(stack[-1], None)
        if child is None:
            stack.pop()
        else:
            stack.append(child)


class _Interpreter:
    """One pass over a module."""

    def __init__(
        self,
        tree: ast.Module,
        index: Index,
        bound: dict[ast.AST, Bindings],
        facts: Facts,
        classes: dict[ast.ClassDef, LocalClass],
    ) -> None:
        self.tree = tree
        self.index = index
        self.bound = bound
        self.facts = facts
        self.classes = classes
        self.module = Scope(Kind.MODULE, tree, bound[tree], None, index.builtins)
        self.names = Names(index, facts, self.module)
        self.evaluator = Evaluator(self.names, bound)
        self.compound: dict[type, Callable[[Any, Scope], Task]] = {
            ast.ClassDef: self.class_definition,
            ast.If: self.if_statement,
            ast.For: self.loop,
            ast.AsyncFor: self.loop,
            ast.While: self.loop,
            ast.With: self.with_statement,
            ast.AsyncWith: self.with_statement,
            ast.Try: self.try_statement,
            ast.TryStar: self.try_statement,
            ast.Match: self.match_statement,
        }
        self.simple: dict[type, Callable[[Any, Scope], None]] = {
            ast.FunctionDef: self.function_definition,
            ast.AsyncFunctionDef: self.function_definition,
            ast.Assign: self.assignment,
            ast.AnnAssign: self.annotated_assignment,
            ast.AugAssign: self.augmented_assignment,
            ast.Delete: self.deletion,
            ast.Import: self.import_statement,
            ast.ImportFrom: self.from_import,
            ast.Return: self.leave,
            ast.Raise: self.leave,
            ast.Break: self.break_statement,
            ast.Continue: self.continue_statement,
        }

    def run(self) -> None:
        """The module, then its functions."""
        _drive(self.block(self.tree.body, self.module))
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
            _drive(self.block(node.body, scope))
        scope.running = False

    def block(self, body: list[ast.stmt], scope: Scope) -> Task:
        """Statements in order."""
        for statement in body:
            kind = type(statement)
            if kind in self.compound:
                yield self.compound[kind](statement, scope)
            elif kind in self.simple:
                self.simple[kind](statement, scope)
            else:
                self.expressions(statement, scope)

    def expressions(self, statement: ast.AST, scope: Scope) -> None:
        """A statement that only evaluates."""
        for child in children(statement):
            if isinstance(child, ast.expr):
                self.evaluator.evaluate(child, scope)

    # simple statements

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
        self.evaluator.deferred.append(Deferred(node, scope, known))
        self.names.bind(scope, node.name, NOTHING_KNOWN)

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
            self.facts.add((self.classes[scope.node], node.target.id), typed)

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
                if scope.kind is Kind.MODULE or target.id not in scope.bindings.globals:
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
            else:
                self.names.bind(scope, alias.asname or alias.name, self.names.imported(module, alias.name, node.level))

    def leave(self, node: ast.Return | ast.Raise, scope: Scope) -> None:
        self.expressions(node, scope)
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

    # compound statements

    def class_definition(self, node: ast.ClassDef, scope: Scope) -> Task:
        for expression in (*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)):
            self.evaluator.evaluate(expression, scope)
        local = self.classes.setdefault(node, LocalClass(node))
        local.bases = frozenset(
            value for base in node.bases for value in self.evaluator.values.get(base, NOTHING_KNOWN)
        )
        inner = Scope(Kind.CLASS, node, self.bound[node], scope, None)
        yield self.block(node.body, inner)
        inner.running = False
        local.names = {name: values - {Special.UNBOUND} for name, values in inner.state.items()}
        self.names.bind(scope, node.name, frozenset({local}))

    def if_statement(self, node: ast.If, scope: Scope) -> Task:
        self.evaluator.evaluate(node.test, scope)
        before, live = scope.fork(), scope.live
        yield self.block(node.body, scope)
        after_body = scope.fork()
        self._restart(scope, before, live)
        yield self.block(node.orelse, scope)
        scope.resume((after_body, scope.fork()))

    def _restart(self, scope: Scope, state: State | None, live: bool = True) -> None:
        """Go back to an earlier point, for another way on from it."""
        scope.state = dict(state if state is not None else scope.state)
        scope.live = live

    def loop(self, node: ast.For | ast.AsyncFor | ast.While, scope: Scope) -> Task:
        if not isinstance(node, ast.While):
            self.evaluator.evaluate(node.iter, scope)
        entry = scope.fork()
        scope.resume((entry, self.facts.loop(node)) if scope.live else ())
        head = scope.fork()
        scope.breaks.append([])
        scope.continues.append([])
        endless = False
        if isinstance(node, ast.While):
            endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
            self.evaluator.evaluate(node.test, scope)
        else:
            self.assign(node.target, None, scope)
        yield self.block(node.body, scope)
        scope.resume((scope.fork(), *scope.continues.pop()))
        back = scope.fork()
        if head is not None and back is not None and scope.adds(back, head):
            self.facts.close_loop(node, back)
        scope.resume(() if endless else (head, back))
        yield self.block(node.orelse, scope)
        scope.resume((scope.fork(), *scope.breaks.pop()))

    def with_statement(self, node: ast.With | ast.AsyncWith, scope: Scope) -> Task:
        suppresses = False
        for item in node.items:
            entered = self.evaluator.evaluate(item.context_expr, scope)
            suppresses = suppresses or self._is_suppress(item.context_expr)
            if item.optional_vars is not None:
                # a prompting object is its own context: `with Console() as console`
                keeps = not any(isinstance(value, Special) for value in entered)
                self.assign(item.optional_vars, item.context_expr if keeps else None, scope)
        before = scope.fork()
        caught: State = {}
        scope.caught.append(caught)
        yield self.block(node.body, scope)
        scope.caught.pop()
        if suppresses and before is not None:
            scope.resume((scope.fork(), scope.with_caught(before, caught)))

    def _is_suppress(self, expression: ast.expr) -> bool:
        callee = self.evaluator.values.get(expression.func, NOTHING_KNOWN) if isinstance(expression, ast.Call) else ()
        return Ref(SUPPRESS) in callee

    def try_statement(self, node: ast.Try | ast.TryStar, scope: Scope) -> Task:
        before, live = dict(scope.state), scope.live
        caught: State = {}
        everything: State = {}
        scope.caught += [everything, caught]
        yield self.block(node.body, scope)
        scope.caught.pop()
        yield self.block(node.orelse, scope)
        ways = [scope.fork()]
        for handler in node.handlers:
            self._restart(scope, scope.with_caught(before, caught), live)
            yield self.handler(handler, scope)
            ways.append(scope.fork())
        scope.caught.pop()
        scope.resume(ways)
        if not node.finalbody:
            return
        after, reached = scope.fork(), scope.live
        anywhere = scope.with_caught(before, everything)
        if not reached or anywhere != after:
            # it runs on the way out of an exception too, from anywhere in the statement
            self._restart(scope, anywhere, live)
            yield self.block(node.finalbody, scope)
        if reached:
            self._restart(scope, after)
            yield self.block(node.finalbody, scope)
        else:
            scope.live = False

    def handler(self, node: ast.ExceptHandler, scope: Scope) -> Task:
        if node.type is not None:
            self.evaluator.evaluate(node.type, scope)
        if node.name:
            self.names.bind(scope, node.name, NOTHING_KNOWN)
        yield self.block(node.body, scope)
        if node.name and node.name not in scope.bindings.globals:
            scope.delete(node.name)

    def match_statement(self, node: ast.Match, scope: Scope) -> Task:
        self.evaluator.evaluate(node.subject, scope)
        ways: list[State | None] = []
        live = scope.live
        for case in node.cases:
            before = dict(scope.state)
            self.pattern(case.pattern, scope)
            if case.guard is not None:
                self.evaluator.evaluate(case.guard, scope)
            yield self.block(case.body, scope)
            ways.append(scope.fork())
            self._restart(scope, before, live)
            if case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None:
                # nothing gets past `case _`
                scope.live = False
        scope.resume((*ways, scope.fork()))

    def pattern(self, node: ast.pattern, scope: Scope) -> None:
        """A pattern's expressions and captures, left to right."""
        stack: list[ast.AST] = [node]
        while stack:
            part = stack.pop()
            if isinstance(part, ast.expr):
                self.evaluator.evaluate(part, scope)
                continue
            name = part.rest if isinstance(part, ast.MatchMapping) else getattr(part, "name", None)
            if name:
                self.names.bind(scope, name, NOTHING_KNOWN)
            stack.extend(reversed(children(part)))


def _elements(value: ast.expr | None, targets: list[ast.expr]) -> list[ast.expr | None]:
    """The expression for each target of an unpacking, as far as they can be told apart."""
    if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(targets):
        starred = any(isinstance(part, ast.Starred) for part in (*value.elts, *targets))
        return [None] * len(targets) if starred else list(value.elts)
    return [None] * len(targets)
