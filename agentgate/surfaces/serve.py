"""The front door: what a command line asks for, and who gives it."""

from __future__ import annotations

import sys
from typing import Any

from ..runtime import commandline, envelope, mode, state, stop, streams
from . import commands, completion, document, explain, manual, mcp, overview, profiles, request, schema, secrets, view
from .host import Host
from .request import Request
from .tree import Program
from .version import version_of

__all__ = ["prepare", "program_of", "run"]


def prepare(host: Host) -> None:
    """Take up the form that a command line asks for before anything of it can be wrong."""
    asked = request.take(sys.argv[1:], host.declared, host.read)
    if asked.profile is not None:
        if asked.profile not in profiles.NAMES:
            stop.usage_error(f"--envelope is {asked.profile!r}: use {', '.join(profiles.NAMES)}")
        profiles.use(asked.profile)
    if asked.form == "view":
        view.use(" ".join(host.read().called_by(asked.rest).path))
    elif asked.form == "json" or (asked.form is None and asked.profile is not None):
        state.silent_stdout = state.wants_document = True


def run(host: Host) -> Any:
    """Run a program, or describe it, as its command line asks; returns what it returned, as text."""
    arguments, state.stripped_argv = secrets.hide(sys.argv[1:], host.read())
    asked = request.take(arguments, host.declared, host.read)
    sys.argv[1:] = asked.rest
    if asked.describe is not None:
        _describe(host, asked)
        raise SystemExit(1 if state.unwritten else 0)
    by_agent = mode.agent_run() and asked.form != "view"
    by_default = "json" if (asked.profile or by_agent) and "--json" not in host.declared else "text"
    form = asked.form or by_default
    if form == "view":
        view.begin()
    if mode.agent_run() and asked.form != "text" and not asked.rest and _has_only_commands(host):
        document.end_with_overview(program_of(host))
    if form == "text" or (asked.form is None and _asks_about_program(host, asked.rest)):
        return document.plain(host)
    if asked.form is not None and not mode.said_no() and sys.stdin is not None and sys.stdin.isatty():
        state.forced = True  # a document and a prompt do not go together: what would be asked comes back in it
    return document.run(host, asked, program_of(host), may_cut=by_agent)


def program_of(host: Host) -> Program:
    """The program that a host runs."""
    root = host.read()
    handlers = [host.main, *(one.handler for one in root.walk())]
    return Program(root=root, main=host.main, version=version_of(next(filter(None, handlers), None)))


def _describe(host: Host, asked: Request) -> None:
    program = program_of(host)
    if asked.describe == "schema":
        _print(envelope.dumps(schema.document(program, asked.words)))
    elif asked.describe == "commands":
        found = commands.document(program, asked.words)
        _print(commands.table(found) if _wants_text(asked) else envelope.dumps(found))
    elif asked.describe == "manual":
        _print_envelope(manual.document(program.root.called_by(asked.rest)))
    elif asked.describe == "explain":
        found = explain.document(program.root.line_of(asked.rest), host.origins(asked.rest), *asked.words)
        if _wants_text(asked):
            _print(explain.sentence(found))
        else:
            _print_envelope(found)
    elif asked.describe == "completion":
        _print(completion.document(program, asked.words).removesuffix("\n"))
    elif asked.describe == "mcp":
        raise SystemExit(mcp.serve(program, commandline.start()))


def _wants_text(asked: Request) -> bool:
    return asked.form == "text" or (asked.form is None and not mode.agent_run())


def _print(text: str) -> None:
    try:
        print(streams.showable(text), flush=True)
    except OSError as error:
        streams.give_up(error, sys.stdout)


def _print_envelope(data: dict[str, Any]) -> None:
    state.silent_stdout = True
    stop.print_envelope(envelope.build("ok", exit_code=0, data=data))


def _has_only_commands(host: Host) -> bool:
    return overview.OPTION not in host.declared and host.read().needs_command


def _asks_about_program(host: Host, arguments: list[str]) -> bool:
    """Whether it asks for `--help` or `--version`, which stay text."""
    before = request.before_dashes(arguments)
    if not any(word.startswith("-") for word in before):
        return False
    asking = {flag for one in host.read().called_by(before).parameters if one.about_program for flag in one.flags}
    return any(word in asking for word in before)
