"""An argparse parser as a tree of commands."""

from __future__ import annotations

import argparse
import copy
from collections.abc import Iterator
from enum import Enum
from pathlib import PurePath
from typing import Any

from ..surfaces.effects import declared
from ..surfaces.tree import Command, Parameter, examples_in
from .said import choices, said, text
from .subparsers import subcommands, subparsers

__all__ = ["parameter_name", "read"]

_DEEPEST = 32  # words that call one command; a parser may have itself under it
_MANY = (argparse.ZERO_OR_MORE, argparse.ONE_OR_MORE, argparse.REMAINDER, argparse.PARSER)
_MAY_BE_NONE = (argparse.OPTIONAL, argparse.ZERO_OR_MORE, argparse.REMAINDER)


def read(parser: argparse.ArgumentParser, name: str | None = None) -> Command:
    """The tree of a parser. name: what the program is called (its `prog`, if left out)."""
    return _command(parser, name or text(parser.prog) or "main", (), "")


def _command(
    parser: Any, name: str, path: tuple[str, ...], summary: str, inherited: Any = None, **place: Any
) -> Command:
    """inherited: the handler that a parser above has set, which counts where this one sets none."""
    under = subcommands(parser)
    handler = next((value for value in parser._defaults.values() if callable(value)), inherited)
    texts = [text(parser.description), text(parser.epilog)]
    effects = declared(parser)
    return Command(
        name=name,
        path=path,
        summary=summary or next(iter(texts[0].strip().splitlines()), ""),
        description=texts[0].strip(),
        usage=_usage(parser),
        parameters=tuple(_parameter(action, parser) for action in _given(parser)),
        commands=tuple(_under(parser, under, path, handler)) if under else (),
        needs_command=bool(under and under.required),
        passes_on=any(action.nargs == argparse.REMAINDER for action in parser._actions),
        effects=effects if any(effects) else declared(handler),
        examples=tuple(one for text in texts for one in examples_in(text)),
        handler=handler,
        rendered=lambda: said(parser.format_help, ""),
        **place,
    )


def _usage(parser: argparse.ArgumentParser) -> str:
    """How it is called, in the parser's own words but for agentgate's options."""
    own = [action for action in parser._actions if not getattr(action, "is_agentgates", False)]
    shown = [_bounded(action) for action in own]
    groups = parser._mutually_exclusive_groups if shown == own else []  # which hold the actions themselves

    def usage(formatter: argparse.HelpFormatter) -> str:
        formatter.add_usage(parser.usage, shown, groups, prefix="")
        return " ".join(formatter.format_help().split())

    plain = said(lambda: usage(argparse.HelpFormatter(text(parser.prog))), text(parser.prog))
    return said(lambda: usage(parser._get_formatter()), plain)


def _under(
    above: argparse.ArgumentParser, action: argparse._SubParsersAction[Any], path: tuple[str, ...], inherited: Any
) -> Iterator[Command]:
    named: dict[argparse.ArgumentParser, list[str]] = {}
    for name, parser in subparsers(action):
        named.setdefault(parser, []).append(name)
    listed = {one.dest: one for one in action._choices_actions}
    for parser, (name, *aliases) in named.items():
        hidden = name in listed and listed[name].help == argparse.SUPPRESS
        summary = _help(listed[name], above) if name in listed and not hidden else ""
        if len(path) < _DEEPEST:
            yield _command(parser, name, (*path, name), summary, inherited, aliases=tuple(aliases), hidden=hidden)


