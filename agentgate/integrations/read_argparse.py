"""An argparse parser as a tree of commands."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from ..surfaces.effects import declared
from ..surfaces.tree import Command, Parameter, examples_in

__all__ = ["read", "subcommands"]

_TYPES = {int: "integer", float: "number", complex: "string"}
_MANY = (argparse.ZERO_OR_MORE, argparse.ONE_OR_MORE, argparse.REMAINDER, argparse.PARSER)


def read(parser: argparse.ArgumentParser, name: str | None = None) -> Command:
    """The tree of a parser. name: what the program is called (its `prog`, if left out)."""
    return _command(parser, name or parser.prog, (), "", group="")


def subcommands(parser: argparse.ArgumentParser) -> argparse._SubParsersAction[Any] | None:
    """The parser's subcommands, None when it has none."""
    return next((one for one in parser._actions if isinstance(one, argparse._SubParsersAction)), None)


def _command(parser: Any, name: str, path: tuple[str, ...], summary: str, **place: Any) -> Command:
    under = subcommands(parser)
    handler = next((value for value in parser._defaults.values() if callable(value)), None)
    texts = [str(text or "") for text in (parser.description, parser.epilog)]
    effects = declared(parser)
    return Command(
        name=name,
        path=path,
        summary=summary or next(iter(texts[0].strip().splitlines()), ""),
        description=texts[0].strip(),
        usage=" ".join(parser.format_usage().removeprefix("usage:").split()),
        parameters=tuple(
            _parameter(action, parser) for action in parser._actions if action is not under and not _is_none(action)
        ),
        commands=tuple(_under(under, path)) if under else (),
        needs_command=bool(under and under.required),
        effects=effects if any(effects) else declared(handler),
        examples=tuple(one for text in texts for one in examples_in(text)),
        handler=handler,
        rendered=parser.format_help,
        **place,
    )


def _under(action: argparse._SubParsersAction[Any], path: tuple[str, ...]) -> Iterator[Command]:
    named: dict[Any, list[str]] = {}
    for name, parser in action.choices.items():
        named.setdefault(parser, []).append(name)
    listed = {one.dest: str(one.help or "") for one in action._choices_actions}
    for parser, (name, *aliases) in named.items():
        hidden = listed.get(name, "") == argparse.SUPPRESS
        summary = "" if hidden else listed.get(name, "")
        yield _command(parser, name, (*path, name), summary, aliases=tuple(aliases), hidden=hidden, group="")


def _is_none(action: argparse.Action) -> bool:
    """Whether an argument is none that can be given (a group's place holder)."""
    return not action.option_strings and action.nargs == 0


def _parameter(action: argparse.Action, parser: argparse.ArgumentParser) -> Parameter:
    off = tuple(flag for flag in action.option_strings if flag.startswith("--no-")) if _is_pair(action) else ()
    takes_value = action.nargs != 0
    about_program = isinstance(action, (argparse._HelpAction, argparse._VersionAction))
    default = parser._defaults.get(action.dest, action.default)
    hidden = action.help == argparse.SUPPRESS
    return Parameter(
        name=action.dest if action.dest != argparse.SUPPRESS else action.option_strings[0].lstrip("-"),
        flags=tuple(flag for flag in action.option_strings if flag not in off),
        off=off,
        type=_type(action, takes_value),
        takes_value=takes_value,
        repeat=_repeats(action),
        count=isinstance(action, argparse._CountAction),
        required=action.required and action.nargs not in (argparse.OPTIONAL, argparse.ZERO_OR_MORE),
        choices=tuple(action.choices) if action.choices is not None else (),
        is_path=isinstance(action.type, argparse.FileType) or getattr(action.type, "__name__", "").endswith("Path"),
        default=None if default is argparse.SUPPRESS else default,
        env=tuple(filter(None, [getattr(action, "env_var", None)])),
        hidden=hidden,
        metavar=action.metavar if isinstance(action.metavar, str) else None,
        help="" if hidden else _help(action, parser),
        about_program=about_program,
        ours=getattr(action, "is_agentgates", False),
    )


def _is_pair(action: argparse.Action) -> bool:
    return isinstance(action, argparse.BooleanOptionalAction)


def _type(action: argparse.Action, takes_value: bool) -> str:
    if not takes_value:
        return "integer" if isinstance(action, argparse._CountAction) else "boolean"
    return _TYPES.get(action.type, "string")  # type: ignore[call-overload,no-any-return]


def _repeats(action: argparse.Action) -> bool:
    appends = isinstance(action, (argparse._AppendAction, argparse._ExtendAction))
    return appends or action.nargs in _MANY or (isinstance(action.nargs, int) and action.nargs > 1)


def _help(action: argparse.Action, parser: argparse.ArgumentParser) -> str:
    text = action.help or ""
    try:
        return " ".join(parser._get_formatter()._expand_help(action).split()) if text else ""
    except (KeyError, TypeError, ValueError):  # a help text that its own formatter could not show either
        return text
