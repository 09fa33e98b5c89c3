"""`--help --json`: a command's manual as a document."""

from __future__ import annotations

from typing import Any

from .tree import Command, Parameter

__all__ = ["document"]


def document(command: Command) -> dict[str, Any]:
    """The manual: every part of it as data, and the text that `--help` prints."""
    found = {
        "name": " ".join(command.path) or command.name,
        "usage": command.usage,
        "summary": command.summary,
        "description": command.description,
        "arguments": [_argument(one) for one in command.arguments],
        "options": [_option(one) for one in command.parameters if one.is_option and not one.hidden],
        "commands": [{"name": one.name, "summary": one.summary} for one in command.visible],
        "examples": list(command.examples),
        "text": command.rendered(),
    }
    return {key: value for key, value in found.items() if value not in ("", [])}


def _argument(parameter: Parameter) -> dict[str, Any]:
    return {"name": parameter.name, "required": parameter.required, **_common(parameter)}


def _option(parameter: Parameter) -> dict[str, Any]:
    flags = [*parameter.flags, *parameter.off]
    return {"flags": flags, "value": parameter.takes_value, "required": parameter.required, **_common(parameter)}


def _common(parameter: Parameter) -> dict[str, Any]:
    found: dict[str, Any] = {"help": parameter.help}
    if parameter.choices:
        found["choices"] = [str(one) for one in parameter.choices]
    if parameter.repeat:
        found["repeat"] = True
    if parameter.env:
        found["environment"] = list(parameter.env)
    if parameter.default not in (None, False, (), []) and not parameter.secret:
        found["default"] = (
            parameter.default if isinstance(parameter.default, (str, int, float)) else str(parameter.default)
        )
    return found
