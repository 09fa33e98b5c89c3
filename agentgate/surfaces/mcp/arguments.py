"""A tool call's arguments as a command line on which no value can be taken for anything but a value."""

from __future__ import annotations

import os
import re
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator

from ..schema import input_schema
from ..tree import Command, Parameter

__all__ = ["Refused", "carried", "command_line", "option", "schema_of"]

JSON = "--json"
MOST_FLAGS = 100  # times that a flag which counts may be given
_NUMBER = re.compile(r"-\d+(\.\d+)?\Z")


class Refused(ValueError):
    """The arguments are not what the command takes; the text says why."""


class _Input(NamedTuple):
    """What one argument of a call goes to. command: the one behind whose name it stands."""

    name: str
    about: dict[str, Any]
    command: Command
    parameter: Parameter
    required: bool


def schema_of(levels: list[Command]) -> dict[str, Any]:
    """What a call may give: the command's own input, and the options of the commands above it. No secrets:
    every process on the machine can read a command line.

    levels: the commands from the top one to the one that is called.
    """
    inputs = _inputs(levels)
    return {
        **input_schema(levels[-1]),
        "properties": {one.name: one.about for one in inputs},
        "required": [one.name for one in inputs if one.required],
    }


def command_line(levels: list[Command], arguments: dict[str, Any]) -> list[str]:
    """The words behind the program's start. Raises Refused.

    An option stands in one word with its value and the command's arguments stand behind `--`, so a value that
    looks like an option is none. agentgate's own options go before that.
    """
    _check(schema_of(levels), arguments)
    words: list[str] = []
    given = [one for one in _inputs(levels) if one.name in arguments]
    for command in levels:
        words += command.path[-1:]
        for one in given:
            if one.command is command and one.parameter.is_option:
                words += _of_option(one, arguments[one.name])
    if any(JSON in one.flags and one.ours for one in levels[-1].parameters):
        words.append(JSON)
    behind = _positional(levels[-1], {id(one.parameter): arguments[one.name] for one in given})
    words += ["--", *behind] if behind else []
    return carried(words)


def carried(words: list[str]) -> list[str]:
    """The words, all of which a command line can carry. Raises Refused."""
    for word in words:
        try:
            encoded = os.fsencode(word)
        except UnicodeEncodeError:
            raise Refused(f"{word!r} holds characters that no command line can carry") from None
        if b"\0" in encoded:
            raise Refused(f"{word!r} holds a NUL, which no command line can carry")
    return words


def option(flag: str, value: str) -> list[str]:
    """An option with its value, whatever that starts with."""
    if len(flag) > 2:
        return [f"{flag}={value}"]
    # parsers differ in what `-x=value` means, and agree on `-xvalue`
    return [flag, value] if not value or value.startswith("=") else [flag + value]


def _inputs(levels: list[Command]) -> list[_Input]:
    found: dict[str, _Input] = {}
    for command in reversed(levels):
        schema = input_schema(command)
        for name, about in schema["properties"].items():
            parameter = _parameter(command, name, about.get("flag") or about.get("off"))
            # what stands before the next command's name must not reach for it
            fits = command is levels[-1] or (parameter.is_option and not parameter.together)
            if name not in found and fits and not parameter.secret:
                found[name] = _Input(name, about, command, parameter, name in schema["required"])
    return list(found.values())


def _parameter(command: Command, name: str, flag: str | None) -> Parameter:
    return next(one for one in command.own if (one.flag == flag if flag else not one.is_option and one.name == name))


def _of_option(given: _Input, value: Any) -> list[str]:
    parameter = given.parameter
    if parameter.count:
        if not 0 <= value <= MOST_FLAGS:
            raise Refused(f"{given.name}: {value} is not between 0 and {MOST_FLAGS}")
        return [parameter.flag] * int(value)
    if not parameter.takes_value:
        return [parameter.flag] if value and parameter.flags else [] if value else list(parameter.off[:1])
    values = _texts(value, parameter)
    if not parameter.together:
        return [word for one in values for word in option(parameter.flag, one)]
    for one in values:
        if one.startswith("-") and not _NUMBER.match(one):
            raise Refused(f"{given.name}: {one!r} cannot start with a dash, {parameter.flag} would end there")
    return [parameter.flag, *values]


def _positional(command: Command, given: dict[int, Any]) -> list[str]:
    words: list[str] = []
    left_out: Parameter | None = None
    for parameter in command.arguments:
        if id(parameter) not in given:
            left_out = left_out or (None if parameter.repeat else parameter)
        elif left_out:
            raise Refused(f"{parameter.name} cannot be given without {left_out.name}, which stands before it")
        else:
            words += _texts(given[id(parameter)], parameter)
    return words


def _texts(value: Any, parameter: Parameter) -> list[str]:
    texts = [_text(one, parameter) for one in (value if isinstance(value, list) else [value])]
    if "--" in texts:
        raise Refused(f"{parameter.name}: some parsers drop a value that is '--'")
    return texts


def _text(value: Any, parameter: Parameter) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(int(value)) if parameter.type == "integer" else str(value)


def _check(schema: dict[str, Any], arguments: dict[str, Any]) -> None:
    errors = sorted(Draft202012Validator(schema).iter_errors(arguments), key=lambda one: list(map(str, one.path)))
    if errors:
        where = "".join(f"{part}: " for part in errors[0].path)
        raise Refused(f"{where}{errors[0].message}")
