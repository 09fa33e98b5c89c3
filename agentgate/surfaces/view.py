"""`--view`: the outcome as frames that a surface draws, one JSON object a line, vyre's format.

from agentgate import view

view.show(view.table(threads, {"name": "Thread"}))      # in a handler, which returns the data as before

A stop gives one prompt frame for each input: the surface asks, and runs `args` again with the answer as the last word,
as `--flag ANSWER`, on stdin, or (a consent) as they are.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from ..runtime import commandline, envelope, state
from . import frames
from .frames import Action, View, card, checks, qr, table, text
from .profiles import vyre

__all__ = [
    "Action",
    "View",
    "begin",
    "card",
    "checks",
    "frame",
    "in_use",
    "qr",
    "render",
    "show",
    "table",
    "text",
    "use",
]

PERSON = 3

_command: str | None = None
_shown: list[View] = []


def show(view: View) -> None:
    """Choose what a surface draws of this run; nothing of it changes what others see.

    In a live command it is drawn at once.
    """
    from . import stream

    if _command is not None and stream.is_open():
        stream.send_view(view)
    elif _command is not None:
        _shown.append(view)


def use(command: str) -> None:
    """End this run with frames.

    command: the words that call the command, as the frames name it.
    """
    global _command
    _command = command
    state.forced = state.silent_stdout = True  # a prompt is a frame too
    state.render = _render


def begin() -> None:
    """The run itself: nothing is coloured, and nothing left on stdin, for the program and its children.

    What came on stdin for agentgate has been read by then.
    """
    state.forced = True  # also where the command line says `--agent no`: nobody could be asked
    os.environ["NO_COLOR"] = "1"
    os.environ.pop("FORCE_COLOR", None)
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115  # for the rest of the run
    try:
        os.dup2(sys.stdin.fileno(), 0)
    except OSError:
        pass


def in_use() -> bool:
    """Whether this run ends with frames."""
    return _command is not None


def frame(view: View, data: Any = None, command: str | None = None) -> dict[str, Any]:
    """One frame. command: left out, that of this run."""
    return {"v": 1, "cmd": _command if command is None else command, "view": view.document(), "data": data}


def render(
    document: dict[str, Any], command: str, start: list[str], shown: list[View] | tuple[View, ...] = ()
) -> tuple[list[dict[str, Any]], int]:
    """The frames of an envelope, and the exit code that the last of them tells.

    command: as the frames name it. start: what starts the program, which `args` leave out. shown: the views that the
    handler chose.
    """
    found: list[dict[str, Any]] = []
    code = vyre.exit_code(document)
    data = document.get("data")
    if document["ok"] or data is not None:
        found = [frame(one, data, command) for one in shown or [frames.derived(data)]]
    if not document["ok"]:
        failure = vyre.render(document).lines[-1]
        plan = document.get("consent", {}).get("plan")
        if plan is not None:
            found.append(frame(frames.derived(plan), plan, command))
        asked = _prompts(document, start)
        if not asked:
            asked, code = [frames.error(**failure["error"])], code if document["status"] == "failed" else PERSON
        found += [frame(one, failure, command) for one in asked]
    return [*found, {"v": 1, "done": True, "exit": code}], code


def _render(document: dict[str, Any]) -> tuple[list[str], int, str]:
    found, code = render(document, _command or "", commandline.start(), _shown)
    return [envelope.dumps(one) for one in found], code, ""


def _prompts(document: dict[str, Any], start: list[str]) -> list[View]:
    """The questions that answers can be given to here; those for secrets last, as only one answer fits on stdin."""
    if vyre.exit_code(document) != vyre.USAGE_OR_PROMPT or document["status"] != "action_required":
        return []
    arguments = _arguments(document, start)
    if arguments is None:
        return []
    inputs = document.get("inputs", [])
    if "consent" in document:
        name = inputs[0]["name"] if inputs else "confirm"
        return [frames.prompt(name, document["message"], arguments, "confirm")]
    asked = [one for one in inputs if one["answer"] != "confirm"]  # one to come, which has no token yet
    return [_prompt(one, arguments) for one in sorted(asked, key=lambda one: bool(one["secret"]))]


def _prompt(one: dict[str, Any], arguments: list[str]) -> View:
    name, label, choices = one["name"], one["label"] or one["name"], one.get("choices")
    flag = one.get("flag", "")
    if one["answer"] == "word" and not one["secret"]:
        return frames.prompt(name, label, arguments, "word", choices=choices)
    if flag.startswith("--") and flag != "--answer" and "--" not in arguments and not one["secret"]:
        return frames.prompt(name, label, arguments, "flag", flag=flag[2:], choices=choices)
    own = commandline.with_options(arguments, ["--answer-stdin", name])
    return frames.prompt(name, label, own, "stdin", choices=choices, secret=one["secret"])


def _arguments(document: dict[str, Any], start: list[str]) -> list[str] | None:
    """The arguments of the next run, without what the answers bring; None where only the launcher could carry them."""
    token = document.get("consent", {}).get("token")
    argv = next((one["argv"] for one in document["next"] if token is None or token in one["argv"]), None)
    if argv is None or argv[: len(start)] != start:
        return None
    arguments: list[str] = argv[len(start) :]
    for brought in (["--answers", "-"], *(one["args"] for one in document.get("inputs", []))):
        arguments = _without(arguments, brought)
    return arguments


def _without(words: list[str], part: list[str]) -> list[str]:
    for at in range(len(words) - len(part) + 1):
        if part and words[at : at + len(part)] == part:
            return [*words[:at], *words[at + len(part) :]]
    return words
