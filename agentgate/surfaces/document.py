"""A run of the program itself: as it is, or as one document."""

from __future__ import annotations

import io
import sys
from contextlib import nullcontext
from typing import Any, NoReturn

from ..runtime import commandline, envelope, mode, state, stop, streams
from . import explain, fields, outcome, overview, steps, stream, truncation
from .host import Ended, Host
from .kept import Kept, keep_stdout
from .request import Request
from .tree import Command, Program

__all__ = ["end_with_overview", "plain", "run"]


def plain(host: Host) -> Any:
    """Run it as it is. An agent gets a failure that the program tells of as an envelope too."""
    arguments = list(sys.argv[1:])
    try:
        return host.call(False)
    except stop.ActionRequired:
        raise
    except SystemExit as error:
        said = _said(host, error)
        if said is not None and mode.agent_run():
            code = stop.print_envelope(_failed(said, _exit_code(error), host.read(), arguments))
            if code != _exit_code(error):
                raise SystemExit(code) from None
        raise


def run(host: Host, asked: Request, program: Program, *, may_cut: bool) -> Any:
    """Run it, and end with one document that holds what it returned, or else what it printed.

    may_cut: whether what is too long for an agent is cut. Raises SystemExit with the program's own exit code, or
    that of the document's format.
    """
    arguments = list(sys.argv[1:])
    command = program.root.called_by(arguments)
    if asked.fields == ():
        _list_fields(command)
    state.silent_stdout = True
    failure: dict[str, Any] | None = None
    value, code = None, 0
    printed = Kept(io.BytesIO()) if command.effects.live else keep_stdout()
    try:
        with stream.opened() if command.effects.live else nullcontext():
            value = host.call(True)
    except (stop.ActionRequired, stop.Told):
        _show(printed)
        raise
    except SystemExit as error:
        code = _exit_code(error)
        if code:
            failure = _said(host, error) or {"code": "failed", "message": _text_of(error, code)}
    except KeyboardInterrupt:
        if state.stopped is not None:
            raise
        code, failure = 130, {"code": "interrupted", "message": "The run was interrupted."}
    except Exception as error:
        import traceback

        traceback.print_exc()
        code, failure = 1, {"code": "failed", "message": f"{type(error).__name__}: {error}"}
    # what the command returned, if that is data; else what it printed
    data = envelope.sayable(value if isinstance(value, (dict, list)) else printed.data())
    if may_cut and not arguments and overview.OPTION not in host.declared and _is_help(data, command):
        end_with_overview(program)
    meta = {"changed": outcome.has_changed(), "provenance": explain.provenance(host.origins(arguments)) or None}
    unknown = fields.missing(data, asked.fields) if asked.fields and failure is None else []
    if asked.fields and failure is None:
        data = fields.select(data, asked.fields)
    if may_cut:
        data, meta["truncated"] = truncation.cut(data)
    if failure is not None:
        build = _failed(failure, code, program.root, arguments, data=data, meta=meta)
    else:
        message = f"There is no field {', '.join(unknown)}." if unknown else None
        following = outcome.steps() or steps.after_success(program, command)
        build = envelope.build("ok", exit_code=0, message=message, data=data, next=following or None, meta=meta)
    raise SystemExit(stop.print_envelope(build))


def _is_help(data: Any, command: Command) -> bool:
    """Whether a program that was given no command did nothing but print its help."""
    shown = data.get("text") if isinstance(data, dict) else None
    return bool(command.commands) and isinstance(shown, str) and shown.split() == command.rendered().split()


def end_with_overview(program: Program) -> NoReturn:
    """End with the program's commands, for an agent to choose from."""
    state.silent_stdout = True
    following = overview.steps(program, commandline.start())
    document = envelope.build("ok", exit_code=0, data=overview.document(program), next=following)
    raise SystemExit(stop.print_envelope(document))


def _show(printed: Kept) -> None:
    """Give what was printed before a stop to whoever reads stderr."""
    streams.say(printed.read().decode("utf-8", "replace"))


def _failed(said: dict[str, Any], code: int, root: Command, arguments: list[str], **parts: Any) -> dict[str, Any]:
    """The envelope of a failure, with what repairs it."""
    command = root.called_by(arguments)
    fix = said.get("fix") or steps.repair(said, root, arguments)
    following = [*outcome.steps(), *steps.after_failure(command)]
    return envelope.build("failed", exit_code=code, next=following, **{**said, "fix": fix}, **parts)


def _said(host: Host, error: SystemExit) -> dict[str, Any] | None:
    """What the program, or its framework, told of the failure."""
    if isinstance(error, outcome.Failed):
        return {"code": error.error, "message": error.message, "hint": error.hint, "fix": error.fix}
    said: Ended | None = host.ended(error)
    return {"code": said.code, "message": said.message} if said is not None else None


def _list_fields(command: Command) -> None:
    """End with the fields that the command's document has, where they can be told without running it."""
    found = fields.declared(command.handler)
    if not found:
        stop.usage_error(
            f"--json=: {' '.join(command.path) or command.name} does not declare what it returns; run it with --json"
        )
    stop.print_envelope(envelope.build("ok", exit_code=0, data={"fields": found}))
    raise SystemExit(0)


def _exit_code(error: SystemExit) -> int:
    if error.code is None:
        return 0
    return int(error.code) if isinstance(error.code, int) else 1


def _text_of(error: SystemExit, code: int) -> str:
    return f"The command ended with exit code {code}." if isinstance(error.code, int) else str(error.code)
