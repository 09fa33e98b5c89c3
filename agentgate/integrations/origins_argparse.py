"""Where the values of a command line come from, by an argparse parser that converts, opens and runs nothing."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
from typing import Any, NoReturn

from ..surfaces.explain import Origin
from .read_argparse import parameter_name
from .said import said
from .subparsers import subparsers, tree

__all__ = ["origins"]


def origins(parser: argparse.ArgumentParser, arguments: list[str]) -> dict[str, Origin]:
    """Where each value of a command line comes from. Nothing is converted, opened or run for it."""
    seen: dict[str, Origin] = {}
    parsers = list(tree(parser))
    called = [parser]
    as_they_are = [dict(vars(one)) for one in parsers]
    for one in parsers:
        one._get_values = _watching(one, seen, called)  # type: ignore[method-assign]
        one._get_value = _unconverted  # type: ignore[method-assign]
        one.error = _say_nothing  # type: ignore[method-assign]
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            parser.parse_known_args(arguments)
    except (SystemExit, Exception):  # a command line that is wrong: what it says so far is all there is to tell
        pass
    finally:
        for one, own in zip(parsers, as_they_are, strict=True):
            one.__dict__ = own
    for one in called:
        for action in one._actions:
            if not _is_about(action):
                seen.setdefault(parameter_name(action), _unsaid(action, one))
    return seen


def _unconverted(action: argparse.Action, arg_string: str) -> Any:
    return arg_string


def _say_nothing(message: str) -> NoReturn:
    raise SystemExit(2)


def _watching(parser: argparse.ArgumentParser, seen: dict[str, Origin], called: list[argparse.ArgumentParser]) -> Any:
    def get_values(action: argparse.Action, words: list[str]) -> Any:
        words = [word for word in words if word != "--"] if action.nargs != argparse.REMAINDER else words
        if isinstance(action, argparse._SubParsersAction):
            called.extend(parser for name, parser in subparsers(action) if words[:1] == [name])
            return words
        single = action.nargs in (None, argparse.OPTIONAL)
        value = words[0] if single and words else action.default if single else words
        if (words or action.option_strings) and not _is_about(action):
            shown = _converted(action, value) if action.nargs != 0 else _constant(action)
            seen[parameter_name(action)] = Origin(shown, "flag", _location(action))
        return argparse.SUPPRESS  # which no action is called with

    return get_values


def _location(action: argparse.Action) -> str:
    return max(action.option_strings, key=len, default=parameter_name(action))


def _unsaid(action: argparse.Action, parser: argparse.ArgumentParser) -> Origin:
    location = _location(action)
    variable = getattr(action, "env_var", None)
    if variable and variable in os.environ:
        return Origin(os.environ[variable], "environment", variable)
    if action.dest in parser._defaults:
        return Origin(parser._defaults[action.dest], "config", "set_defaults")
    return Origin(None if action.default is argparse.SUPPRESS else action.default, "default", location)


def _is_about(action: argparse.Action) -> bool:
    """Whether it asks about the program, or is no parameter of its work."""
    about = (argparse._HelpAction, argparse._VersionAction, argparse._SubParsersAction)
    return isinstance(action, about) or getattr(action, "is_agentgates", False)


def _converted(action: argparse.Action, value: Any) -> Any:
    """A number as a number; other conversions may open what they name, and stay undone."""
    kind = action.type
    return said(lambda: kind(value), value) if (kind is int or kind is float) and isinstance(value, str) else value


def _constant(action: argparse.Action) -> Any:
    return True if action.const is None else action.const
