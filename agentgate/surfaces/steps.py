"""What can be done after a run: what the tree tells, where the handler said nothing of its own."""

from __future__ import annotations

import difflib
from typing import Any

from ..runtime import commandline, envelope
from .request import before_dashes
from .tree import Command, Program

__all__ = ["MOST", "after_failure", "after_success", "repair"]

MOST = 3


def after_success(program: Program, command: Command) -> list[dict[str, Any]]:
    """The commands that only look and come to an end, which are always safe to run next; else the list of all."""
    looking = [
        one
        for one in program.root.leaves()
        if one.effects.kind == "read_only" and not one.effects.live and one.path != command.path
    ]
    if looking or not program.root.needs_command:
        return [_step(one) for one in looking[:MOST]]
    return [envelope.next_step(commandline.start(), "to see all commands")]


def after_failure(command: Command) -> list[dict[str, Any]]:
    """The command's manual."""
    return [envelope.next_step([*commandline.start(), *command.path, "--help", "--json"], "to read how it is called")]


def repair(failure: dict[str, Any], root: Command, arguments: list[str]) -> str | None:
    """What repairs a usage error: the nearest word that the parser knows where the wrong one stands."""
    if failure["code"] != "usage":
        return None
    line = root.line_of(arguments)
    command, wrong = line[-1], None
    for under, word in root.placed(before_dashes(arguments)):
        flag = word.partition("=")[0]
        if flag.startswith("--") and flag not in _flags(under):
            above = next((one for one in line[: line.index(under)] if flag in _flags(one)), None)
            if above is not None:
                return f"Put {flag} before {under.path[len(above.path)]}."
            near = difflib.get_close_matches(
                flag, [one for one in _flags(under, own=True) if one.startswith("--")], n=1
            )
            return f"Use {near[0]} instead of {flag}." if near else f"Leave out {flag}."
        if under is command and not word.startswith("-") and wrong is None:
            wrong = word
    if command.commands:
        names = [one.name for one in command.visible]
        near = difflib.get_close_matches(wrong or "", names, n=1)
        return f"Use {near[0]} instead of {wrong}." if near else f"Use one of: {', '.join(names)}."
    for one in command.own:
        if one.choices and all(repr(str(choice)) in failure["message"] for choice in one.choices):
            return f"{one.flag or one.name} is one of: {', '.join(map(str, one.choices))}."
    lacking = [one.flag or f"<{one.name}>" for one in command.own if one.required and one.name in failure["message"]]
    return f"Give it {', '.join(lacking)}." if lacking else f"It is called as: {command.usage}"


def _flags(command: Command, *, own: bool = False) -> list[str]:
    """own: without agentgate's, which nobody means who misspells one of the program."""
    return [flag for one in command.parameters if not (own and one.ours) for flag in (*one.flags, *one.off)]


def _step(command: Command) -> dict[str, Any]:
    words: list[str] = []
    params: dict[str, Any] = {}
    for one in command.own:
        if one.required:
            words += [one.flag, f"<{one.name}>"] if one.is_option else [f"<{one.name}>"]
            about: dict[str, Any] = {"description": one.help or one.name, "required": True}
            if one.choices:
                about["enum"] = [str(choice) for choice in one.choices]
            params[one.name] = about
    argv = [*commandline.start(), *command.path, *words]
    return envelope.next_step(argv, f"to {command.summary[:1].lower()}{command.summary[1:].rstrip('.')}", params)
