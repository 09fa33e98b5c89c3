"""AG301: whether there is a terminal decides whether a person is asked.

The plain ones are rewritten: `gate(sys.stdin).isatty()` is the terminal's own answer for a person, and unattended; for
an agent it is a yes, so that the run comes to the question, which is gated. What is plain: stdin's own terminal is
asked for in the test itself, the question is behind its yes, and its no reads nothing from stdin.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from agentgate.lint.context import Context
from agentgate.lint.patterns import prompting_child
from agentgate.lint.patterns.askers import asking_calls, own_function
from agentgate.lint.scopes import FUNCTIONS, children
from agentgate.lint.sites import Site
from agentgate.lint.tree import position_in

__all__ = ["find"]

CODE = "AG301"
_LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_EXITS = frozenset({"exit", "_exit", "quit", "fail", "abort", "error"})
_NO_QUESTIONS = ("pause", "pager", "debugger")

_NOT_PLAIN = "the test decides more than whether a question is asked: use `agentgate.detect_agent()` to tell an agent"
_IN_A_VARIABLE = (
    "its answer is kept or handed on, so it may decide more than the question: write the test at the question"
)
_READS_DATA = "without a terminal the program takes its data from stdin there"
_IN_A_STRING = "it stands in an f-string"
_ASKS_NOTHING = "what it skips without a terminal is no question"
_NOT_GATED = "a question behind it is not gated"


class _Guard(NamedTuple):
    """A test on which code is run: `region` where the test is `when`, and `other` in its place."""

    test: ast.expr
    when: bool
    region: Sequence[ast.AST]
    other: Sequence[ast.AST] = ()
    loop: bool = False


def find(context: Context) -> Iterator[Site | None]:
    """The tests for a terminal around or before a question, each once."""
    if not context.sites.source.standing.lines(context.known.questions.terminals):
        return
    questions = asking_calls(context)
    tested: set[ast.expr] = set()
    seen: set[ast.Call] = set()
    passed: dict[tuple[ast.AST, str], int] = {}
    for question in questions:
        for guard in _guards(question, context, passed):
            if guard.test in tested:
                continue
            tested.add(guard.test)
            terminals = dict.fromkeys(_terminals(guard.test, context))
            for asked in terminals:
                if asked not in seen and not _is_gated(asked, context):
                    seen.add(asked)
                    site = context.sites.report(asked, CODE, "terminal", ast.unparse(asked))
                    yield site and _judged(site, asked, guard, len(terminals), questions, context)


def _guards(question: ast.Call, context: Context, passed: dict[tuple[ast.AST, str], int]) -> Iterator[_Guard]:
    """The conditions, in the same function, on which the question is asked.

    passed: how much of each block was looked at for an earlier question.
    """
    child: ast.AST = question
    for above in context.parents.above(question):
        if isinstance(above, ast.BoolOp) and child in above.values:
            at = above.values.index(child)
            for value in above.values[:at]:
                yield _Guard(value, isinstance(above.op, ast.And), above.values[at:])
        elif isinstance(above, ast.If | ast.IfExp | ast.While) and child is not above.test:
            body, other = _block(above.body), _block(above.orelse)
            when = child in body
            yield _Guard(
                above.test, when, body if when else other, other if when else body, isinstance(above, ast.While)
            )
        for block in ("body", "orelse", "finalbody"):
            statements = getattr(above, block, None)
            if not isinstance(statements, list) or (position := position_in(statements, child)) is None:
                continue
            for number in range(passed.get((above, block), 0), position):
                one = statements[number]
                if isinstance(one, ast.If) and not one.orelse and _leaves(one.body[-1]):
                    yield _Guard(one.test, False, statements[number + 1 :], one.body)
            passed[above, block] = max(position, passed.get((above, block), 0))
        if isinstance(above, (*FUNCTIONS, ast.ClassDef)):
            return
        child = above


def _block(part: ast.expr | list[ast.stmt]) -> Sequence[ast.AST]:
    return part if isinstance(part, list) else [part]


def _leaves(statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(statement, _LEAVES) or (
        isinstance(call, ast.Call) and getattr(call.func, "id", getattr(call.func, "attr", "")) in _EXITS
    )


def _terminals(test: ast.expr, context: Context) -> Iterator[ast.Call]:
    """The calls in a test that ask for a terminal, also through a variable that one assignment sets, or a function."""
    stack: list[ast.AST] = [test]
    seen: set[ast.AST] = set()  # two variables may hold one another
    names = context.known.questions.terminals
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in names:
            yield node
        elif isinstance(node, ast.Name) and type(node.ctx) is ast.Load:
            value = context.value(node)
            stack += [value] if value is not node else []
        else:
            called = own_function(node, context) if isinstance(node, ast.Call) else None
            stack += [] if called is None else called.body
            stack += [part for part in children(node) if not isinstance(part, FUNCTIONS)]


def _is_gated(terminal: ast.Call, context: Context) -> bool:
    return isinstance(terminal.func, ast.Attribute) and terminal.func.value in context.resolution.gates


def _judged(
    site: Site,
    terminal: ast.Call,
    guard: _Guard,
    terminals: int,
    questions: Mapping[ast.Call, Sequence[ast.Call]],
    context: Context,
) -> Site:
    """The site with the edit that opens the guard to an agent, or with why there is none."""
    owner = terminal.func.value if isinstance(terminal.func, ast.Attribute) else None
    inside = {part for node in guard.region for part in ast.walk(node)}
    prompts = {prompt for call, several in questions.items() if call in inside for prompt in several}
    if terminal not in set(ast.walk(guard.test)):
        return site._replace(reason=_IN_A_VARIABLE)
    if owner is None or not _is_stdin(owner) or terminals > 1 or guard.loop:
        return site._replace(reason=_NOT_PLAIN)
    if any(isinstance(above, ast.JoinedStr) for above in context.parents.above(terminal)):
        return site._replace(reason=_IN_A_STRING)
    if _truth(terminal, guard.test, context) is not guard.when:
        return site._replace(reason=_NOT_PLAIN)
    if any(_reads_stdin(part, context) for node in guard.other for part in ast.walk(node)):
        return site._replace(reason=_READS_DATA)
    if all(_kind(prompt, context) in _NO_QUESTIONS for prompt in prompts):
        return site._replace(reason=_ASKS_NOTHING)
    if not _can_be_gated(prompts, context) or any(
        child is not None and child.node in inside for child in prompting_child.find(context)
    ):
        return site._replace(reason=_NOT_GATED)
    source = context.sites.source
    return site._replace(
        finding=site.finding._replace(fix="safe"),
        node=owner,
        start=source.start(owner),
        end=source.end(owner),
        reason=None,
        needs=tuple(prompt.func for prompt in prompts),
    )


def _is_stdin(node: ast.expr) -> bool:
    """`sys.stdin`, `self.stdin`: the gate looks whether it is the process's own."""
    return getattr(node, "attr", getattr(node, "id", "")).strip("_") == "stdin"


def _truth(terminal: ast.expr, test: ast.expr, context: Context) -> bool | None:
    """Whether a terminal speaks for the test (True) or against it (False); None where neither can be told."""
    positive = True
    node: ast.AST | None = terminal
    while node is not test:
        node = context.parents.of(node) if node is not None else None
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            positive = not positive
        elif not isinstance(node, ast.BoolOp):
            return None
    return positive


def _reads_stdin(node: ast.AST, context: Context) -> bool:
    return node in context.prompts or (isinstance(node, ast.Name | ast.Attribute) and _is_stdin(node))


def _kind(prompt: ast.Call, context: Context) -> str:
    site = context.prompts[prompt]
    return site.finding.kind if site is not None else "text"


def _can_be_gated(prompts: Iterable[ast.Call], context: Context) -> bool:
    """All of them are gated, or can be."""
    sites = [context.prompts[prompt] for prompt in prompts if prompt.func not in context.resolution.gates]
    return all(site is not None and site.reason is None and site.finding.fix == "safe" for site in sites)
