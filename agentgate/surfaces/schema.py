"""`--schema` and `schema [COMMAND] [--field a.b]`: the program as data, with nothing of it run."""

from __future__ import annotations

import json
from typing import Any

from ..runtime import state, stop
from .prompts import Asked, prompts
from .secrets import stdin_form
from .tree import Command, Parameter, Program, filled, plain

__all__ = ["BUDGET", "EXIT_CODES", "command_schema", "document", "input_schema", "program_schema"]

BUDGET = 48_000  # characters that an agent is sent unasked
EXIT_CODES = {
    "0": "done",
    "1": "a check found something, or the command failed",
    "2": "usage",
    "3": "action required: only a person can go on",
    "130": "interrupted",
}


def document(program: Program, words: tuple[str, ...], *, asked_by: str | None = None) -> Any:
    """What `schema WORDS` prints. Raises SystemExit (exit code 2) for a command or a field that there is not.

    asked_by: the command line that asks it of a program that knows nothing of agentgate, nor of its exit codes.
    """
    words, field = _operands(words)
    if not words:
        whole = program_schema(program)
        if asked_by:
            del whole["exit_codes"]
        return _field(whole, field) if field else _within_budget(whole, program, asked_by)
    command = program.root.find(words)
    if command is None:
        known = ", ".join(one.name for one in program.root.visible) or "none"
        stop.usage_error(f"schema: {program.name} has no command {' '.join(words)!r}; its commands are: {known}")
    described = command_schema(command, prompts(program).of(command))
    if command.commands:
        described["commands"] = [_summary(one) for one in command.leaves() if one is not command]
    return _field(described, field) if field else described


def program_schema(program: Program) -> dict[str, Any]:
    """The whole program: its exit codes, its commands, and the questions that belong to none of them."""
    asked = prompts(program)
    return filled(
        {
            "name": program.name,
            "version": program.version,
            "description": program.root.description or program.root.summary,
            "exit_codes": {str(state.exit_code) if code == "3" else code: text for code, text in EXIT_CODES.items()},
            "commands": [command_schema(one, asked.of(one)) for one in program.root.leaves()],
            "prompts": [_prompt(one) for one in asked.of_program],
        }
    )


def command_schema(command: Command, asked: list[Asked]) -> dict[str, Any]:
    """One command. asked: the questions that it may ask."""
    return filled(
        {
            "name": " ".join(command.path) or command.name,
            "aliases": list(command.aliases),
            "summary": command.summary,
            "description": command.description if command.description != command.summary else "",
            "effects": command.effects.kind,
            "person": command.effects.person,
            "live": command.effects.live,
            "inputSchema": input_schema(command),
            "examples": list(command.examples),
            "prompts": [_prompt(one) for one in asked],
        }
    )


def input_schema(command: Command) -> dict[str, Any]:
    """What a command takes, as JSON Schema 2020-12; `flag` says how a value is put on the command line."""
    shown = _named([*command.arguments, *command.options])
    return {
        "type": "object",
        "properties": {name: _property(one) for name, one in shown.items()},
        "required": [name for name, one in shown.items() if one.required],
        "additionalProperties": False,
    }


def _named(parameters: list[Parameter]) -> dict[str, Parameter]:
    """By name; of several options for one value (`--fast`, `--slow`), the first has it and the others their own."""
    named: dict[str, Parameter] = {}
    for one in parameters:
        own = one.flag.lstrip("-").replace("-", "_") or one.name
        names = (one.name, own, *(f"{own}_{number}" for number in range(2, len(parameters) + 1)))
        named[next(name for name in names if name not in named)] = one
    return named


def _property(parameter: Parameter) -> dict[str, Any]:
    flags = {"flag": parameter.flag if parameter.flags else None, "off": next(iter(parameter.off), None)}
    if parameter.secret and parameter.is_option:
        flags["stdin"] = stdin_form(parameter)
    about = filled({**flags, "description": parameter.help})
    value = {"type": parameter.type} if not parameter.choices else _enum(parameter)
    limits = {"minimum": parameter.minimum, "maximum": parameter.maximum}
    value |= {key: limit for key, limit in limits.items() if limit is not None}
    if parameter.is_path:
        about["format"] = "path"
    if parameter.secret:
        about["writeOnly"] = True
    if parameter.env:
        about["environment"] = list(parameter.env)
    default = plain(parameter.default)
    if default not in (None, False, [], ()) and not parameter.secret:
        about["default"] = default
    return {"type": "array", **about, "items": value} if parameter.repeat else {**value, **about}


def _enum(parameter: Parameter) -> dict[str, Any]:
    choices = [plain(one) for one in parameter.choices]
    return {"type": parameter.type, "enum": choices} if all(type(one) is str for one in choices) else {"enum": choices}


def _prompt(asked: Asked) -> dict[str, Any]:
    return filled({**asked._asdict(), "choices": list(asked.choices)})


def _within_budget(whole: dict[str, Any], program: Program, asked_by: str | None) -> dict[str, Any]:
    if _fits(whole):
        return whole
    leaves = program.root.leaves()
    more = "COMMAND" if program.root.commands else "--field commands.0"
    summary = {
        **{key: value for key, value in whole.items() if key not in ("commands", "prompts")},
        "commands": [_summary(one) for one in leaves],
        "total": len(leaves),
        "truncated": True,
        "hint": f"Each command is described in full by `{asked_by or program.name + ' --schema'} {more}`.",
    }
    return summary if _fits(summary) else {**summary, "commands": [{"name": one.name} for one in program.root.visible]}


def _fits(document: dict[str, Any]) -> bool:
    return len(json.dumps(document)) <= BUDGET


def _summary(command: Command) -> dict[str, Any]:
    return {"name": " ".join(command.path) or command.name, "summary": command.summary}


def _operands(words: tuple[str, ...]) -> tuple[tuple[str, ...], str | None]:
    """The command's words, and the value of `--field`."""
    field, rest = None, []
    given = iter(words)
    for word in given:
        if word == "--field" or word.startswith("--field="):
            field = word.partition("=")[2] or next(given, "")
            if not field:
                stop.usage_error("--field needs a value, such as inputSchema or inputSchema.properties")
        elif word.startswith("-"):
            stop.usage_error(f"schema takes a command and --field, not {word}")
        else:
            rest.append(word)
    return tuple(rest), field


def _field(value: Any, path: str) -> Any:
    for at, name in enumerate(path.split(".")):
        here = ".".join(path.split(".")[:at]) or "the schema"
        if isinstance(value, list) and name in map(str, range(len(value))):
            value = value[int(name)]
        elif isinstance(value, dict) and name in value:
            value = value[name]
        else:
            has = ", ".join(value) if isinstance(value, dict) else f"{len(value)} items" if value else "nothing"
            stop.usage_error(f"--field {path}: {here} has no {name!r}; it has: {has}")
    return value
