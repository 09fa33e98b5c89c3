"""AG109, AG106: a child process that can ask on the terminal, or opens an editor or a pager there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate.lint import argv, surroundings
from agentgate.lint.context import Context
from agentgate.lint.finding import CODE_OF_KIND
from agentgate.lint.known import Start
from agentgate.lint.programs import asking
from agentgate.lint.sites import Site

__all__ = ["find"]

CHILD = "AG109"


def find(context: Context) -> Iterator[Site | None]:
    """The calls that start a program which can wait for a person. One whose command line is not known is none."""
    everywhere: dict[str, str | None] | None = None
    for call, name in context.calls(context.known.starts):
        start = context.known.starts[name]
        commands = _commands(call, start, context)
        if not commands:
            continue
        if everywhere is None:
            everywhere = surroundings.set_in_file(context)
        around = surroundings.of_call(call, start, context, everywhere)
        for command in commands if around is not None else ():
            found = asking(command, around, context.known) if around is not None else None
            if found is None:
                continue
            code = CODE_OF_KIND[found.program.kind] if found.program.kind in ("editor", "pager") else CHILD
            text = f"`{found.shown}` {found.program.does}: {found.program.safe}"
            yield context.sites.report(call.func, code, found.program.kind, name, text=text)
            break


def _commands(call: ast.Call, start: Start, context: Context) -> list[argv.Words]:
    """The command lines of a call."""
    if start.words is not None:
        return [argv.words(call.args[start.words :], context)]
    given = [keyword.value for keyword in call.keywords if keyword.arg == start.argv]
    position = start.args.index(start.argv or "")
    if any(isinstance(argument, ast.Starred) for argument in call.args[: position + 1]):
        return []
    given += call.args[position : position + 1]
    return argv.read(given[0], context) if given else []
