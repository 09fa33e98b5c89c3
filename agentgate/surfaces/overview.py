"""A program that is called with no arguments: its commands, for an agent to choose from."""

from __future__ import annotations

from typing import Any

from ..runtime import envelope
from .tree import Command, Program

__all__ = ["OPTION", "document", "steps"]

OPTION = "overview"  # what `declared` holds where it is left out


def document(program: Program) -> dict[str, Any]:
    """The commands as a tree, each with what it is for and how it is called."""
    root = program.root
    found: dict[str, Any] = {"name": program.name, "description": root.description or root.summary}
    if program.version:
        found["version"] = program.version
    return {**found, "usage": root.usage, "commands": [_command(one) for one in root.visible]}


def steps(program: Program, start: list[str]) -> list[dict[str, Any]]:
    """What to run next, for an agent that has only just met the program."""
    command = {"command": {"description": "one of the commands", "enum": [one.name for one in program.root.visible]}}
    return [
        envelope.next_step([*start, "<command>", "--help", "--json"], "to read how a command is called", command),
        envelope.next_step([*start, "--schema"], "to read the whole program as JSON Schema"),
    ]


def _command(command: Command) -> dict[str, Any]:
    found: dict[str, Any] = {"name": command.name, "description": command.summary, "usage": command.usage}
    if command.effects.kind:
        found["effects"] = command.effects.kind
    if command.commands:
        found["commands"] = [_command(one) for one in command.visible]
    return found
