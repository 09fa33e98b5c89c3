"""The parser of the command line, what each command is called with, and what agentgate says of itself."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from .. import __version__
from ..integrations.argparse import ended, tell_usage_errors
from ..integrations.common import Host, left_out
from ..integrations.subparsers import tree
from ..runtime import state
from ..surfaces.effects import effects

if TYPE_CHECKING:
    from ..surfaces.explain import Origin
    from ..surfaces.tree import Command

__all__ = ["dispatch", "host", "parser"]

COMMANDS = ("lint", "fix", "init", "prompts", "rule", "detect", "vendor", "approve", "policy", "ledger", "surfaces")


def host() -> Host:
    """agentgate as a program that describes itself. Its commands print their own documents."""
    return Host(
        name="agentgate",
        call=lambda _: dispatch(),
        read=_tree,
        ended=ended,
        origins=_origins,
        declared=left_out(["json", "view"]),
    )


def parser(command: str | None = None) -> argparse.ArgumentParser:
    """The parser, made of what each command's module adds; with a command's name, of that one alone."""
    # argparse makes a formatter for each argument, only to check it, and each would look at the terminal
    unseen = partial(argparse.HelpFormatter, width=80)
    top = argparse.ArgumentParser(
        prog="agentgate",
        formatter_class=unseen,
        description="Find and fix the places where a Python program waits for a person.",
        epilog="Taken before any command's own options: --agent auto|yes|no, --confirm TOKEN, --answer NAME=VALUE, "
        "--answers FILE|-. What it is, as data: --schema, commands, completion SHELL, --mcp, --explain OPTION.",
    )
    top.add_argument("--version", action="version", version=f"agentgate {__version__}")
    top.set_defaults(parser=top)
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in (command,) if command in COMMANDS else COMMANDS:
        module = import_module(f".{name}", __package__)
        one = commands.add_parser(name, help=module.SUMMARY, description=module.SUMMARY, formatter_class=unseen)
        module.add_arguments(one)
        one.set_defaults(handler=module.run, parser=one)
    launcher = commands.add_parser("run", help="run a program with answers and consents given ahead", add_help=False)
    effects("withheld")(launcher)
    for one in tree(top):
        one.formatter_class = argparse.HelpFormatter
    tell_usage_errors(top)
    return top


def dispatch() -> int:
    """Parse the command line and run the command; returns its exit code."""
    # no command pays for what the others would import
    arguments, rest = parser(next(iter(sys.argv[1:]), None)).parse_known_args()
    unknown = [word for word in rest if word.startswith("-") or not hasattr(arguments, "paths")]
    if unknown:
        arguments.parser.error(f"unrecognized arguments: {' '.join(unknown)}{_meant(unknown[0], arguments.parser)}")
    # argparse takes no more paths once an option has followed one
    if rest:
        arguments.paths = [*arguments.paths, *rest]
    state.wants_document = bool(getattr(arguments, "json", None))
    code: int = arguments.handler(arguments)
    return code


def _meant(option: str, parser: argparse.ArgumentParser) -> str:
    """What a mistyped option may have been meant to be."""
    from difflib import get_close_matches

    close = get_close_matches(option.partition("=")[0], parser._option_string_actions, 1)
    return f"; did you mean {close[0]}?" if close else ""


def _tree() -> Command:
    from ..integrations.read_argparse import read

    return read(parser())


def _origins(arguments: list[str]) -> dict[str, Origin]:
    from ..integrations.origins_argparse import origins

    return origins(parser(), arguments)
