"""agentgate's options and surfaces for a program that parses with argparse.

from agentgate.integrations.argparse import run

run(main, parser)       # instead of main()
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from ..runtime import entry
from ..surfaces.flags import FLAGS
from . import common
from .subparsers import tree

if TYPE_CHECKING:
    from ..surfaces.explain import Origin
    from ..surfaces.tree import Command

__all__ = ["ended", "install", "run", "tell_usage_errors"]

T = TypeVar("T")


def run(main: Callable[[], T], parser: argparse.ArgumentParser, *, without: Collection[str] = ()) -> T:
    """Call `main()`, which parses with `parser`, with agentgate's options in its help and taken out of argv.

    without: the surfaces to leave out, by their names in `common.SURFACES`. Raises ValueError for an unknown
    one. An agent gets one document: what `main` returned, if that is a dict or a list, else what it printed; an
    int that it returned is its exit code. A usage error is one too.
    """
    left_out = common.left_out(without)
    declared = install(parser, left_out) | left_out
    host = common.Host(
        name=parser.prog,
        call=lambda as_document: _call(main, as_document),
        read=lambda: _read(parser),
        ended=ended,
        origins=lambda arguments: _origins(parser, arguments),
        declared=declared,
        main=main,
    )
    return common.run(host)  # type: ignore[no-any-return]


def install(parser: argparse.ArgumentParser, left_out: Collection[str] = ()) -> set[str]:
    """Add the options to the help of a parser and all its subparsers; returns those that it declares itself.

    left_out: options that it shall not have.
    """
    parsers = list(tree(parser))
    ours = {*FLAGS, *(option.flag for option in common.OPTIONS)}
    declared = {
        flag
        for one in parsers
        for flag, action in one._option_string_actions.items()
        if flag in ours and not isinstance(action, _Use)
    }
    for one in parsers:
        if any(isinstance(action, _Use) for action in one._actions):
            continue  # it is installed already
        group = one.add_argument_group(common.GROUP)
        for option in common.OPTIONS:
            if option.flag in declared or option.flag in left_out or (option.of_program and one is not parser):
                continue
            kind: dict[str, Any] = {"metavar": option.metavar} if option.metavar else {"nargs": 0}
            group.add_argument(option.flag, action=_Use, default=argparse.SUPPRESS, help=option.help, **kind)
        one._get_option_tuples = _of_the_program(one._get_option_tuples)  # type: ignore[method-assign, assignment]
    tell_usage_errors(parser)
    return declared


class _Error(SystemExit):
    """A usage error, with its sentence."""

    def __init__(self, code: object, message: str) -> None:
        super().__init__(code)
        self.message = message


class _Use(argparse.Action):
    """Use an option of agentgate's that reached the parser (it was called with arguments of its own)."""

    is_agentgates = True

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        if values and option_string in entry.OPTIONS:
            entry.use_option(option_string, values)


def _of_the_program(plain: Callable[[str], list[Any]]) -> Callable[[str], list[Any]]:
    """What an abbreviation may stand for: the program's own options, as before ours were added."""
    return lambda word: [found for found in plain(word) if not getattr(found[0], "is_agentgates", False)]


def _call(main: Callable[[], Any], as_document: bool) -> Any:
    value = main()
    if as_document and type(value) is int and value:
        raise SystemExit(value)  # as `sys.exit(main())` means it
    return value


def _read(parser: argparse.ArgumentParser) -> Command:
    from .read_argparse import read

    return read(parser)


def _origins(parser: argparse.ArgumentParser, arguments: list[str]) -> dict[str, Origin]:
    from .origins_argparse import origins

    return origins(parser, arguments)


def tell_usage_errors(parser: argparse.ArgumentParser) -> None:
    """Let the usage errors of a parser and all its subparsers be told by `ended`."""
    for one in tree(parser):
        one.error = _telling(one.error)  # type: ignore[method-assign, assignment]


def ended(error: SystemExit) -> common.Ended | None:
    """What a SystemExit of a parser means."""
    return common.Ended("usage", error.message) if isinstance(error, _Error) else None


def _telling(plain: Callable[[str], NoReturn]) -> Callable[[str], NoReturn]:
    def error(message: str) -> NoReturn:
        try:
            with common.quietly():
                plain(message)
        except SystemExit as ended:
            raise _Error(ended.code, message) from None

    return error
