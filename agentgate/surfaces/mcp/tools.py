"""A program's commands as MCP tools."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from mcp import types

from ..effects import Effects
from ..tree import Command, Program
from .arguments import schema_of

__all__ = ["Tool", "tools_of"]

LONGEST = 64  # characters of a tool's name that model APIs take
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]+")
PERSON = "A person must finish it."


class Tool(NamedTuple):
    """One command that can be called. levels: the commands from the top one to it."""

    levels: list[Command]
    listed: types.Tool


def tools_of(program: Program) -> dict[str, Tool]:
    """The tools by name: all commands that can be run, but for hidden and withheld ones."""
    tools: dict[str, Tool] = {}
    for command in program.root.leaves():
        if command.effects.kind != "withheld":
            name = _name("_".join(command.path) or program.name, tools)
            levels = [_at(program.root, command.path[:depth]) for depth in range(len(command.path))] + [command]
            tools[name] = Tool(levels, _listed(name, command, schema_of(levels)))
    return tools


def _at(root: Command, path: tuple[str, ...]) -> Command:
    found = root.find(path)
    assert found is not None
    return found


def _name(wanted: str, taken: dict[str, Tool]) -> str:
    plain = _NOT_IN_A_NAME.sub("_", wanted)[:LONGEST] or "command"
    name, number = plain, 1
    while name in taken:
        number += 1
        name = f"{plain[: LONGEST - len(str(number)) - 1]}_{number}"
    return name


def _listed(name: str, command: Command, schema: dict[str, Any]) -> types.Tool:
    text = command.description or command.summary
    return types.Tool(
        name=name,
        description="\n\n".join(filter(None, [text, PERSON if command.effects.person else ""])) or None,
        input_schema=schema,
        annotations=_annotations(command.effects),
    )


def _annotations(effects: Effects) -> types.ToolAnnotations | None:
    if effects.kind == "read_only":
        return types.ToolAnnotations(read_only_hint=True)
    if effects.kind == "idempotent":
        return types.ToolAnnotations(read_only_hint=False, idempotent_hint=True)
    if effects.kind == "non_idempotent":
        return types.ToolAnnotations(read_only_hint=False, destructive_hint=True)
    return None
