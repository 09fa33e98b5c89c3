"""What the integrations share: the options' texts, usage errors as envelopes, and `--json`."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Collection
from contextlib import redirect_stdout
from typing import Any, NamedTuple

from ..runtime import entry, envelope, mode, state, stop

__all__ = ["GROUP", "JSON", "OPTIONS", "Ended", "Option", "before_dashes", "run"]

GROUP = "agent options"
JSON = "--json"


class Option(NamedTuple):
    """One option: how its value is shown in help (None for a flag), whether it may be repeated, and its help."""

    flag: str
    metavar: str | None
    repeat: bool
    help: str


OPTIONS = (
    Option("--agent", "auto|yes|no", False, "Who runs this: an agent, a person, or found out."),
    Option("--confirm", "TOKEN", True, "A person's consent to one question of this command line."),
    Option("--answer", "NAME=VALUE", True, "The answer to a question that would be asked."),
    Option("--answers", "FILE|-", False, "Answers as a JSON object, from a file or stdin; the only way for secrets."),
    Option(JSON, None, False, "Print one JSON document."),
)


class Ended(NamedTuple):
    """How a framework ended the program: an error code of the envelope, and its sentence."""

    code: str
    message: str


def run(
    call: Callable[[bool], Any],
    *,
    program: str | None,
    declared: Collection[str],
    ended: Callable[[SystemExit], Ended | None],
) -> Any:
    """Run a program with agentgate's options.

    call: runs it, given whether its result goes into a document. program: its name. declared: the options
    that it declares itself, which are then its own. ended: what a SystemExit of the framework means.
    """
    as_document = JSON not in declared and JSON in before_dashes(sys.argv[1:])
    leave = [option for option in entry.OPTIONS if option in declared]

    def main() -> Any:
        if not as_document:
            return _plain(call, ended)
        sys.argv.remove(JSON)  # it stays in this run's command line, and so in `next`
        return _document(call, ended)

    return entry.run(main, program=program, leave=leave)


def before_dashes(arguments: list[str]) -> list[str]:
    """The arguments that may be options: those before `--`."""
    return arguments[: arguments.index("--")] if "--" in arguments else arguments


def _plain(call: Callable[[bool], Any], ended: Callable[[SystemExit], Ended | None]) -> Any:
    try:
        return call(False)
    except stop.ActionRequired:
        raise
    except SystemExit as error:
        said = ended(error)
        if said is not None and mode.agent_run():
            _print_failure(said, _exit_code(error))
        raise


def _document(call: Callable[[bool], Any], ended: Callable[[SystemExit], Ended | None]) -> Any:
    """Run the program with its output kept back, and print one document with what it returned or printed."""
    state.silent_stdout = True
    printed = io.StringIO()
    try:
        with redirect_stdout(printed):
            value = call(True)
    except stop.ActionRequired:
        raise
    except SystemExit as error:
        value, code = None, _exit_code(error)
        if code:
            said = ended(error) or Ended("failed", _text_of(error, code))
            _print_failure(said, code, _data(None, printed.getvalue()))
            raise SystemExit(code) from None
    stop.print_envelope(envelope.build("ok", exit_code=0, data=_data(value, printed.getvalue())))
    raise SystemExit(0)


def _print_failure(said: Ended, code: int, data: Any = None) -> None:
    stop.print_envelope(envelope.build("failed", exit_code=code, code=said.code, message=said.message, data=data))


def _data(value: Any, printed: str) -> Any:
    """What the command returned, if that is data; else the JSON or the text that it printed."""
    if isinstance(value, (dict, list)):
        return value
    if not printed:
        return None
    try:
        return json.loads(printed)
    except ValueError:
        return {"text": printed}


def _exit_code(error: SystemExit) -> int:
    if error.code is None:
        return 0
    return error.code if isinstance(error.code, int) else 1


def _text_of(error: SystemExit, code: int) -> str:
    return error.code if isinstance(error.code, str) else f"The command ended with exit code {code}."
