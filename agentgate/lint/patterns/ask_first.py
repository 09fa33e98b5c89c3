"""Where a question that stands behind an effect can be asked before it, and nobody sees a difference but on failure.

That is so where the two are statements of one block, nothing from the one to the other writes anything out or decides
where to go, and neither uses a name that the other sets. What is left is an effect that fails: it now does so after the
question, which is why the edit is not a safe one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from agentgate.lint.context import Context
from agentgate.lint.known import known
from agentgate.lint.source import Source

__all__ = ["Move", "move"]

Move = tuple[ast.stmt, int, int, int]

_KINDS = ("text", "choice", "confirm", "secret")
_SIMPLE = (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Pass)
# of strings, paths and files: none of them writes anything out
_QUIET_METHODS = frozenset(
    {"write", "writelines", "close", "join", "joinpath", "format", "strip", "encode", "lower", "upper"}
)
_QUIET = frozenset({"str", "int", "float", "bool", "len", "Path", "PurePath", "list", "tuple", "dict", "sorted"})
_CONVERSIONS = frozenset({"int", "float", "str", "bool", "Path", "strip", "lower", "upper", "casefold"})
_TYPES = frozenset({"int", "float", "str", "bool"})


def move(effect: ast.Call, prompt: ast.Call, context: Context) -> Move | None:
    """The question's statement, its text from start to end, and its place before the effect; None for no such place."""
    site = context.prompts.get(prompt)
    question, first = context.parents.statement(prompt), context.parents.statement(effect)
    if site is None or site.finding.kind not in _KINDS or question is None or first is None:
        return None
    block = _block(first, question, context)
    between = block[block.index(first) : block.index(question)] if block else []
    if not between or not all(_is_quiet(one, context) for one in between):
        return None
    if not _is_plain(question, prompt, context) or _touch(between, question):
        return None
    return _text(question, first, block, context.sites.source)


def _block(first: ast.stmt, second: ast.stmt, context: Context) -> Sequence[ast.stmt]:
    """The block that both statements stand in, in this order."""
    parent = context.parents.of(first)
    for field in ("body", "orelse", "finalbody"):
        statements = getattr(parent, field, None)
        if isinstance(statements, list) and first in statements and second in statements:
            return statements if statements.index(first) < statements.index(second) else []
    return []


def _is_quiet(statement: ast.stmt, context: Context) -> bool:
    """It writes nothing out, and what follows it is the next statement."""
    if isinstance(statement, ast.With):
        inside = all(_is_quiet(one, context) for one in statement.body)
        return inside and all(_calls_are_quiet(item.context_expr, context) for item in statement.items)
    return isinstance(statement, _SIMPLE) and _calls_are_quiet(statement, context)


def _calls_are_quiet(node: ast.AST, context: Context) -> bool:
    for part in ast.walk(node):
        if isinstance(part, ast.Await | ast.Yield | ast.YieldFrom):
            return False
        if isinstance(part, ast.Call) and not _call_is_quiet(part, context):
            return False
    return True


def _call_is_quiet(call: ast.Call, context: Context) -> bool:
    if context.name(call.func) in known().effects:  # a project's own may print
        return True
    if isinstance(call.func, ast.Name):
        return call.func.id in _QUIET
    if not isinstance(call.func, ast.Attribute):
        return False
    match call.func.value:
        case ast.Attribute(value=ast.Name(id="os"), attr="path"):
            return True
        case ast.Attribute(attr=owner) | ast.Name(id=owner) if owner.endswith(("stdout", "stderr", "out", "output")):
            return False
        case _:
            return call.func.attr in _QUIET_METHODS


def _is_plain(question: ast.stmt, prompt: ast.Call, context: Context) -> bool:
    """The statement asks, keeps the answer in variables, and does nothing else."""
    if not isinstance(question, ast.Expr | ast.Assign):
        return False
    if isinstance(question, ast.Assign) and not all(isinstance(one, ast.Name) for one in question.targets):
        return False
    gate = prompt.func if prompt.func in context.resolution.gates else None
    for part in ast.walk(question.value):
        if isinstance(part, ast.Call) and part not in (prompt, gate):
            if getattr(part.func, "id", getattr(part.func, "attr", "")) not in _CONVERSIONS:
                return False
        elif isinstance(part, ast.Await | ast.Yield | ast.YieldFrom | ast.NamedExpr | ast.Lambda):
            return False
    given = {keyword.arg: keyword.value for keyword in prompt.keywords}
    tried = [given[name] for name in ("type", "value_proc", "validate") if name in given]
    return None not in given and all(getattr(one, "id", "") in _TYPES for one in tried)


def _touch(between: Sequence[ast.stmt], question: ast.stmt) -> bool:
    """One of them sets what the other uses; what is not a plain variable may be anything."""
    if any(
        isinstance(node, ast.Attribute | ast.Subscript) and type(node.ctx) is not ast.Load for node in _nodes(between)
    ):
        return True
    set_before, used_before = _names(between)
    set_after, used_after = _names([question])
    return bool(set_before & (set_after | used_after) or set_after & used_before)


def _names(statements: Iterable[ast.stmt]) -> tuple[set[str], set[str]]:
    names = [node for node in _nodes(statements) if isinstance(node, ast.Name)]
    written = {node.id for node in names if type(node.ctx) is not ast.Load}
    return written, {node.id for node in names if type(node.ctx) is ast.Load}


def _nodes(statements: Iterable[ast.stmt]) -> Iterable[ast.AST]:
    return (node for statement in statements for node in ast.walk(statement))


def _text(question: ast.stmt, first: ast.stmt, block: Sequence[ast.stmt], source: Source) -> Move | None:
    """Whole lines, each statement with the comments right above it."""
    before = block[block.index(question) - 1]
    last = question.end_lineno or question.lineno
    following = block[block.index(question) + 1 : block.index(question) + 2]
    earlier = block[max(block.index(first) - 1, 0) : block.index(first)]
    shares = (before.end_lineno or before.lineno) >= question.lineno or any(one.lineno <= last for one in following)
    above = max((one.end_lineno or one.lineno for one in earlier), default=0)
    if shares or above >= first.lineno or not source.lines[last - 1].endswith(("\n", "\r")):
        return None
    if not _stands_first(question, source) or not _stands_first(first, source):
        return None
    start = _with_comments(question.lineno, source)
    return (
        question,
        source.line_start(start),
        source.line_start(last + 1),
        source.line_start(_with_comments(first.lineno, source)),
    )


def _stands_first(statement: ast.stmt, source: Source) -> bool:
    """Nothing but white space is before it on its line: no `if x: statement`."""
    return not source.text[source.line_start(statement.lineno) : source.start(statement)].strip()


def _with_comments(line: int, source: Source) -> int:
    while line > 1 and source.lines[line - 2].lstrip().startswith("#"):
        line -= 1
    return line
