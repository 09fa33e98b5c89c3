"""AG109: a read of stdin right after a printed question. Elsewhere such a read takes data."""

from __future__ import annotations

import ast

from agentgate.lint.labels import Labels
from agentgate.lint.printed import is_flush
from agentgate.lint.tree import Parents

__all__ = ["printed_question"]

_WRITES = ("write", "writelines")


def printed_question(call: ast.Call, parents: Parents, labels: Labels) -> str | None:
    """What was printed, without an end of line, right before the read; None when it was nothing.

    An empty string stands for a text of which nothing is known but that it leaves the cursor on its line.
    """
    statement = parents.statement(call)
    before = parents.before(statement) if statement is not None else None
    while before is not None and is_flush(before):
        before = parents.before(before)
    if not isinstance(before, ast.Expr) or not isinstance(before.value, ast.Call) or not before.value.args:
        return None
    printed = before.value
    keywords = {keyword.arg: keyword.value for keyword in printed.keywords}
    name = getattr(printed.func, "id", getattr(printed.func, "attr", ""))
    if name == "print" and isinstance(keywords.get("end"), ast.Constant):
        end = keywords["end"].value  # type: ignore[attr-defined]
        return labels.read(printed.args[0]) or "" if "\n" not in str(end) else None
    if name in ("echo", "secho") and isinstance(keywords.get("nl"), ast.Constant):
        return None if keywords["nl"].value else labels.read(printed.args[0]) or ""  # type: ignore[attr-defined]
    if name in _WRITES and _is_stream(printed.func):
        # whole lines, and texts that only the run knows, may be a protocol's
        end = _last_words(printed.args[0])
        return labels.read(printed.args[0]) or "" if end and not end.endswith("\n") else None
    return None


def _last_words(node: ast.expr) -> str | None:
    """The literal that a text ends with."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.BinOp(op=ast.Add(), right=right):
            return _last_words(right)
        case ast.JoinedStr(values=[*_, last]):
            return _last_words(last)
        case ast.BinOp(op=ast.Mod(), left=ast.Constant(value=str(text))):
            return text
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
            return text
        case _:
            return None


def _is_stream(function: ast.expr) -> bool:
    """`sys.stdout.write`, `sys.stderr.write`."""
    return isinstance(function, ast.Attribute) and (
        getattr(function.value, "attr", getattr(function.value, "id", "")) in ("stdout", "stderr", "__stderr__")
    )
