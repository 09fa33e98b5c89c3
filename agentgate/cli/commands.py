"""The parser of the command line, and what each command is called with."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from typing import NoReturn

from .. import __version__
from ..runtime import envelope, mode, stop

__all__ = ["dispatch", "parser"]

COMMANDS = ("lint", "fix", "init", "prompts", "rule", "detect", "vendor", "approve", "policy", "ledger")


class Parser(argparse.ArgumentParser):
    """Usage errors in argparse's own style for a person, and as an envelope too for an agent."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        print(f"{self.prog}: error: {message}", file=sys.stderr)
        if mode.agent_run():
            stop.print_envelope(envelope.build("failed", exit_code=2, code="usage", message=message))
        raise SystemExit(2)


def parser(command: str | None = None) -> argparse.ArgumentParser:
    """The parser, made of what each command's module adds; with a command's name, of that one alone."""
    top = Parser(
        prog="agentgate",
        description="Find and fix the places where a Python program waits for a person.",
        epilog="Taken before any command's own options: --agent auto|yes|no, --confirm TOKEN, --answer NAME=VALUE, "
        "--answers FILE|-",
    )
    top.add_argument("--version", action="version", version=f"agentgate {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in (command,) if command in COMMANDS else COMMANDS:
        module = import_module(f".{name}", __package__)
        one = commands.add_parser(name, help=module.SUMMARY, description=module.SUMMARY)
        module.add_arguments(one)
    commands.add_parser("run", help="run a program with answers and consents given ahead", add_help=False)
    return top


def dispatch() -> int:
    """Parse the command line and run the command; returns its exit code."""
    # no command pays for what the others would import
    arguments = parser(next(iter(sys.argv[1:]), None)).parse_args()
    code: int = import_module(f".{arguments.command}", __package__).run(arguments)
    return code
