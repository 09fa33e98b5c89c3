"""Statements that have blocks: the ways through them, and what is known where the ways meet.

They are generators that yield their blocks, so no nesting, however deep, is recursion here.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Generator
from typing import Any, TypeAlias

from agentgate.lint.index import SUPPRESS
from agentgate.lint.scope import Kind, Scope, State
from agentgate.lint.scopes import FUNCTIONS, children
from agentgate.lint.statements import SIMPLE, Statements
from agentgate.lint.values import NOT_BOUND, NOTHING_KNOWN, LocalClass, Ref, Special, matter

__all__ = ["Flow", "Task", "drive"]

# these go on at the end of the loop around them
_IN_LOOPS = frozenset((ast.Break, ast.Continue))
_LEAVES = frozenset((*_IN_LOOPS, ast.Return, ast.Raise))
# the fields of a statement that hold others
_NESTED = frozenset({"body", "orelse", "finalbody", "handlers", "cases"})

Task: TypeAlias = "Generator[Task, None, None]"


def drive(task: Task) -> None:
    """Run a task and all that it yields, each to its end before its parent goes on."""
    stack = [task]
    while stack:
        child = next(stack[-1], None)
        if child is None:
            stack.pop()
        else:
            stack.append(child)


class Flow(Statements):
    """Interprets the statements of one module, simple and compound."""

    def block(self, body: list[ast.stmt], scope: Scope) -> Task:
        """Statements in order; those that neither matter nor decide which others are reached are left out."""
        for statement, matters in self.facts.interest.among(body):
            kind = type(statement)
            if not (matters or kind in _LEAVES or (kind in _COMPOUND and _leaves(statement))):
                continue
            if kind in _COMPOUND:
                yield _COMPOUND[kind](self, statement, scope)
            elif kind in SIMPLE:
                SIMPLE[kind](self, statement, scope)
            else:
                self.expressions(statement, scope)

    def class_definition(self, node: ast.ClassDef, scope: Scope) -> Task:
        for expression in (*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)):
            self.evaluator.evaluate(expression, scope)
        local = self.classes.setdefault(node, LocalClass(node.name))
        local.bases = frozenset(
            value for base in node.bases for value in self.evaluator.values.get(base, NOTHING_KNOWN)
        )
        inner = Scope(Kind.CLASS, node, self.scopes, scope, None)
        yield self.block(node.body, inner)
        inner.running = False
        local.names = {name: values - NOT_BOUND for name, values in inner.state.items()}
        if matter(local.bases) or any(map(matter, local.names.values())):
            self.names.heed(local)
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
            endless = _is_endless(node)
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
        if node.name and not scope.is_global(node.name):
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


def _leaves(statement: ast.stmt) -> bool:
    """What comes after this statement may not be reached from it, or the end of a loop is reached from in it."""
    passes = isinstance(statement, ast.For | ast.AsyncFor) or (isinstance(statement, ast.If) and not statement.orelse)
    leaves = _IN_LOOPS if passes else _LEAVES
    stack: list[ast.AST] = [statement]
    while stack:
        node = stack.pop()
        if type(node) in leaves or (isinstance(node, ast.While) and not passes and _is_endless(node)):
            return True
        for block in _BLOCKS[type(node)]:
            stack += getattr(node, block)
    return False


class _Blocks(dict[type[ast.AST], tuple[str, ...]]):
    """The fields whose statements are part of the same flow, by kind of node."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        own = issubclass(kind, (*FUNCTIONS, ast.ClassDef))
        found = self[kind] = () if own else tuple(field for field in kind._fields if field in _NESTED)
        return found


_BLOCKS = _Blocks()


def _is_endless(loop: ast.While) -> bool:
    return isinstance(loop.test, ast.Constant) and bool(loop.test.value)


_COMPOUND: dict[type, Callable[[Any, Any, Scope], Task]] = {
    ast.ClassDef: Flow.class_definition,
    ast.If: Flow.if_statement,
    ast.For: Flow.loop,
    ast.AsyncFor: Flow.loop,
    ast.While: Flow.loop,
    ast.With: Flow.with_statement,
    ast.AsyncWith: Flow.with_statement,
    ast.Try: Flow.try_statement,
    ast.TryStar: Flow.try_statement,
    ast.Match: Flow.match_statement,
}
