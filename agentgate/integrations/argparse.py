"""agentgate's options for a program that parses with argparse.

from agentgate.integrations.argparse import run

run(main, parser)       # instead of main()
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import Any, NoReturn, TypeVar

from ..runtime import entry
from . import common

__all__ = ["install", "run"]

T = TypeVar("T")


def run(main: Callable[[], T], parser: argparse.ArgumentParser) -> T:
    """Call `main()`, which parses with `parser`, with agentgate's options in its help and taken out of argv.

    An agent gets a usage error as an envelope too. With `--json` the result is one document: what `main`
    returned, if that is a dict or a list, else what it printed.
    """
    declared = install(parser)
    return common.run(lambda _: main(), program=parser.prog, declared=declared, ended=_ended)  # type: ignore[no-any-return]


def install(parser: argparse.ArgumentParser) -> set[str]:
    """Add the options to the help of a parser and all its subparsers; returns those that it declares itself."""
    parsers = list(_tree(parser))
    ours = {option.flag for option in common.OPTIONS}
    declared = {flag for one in parsers for flag in one._option_string_actions if flag in ours}
    for one in parsers:
        group = one.add_argument_group(common.GROUP)
        for option in common.OPTIONS:
            if option.flag not in declared:
                kind: dict[str, Any] = {"metavar": option.metavar} if option.metavar else {"nargs": 0}
                group.add_argument(option.flag, action=_Use, default=argparse.SUPPRESS, help=option.help, **kind)
        _tell_usage_errors(one)
    return declared


class _Error(SystemExit):
    """A usage error, with its sentence."""

    def __init__(self, code: object, message: str) -> None:
        super().__init__(code)
        self.message = message


class _Use(argparse.Action):
    """Use an option of agentgate's that reached the parser (it was called with arguments of its own)."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        if values:
            entry.use_option(option_string or "", values)


def _tree(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for one in dict.fromkeys(action.choices.values()):
                yield from _tree(one)


def _tell_usage_errors(parser: argparse.ArgumentParser) -> None:
    plain = parser.error

    def error(message: str) -> NoReturn:
        try:
            plain(message)
        except SystemExit as ended:
            raise _Error(ended.code, message) from None

    parser.error = error  # type: ignore[method-assign]


def _ended(error: SystemExit) -> common.Ended | None:
    return common.Ended("usage", error.message) if isinstance(error, _Error) else None
