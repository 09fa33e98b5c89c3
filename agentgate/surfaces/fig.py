"""A completion spec for Fig (Amazon Q, Kiro and other terminals read it): a module that exports one object.

Format: https://fig.io/docs/reference/subcommand, …/option, …/arg.
"""

from __future__ import annotations

import json
from typing import Any

from .tree import Command, Parameter, Program, filled

__all__ = ["module", "spec"]


def module(program: Program) -> str:
    """The spec as the text of a JavaScript module."""
    text = json.dumps(spec(program.root), indent=2)
    return f"const completionSpec = {text};\n\nexport default completionSpec;\n"


def spec(command: Command) -> dict[str, Any]:
    """One command with all under it, without what its help hides."""
    shown = [one for one in command.parameters if not one.hidden]
    options = [option for one in shown if one.is_option for option in _options(one)]
    return filled(
        {
            "name": _name((command.name, *command.aliases)),
            "description": command.summary,
            "requiresSubcommand": command.needs_command,
            "subcommands": [spec(one) for one in command.visible],
            "options": options,
            "args": [_argument(one) for one in shown if not one.is_option],
        }
    )


def _options(parameter: Parameter) -> list[dict[str, Any]]:
    given: dict[str, Any] = {
        "name": _name(parameter.flags),
        "description": parameter.help,
        "isRequired": parameter.required,
        "isRepeatable": parameter.count or (parameter.repeat and not parameter.together),
        "exclusiveOn": list(parameter.off),
        "args": _argument(parameter) if parameter.takes_value else None,
    }
    off = {"name": _name(parameter.off), "description": parameter.help, "exclusiveOn": list(parameter.flags)}
    return [filled(one) for one in (given, off) if one["name"]]


def _argument(parameter: Parameter) -> dict[str, Any]:
    return filled(
        {
            "name": (parameter.metavar or parameter.name).strip("<>[]").lower(),
            "description": "" if parameter.is_option else parameter.help,
            "isOptional": not parameter.is_option and not parameter.required,
            "isVariadic": parameter.together or (parameter.repeat and not parameter.is_option),
            "suggestions": [str(one) for one in parameter.choices],
            "template": "filepaths" if parameter.is_path else "",
        }
    )


def _name(names: tuple[str, ...]) -> str | list[str]:
    return names[0] if len(names) == 1 else list(names)
