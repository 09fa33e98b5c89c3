"""`agentgate surfaces PROGRAM`: what an installed program takes, though it knows nothing of agentgate."""

from __future__ import annotations

import argparse
import json
from typing import Any

from ..runtime import commandline, envelope, stop
from ..surfaces.effects import effects
from . import output

__all__ = ["SUMMARY", "add_arguments", "run"]

SUMMARY = "describe an installed program (argparse, click or typer) as data, without running its commands"
FORMS = ("schema", "commands", "completion")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument(
        "program", metavar="PROGRAM", help="a console script, a distribution with one, or module:object"
    )
    parser.add_argument(
        "form", nargs="?", metavar="FORM", choices=FORMS, help=f"{', '.join(FORMS)} (default: an overview)"
    )
    parser.add_argument(
        "words", nargs="*", metavar="WORD", help="the command that schema or commands is about, or completion's shell"
    )
    parser.add_argument("--field", metavar="A.B", help="of the schema: this part of it alone")
    parser.add_argument("--all", action="store_true", help="of the commands: also those that the help does not show")
    output.add_format_arguments(parser)


@effects("read_only")
def run(arguments: argparse.Namespace) -> int:
    """Print the description. Exit code 2 when there is no such program, or it has no parser that can be read."""
    from ..surfaces.foreign import NotFound, describe

    words = [*filter(None, [arguments.form]), *arguments.words]
    if arguments.field is not None:
        _only_of("schema", "--field", arguments)
        words += ["--field", arguments.field]
    if arguments.all:
        _only_of("commands", "--all", arguments)
        words.append("--all")
    try:
        found = describe(arguments.program, words)
    except NotFound as error:
        stop.usage_error(f"surfaces: {error}")
    if isinstance(found, str):
        output.print_text(found.rstrip("\n"))  # a shell reads it, whoever asks for it
        return 0
    if output.wants_json(arguments):
        return output.print_outcome(found, next=None if arguments.form else _steps(arguments.program, found))
    output.print_text(json.dumps(found, indent=2))
    return 0


def _only_of(form: str, option: str, arguments: argparse.Namespace) -> None:
    if arguments.form != form:
        stop.usage_error(f"surfaces: {option} goes with {form}")


def _steps(program: str, overview: dict[str, Any]) -> list[dict[str, Any]]:
    start = [*commandline.launcher()[:-1], "surfaces", program]
    steps = [envelope.next_step([*start, "schema"], "to read the whole program as JSON Schema")]
    if overview["commands"]:
        names = [one["name"] for one in overview["commands"]]
        command = {"command": {"description": "one of the commands", "enum": names}}
        steps.append(envelope.next_step([*start, "schema", "<command>"], "to read how a command is called", command))
        steps.append(envelope.next_step([*start, "commands"], "to list what every command takes"))
    return steps
