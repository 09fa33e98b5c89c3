"""What a program writes right before it reads: the question, where the read itself asks none."""

from __future__ import annotations

import ast

from agentgate.lint.tree import Parents

__all__ = ["is_flush", "printed_before"]

# the last word of what a stream for the person is called (`self.prompt_output`)
_STREAMS = frozenset({"stdout", "stderr", "output", "out", "console", "terminal", "tty", "screen"})
_PRINTS = ("print", "echo", "secho")


def printed_before(call: ast.Call, parents: Parents) -> ast.expr | None:
    """The text that is written right before the statement of a call; None when it is none, or several."""
    statement = parents.statement(call)
    before = _before(statement, parents) if statement is not None else None
    while before is not None and is_flush(before):
        before = parents.before(before)
    written = before.value if isinstance(before, ast.Expr) else None
    if not isinstance(written, ast.Call) or len(written.args) != 1 or isinstance(written.args[0], ast.Starred):
        return None
    keywords = {keyword.arg: keyword.value for keyword in written.keywords}
    name = getattr(written.func, "id", getattr(written.func, "attr", ""))
    owner = written.func.value if isinstance(written.func, ast.Attribute) else None
    to = keywords.get("file")
    if None in keywords or (to is not None and not _is_stream(to)):
        return None
    if name in _PRINTS or (name == "write" and owner is not None and _is_stream(owner)):
        return written.args[0]
    return None


def is_flush(statement: ast.stmt) -> bool:
    """The statement only flushes a stream."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "flush"


def _before(statement: ast.stmt, parents: Parents) -> ast.stmt | None:
    """The statement before, also before a `try` or a `while True` that begins with this one."""
    before = parents.before(statement)
    around = parents.of(statement)
    if before is None and isinstance(around, ast.Try | ast.While) and around.body[0] is statement:
        asks_again = isinstance(around, ast.While) and not (
            isinstance(around.test, ast.Constant) and bool(around.test.value)
        )
        return None if asks_again else _before(around, parents)
    return before


def _is_stream(node: ast.expr) -> bool:
    name = getattr(node, "attr", getattr(node, "id", ""))
    return name.strip("_").rpartition("_")[2] in _STREAMS
