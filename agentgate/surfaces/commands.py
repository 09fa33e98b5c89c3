"""`commands [NAME] [--all]`: the commands and their verbs, in the form that vyre's surfaces read."""

from __future__ import annotations

from typing import Any

from ..runtime import stop
from .tree import Command, Parameter, Program

__all__ = ["document", "table"]

GROUP = "commands"  # of a command that its program puts under no heading of its own


def document(program: Program, words: tuple[str, ...]) -> dict[str, Any]:
    """What `commands WORDS` prints. Raises SystemExit (exit code 2) for a command that there is not."""
    hidden = "--all" in words
    names = [word for word in words if word != "--all"]
    for word in names:
        if word.startswith("-"):
            stop.usage_error(f"commands takes a command's name and --all, not {word}")
    root = program.root
    listed = [one for one in (root.commands if root.commands else (root,)) if hidden or names or not one.hidden]
    if names:
        listed = [one for one in listed if names[0] in (one.name, *one.aliases)]
        if not listed or len(names) > 1:
            known = ", ".join(one.name for one in root.visible) or program.name
            stop.usage_error(f"commands: there is no command {' '.join(names)!r}; there are: {known}")
    return {"v": 1, "commands": [_command(one, hidden=hidden) for one in listed]}


def table(found: dict[str, Any]) -> str:
    """The commands as text: one line each."""
    rows = [
        (" ".join(filter(None, [one["name"], verb.get("verb", "")])), verb.get("summary", ""))
        for one in found["commands"]
        for verb in one.get("verbs", [one])
    ]
    width = max((len(name) for name, _ in rows), default=0)
    return "\n".join(f"{name.ljust(width)}  {summary}".rstrip() for name, summary in rows)


def _command(command: Command, *, hidden: bool) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": command.name,
        "summary": command.summary,
        "group": command.group or GROUP,
        "usage": command.usage,
    }
    if not command.commands:
        return {**found, **_takes(command)}
    verbs = [one for one in command.leaves(hidden=hidden) if one is not command]
    return {**found, "verbs": [_verb(one, command) for one in verbs]}


def _verb(verb: Command, command: Command) -> dict[str, Any]:
    found: dict[str, Any] = {"verb": " ".join(verb.path[len(command.path) :])}
    if verb.aliases:
        found["aliases"] = list(verb.aliases)
    if verb.summary:
        found["summary"] = verb.summary
    return {**found, **_takes(verb)}


def _takes(command: Command) -> dict[str, Any]:
    found: dict[str, Any] = {
        "args": [_argument(one) for one in command.arguments],
        "flags": [_flag(one) for one in command.options],
        "read": command.effects.kind == "read_only",
    }
    if command.effects.person:
        found["person"] = True
    if command.effects.live:
        found["live"] = True
    return found


def _argument(parameter: Parameter) -> dict[str, Any]:
    found: dict[str, Any] = {"name": parameter.name, "required": parameter.required}
    if parameter.repeat:
        found["repeat"] = True
    return {**found, **_choices(parameter)}


def _flag(parameter: Parameter) -> dict[str, Any]:
    found: dict[str, Any] = {"name": parameter.flag.lstrip("-")}
    if parameter.takes_value:
        found["value"] = True
    return {**found, **_choices(parameter)}


def _choices(parameter: Parameter) -> dict[str, Any]:
    return {"choices": [str(one) for one in parameter.choices]} if parameter.choices else {}