def _given(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    under = subcommands(parser)
    return [
        action
        for action in parser._actions
        if action is not under and not _is_none(action) and not _is_off_of_another(action, parser)
    ]


def _is_none(action: argparse.Action) -> bool:
    """Whether an argument is none that can be given (a group's place holder)."""
    return not action.option_strings and action.nargs in (0, argparse.SUPPRESS)


def _parameter(action: argparse.Action, parser: argparse.ArgumentParser) -> Parameter:
    off = _off(action, parser)
    takes_value = action.nargs != 0
    count = isinstance(action, argparse._CountAction)
    about_program = isinstance(action, (argparse._HelpAction, argparse._VersionAction))
    kind = parser._registry_get("type", action.type, action.type) if isinstance(action.type, str) else action.type
    values, limits = _choices(action.choices, kind)
    hidden = said(lambda: bool(action.help == argparse.SUPPRESS), False)
    return Parameter(
        name=parameter_name(action),
        flags=tuple(flag for flag in action.option_strings if flag not in off),
        off=off,
        type=_type(kind) if takes_value else "integer" if count else "boolean",
        takes_value=takes_value,
        repeat=_repeats(action),
        together=_is_together(action),
        count=count,
        required=action.required and action.nargs not in _MAY_BE_NONE,
        choices=values,
        minimum=limits[0] if limits else None,
        maximum=limits[1] if limits else None,
        is_path=isinstance(kind, argparse.FileType) or _is_path(kind),
        default=_default(action, parser) if takes_value or off or count else None,
        env=tuple(filter(None, [getattr(action, "env_var", None)])),
        secret=bool(getattr(action, "secret", False)),  # `parser.add_argument("--token").secret = True`
        hidden=hidden,
        metavar=action.metavar if isinstance(action.metavar, str) else None,
        help="" if hidden else _help(action, parser),
        about_program=about_program,
        ours=getattr(action, "is_agentgates", False),
    )


def _off(action: argparse.Action, parser: argparse.ArgumentParser) -> tuple[str, ...]:
    """The flags that make a switch false: its own, or those of the action that is its other half."""
    if isinstance(action, argparse.BooleanOptionalAction):
        return tuple(flag for flag in action.option_strings if flag.startswith("--no-"))
    if isinstance(action, argparse._StoreFalseAction):
        return tuple(action.option_strings)
    halves = (
        _others(action, parser, argparse._StoreFalseAction) if isinstance(action, argparse._StoreTrueAction) else []
    )
    return tuple(flag for half in halves for flag in half.option_strings)


def _is_off_of_another(action: argparse.Action, parser: argparse.ArgumentParser) -> bool:
    is_off = isinstance(action, argparse._StoreFalseAction)
    return is_off and bool(_others(action, parser, argparse._StoreTrueAction))


def _others(
    action: argparse.Action, parser: argparse.ArgumentParser, kind: type[argparse.Action]
) -> list[argparse.Action]:
    return [one for one in parser._actions if isinstance(one, kind) and one.dest == action.dest]


def parameter_name(action: argparse.Action) -> str:
    if action.dest and action.dest != argparse.SUPPRESS:
        return action.dest
    first = max(action.option_strings, key=len, default=action.metavar)
    return first.lstrip("-+/").replace("-", "_") if isinstance(first, str) else "argument"


def _default(action: argparse.Action, parser: argparse.ArgumentParser) -> Any:
    default = parser._defaults.get(action.dest, action.default)
    if isinstance(default, Enum):
        default = default.value if isinstance(default.value, (str, int, float)) else None
    return None if default is argparse.SUPPRESS or callable(default) else default


def _choices(container: Any, kind: Any) -> tuple[tuple[Any, ...], tuple[int, int] | None]:
    """The values, or the limits of a range of numbers."""
    if isinstance(container, range) and container and container.step == 1 and kind is int:
        return (), (container[0], container[-1])
    is_enum = isinstance(kind, type) and issubclass(kind, Enum)  # which the type makes of a member's value
    return tuple(one.value if is_enum and isinstance(one, kind) else one for one in choices(container)), None


def _type(kind: Any) -> str:
    return "integer" if kind is int else "number" if kind is float else "string"


def _is_path(kind: Any) -> bool:
    name = getattr(kind, "__name__", "")
    return (isinstance(kind, type) and issubclass(kind, PurePath)) or (isinstance(name, str) and name.endswith("Path"))


def _repeats(action: argparse.Action) -> bool:
    return _appends(action) or action.nargs in _MANY or _takes_a_number(action)


def _is_together(action: argparse.Action) -> bool:
    return bool(action.option_strings) and (_takes_a_number(action) or (action.nargs in _MANY and not _appends(action)))


def _appends(action: argparse.Action) -> bool:
    return isinstance(action, (argparse._AppendAction, argparse._ExtendAction))


def _takes_a_number(action: argparse.Action) -> bool:
    return isinstance(action.nargs, int) and action.nargs > 1


def _help(action: argparse.Action, parser: argparse.ArgumentParser) -> str:
    written = text(said(lambda: action.help, None))
    # one whose own formatter cannot show it stays as it is written
    shown = said(lambda: parser._get_formatter()._expand_help(_bounded(action)), written) if written else ""
    return " ".join(text(shown).split())


def _bounded(action: argparse.Action) -> argparse.Action:
    """An action that a formatter can show: it would write out every choice, without end if there is none."""
    if action.choices is None or isinstance(action, argparse._SubParsersAction) or choices(action.choices):
        return action
    shown = copy.copy(action)
    shown.choices = None
    return shown
