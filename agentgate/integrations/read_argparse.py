"""An argparse parser as a tree of commands."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
from collections.abc import Iterator
from typing import Any

from ..surfaces.effects import declared
from ..surfaces.explain import Origin
from ..surfaces.tree import Command, Parameter, examples_in

__all__ = ["origins", "read", "tree"]

_TYPES = {int: "integer", float: "number", complex: "string"}
_MANY = (argparse.ZERO_OR_MORE, argparse.ONE_OR_MORE, argparse.REMAINDER, argparse.PARSER)


def read(parser: argparse.ArgumentParser, name: str | None = None) -> Command:
    """The tree of a parser. name: what the program is called (its `prog`, if left out)."""
    return _command(parser, name or parser.prog, (), "")


def tree(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """A parser and all its subparsers."""
    yield parser
    under = _subcommands(parser)
    for one in dict.fromkeys(under.choices.values()) if under else ():
        yield from tree(one)


def _subcommands(parser: argparse.ArgumentParser) -> argparse._SubParsersAction[Any] | None:
    return next((one for one in parser._actions if isinstance(one, argparse._SubParsersAction)), None)


def _command(
    parser: Any, name: str, path: tuple[str, ...], summary: str, inherited: Any = None, **place: Any
) -> Command:
    """inherited: the handler that a parser above has set, which counts where this one sets none."""
    under = _subcommands(parser)
    handler = next((value for value in parser._defaults.values() if callable(value)), inherited)
    texts = [str(text or "") for text in (parser.description, parser.epilog)]
    effects = declared(parser)
    return Command(
        name=name,
        path=path,
        summary=summary or next(iter(texts[0].strip().splitlines()), ""),
        description=texts[0].strip(),
        usage=_usage(parser),
        parameters=tuple(
            _parameter(action, parser)
            for action in parser._actions
            if action is not under and not _is_none(action) and not _is_off_of_another(action, parser)
        ),
        commands=tuple(_under(parser, under, path, handler)) if under else (),
        needs_command=bool(under and under.required),
        effects=effects if any(effects) else declared(handler),
        examples=tuple(one for text in texts for one in examples_in(text)),
        handler=handler,
        rendered=parser.format_help,
        **place,
    )


def _usage(parser: argparse.ArgumentParser) -> str:
    """How it is called, in the parser's own words but for agentgate's options."""
    formatter = parser._get_formatter()
    own = [action for action in parser._actions if not getattr(action, "is_agentgates", False)]
    formatter.add_usage(parser.usage, own, parser._mutually_exclusive_groups, prefix="")
    return " ".join(formatter.format_help().split())


def _under(
    above: argparse.ArgumentParser, action: argparse._SubParsersAction[Any], path: tuple[str, ...], inherited: Any
) -> Iterator[Command]:
    named: dict[Any, list[str]] = {}
    for name, parser in action.choices.items():
        named.setdefault(parser, []).append(name)
    listed = {one.dest: one for one in action._choices_actions}
    for parser, (name, *aliases) in named.items():
        hidden = name in listed and listed[name].help == argparse.SUPPRESS
        summary = _help(listed[name], above) if name in listed and not hidden else ""
        yield _command(parser, name, (*path, name), summary, inherited, aliases=tuple(aliases), hidden=hidden)


def _is_none(action: argparse.Action) -> bool:
    """Whether an argument is none that can be given (a group's place holder)."""
    return not action.option_strings and action.nargs == 0


def _parameter(action: argparse.Action, parser: argparse.ArgumentParser) -> Parameter:
    off = _off(action, parser)
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
        together=_is_together(action),
        count=isinstance(action, argparse._CountAction),
        required=action.required and action.nargs not in (argparse.OPTIONAL, argparse.ZERO_OR_MORE),
        choices=tuple(action.choices) if action.choices is not None else (),
        is_path=isinstance(action.type, argparse.FileType) or getattr(action.type, "__name__", "").endswith("Path"),
        default=None if default is argparse.SUPPRESS else default,
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


def _type(action: argparse.Action, takes_value: bool) -> str:
    if not takes_value:
        return "integer" if isinstance(action, argparse._CountAction) else "boolean"
    return _TYPES.get(action.type, "string")  # type: ignore[call-overload,no-any-return]


def _repeats(action: argparse.Action) -> bool:
    return _appends(action) or action.nargs in _MANY or _takes_a_number(action)


def _is_together(action: argparse.Action) -> bool:
    return bool(action.option_strings) and (_takes_a_number(action) or (action.nargs in _MANY and not _appends(action)))


def _appends(action: argparse.Action) -> bool:
    return isinstance(action, (argparse._AppendAction, argparse._ExtendAction))


def _takes_a_number(action: argparse.Action) -> bool:
    return isinstance(action.nargs, int) and action.nargs > 1


def _help(action: argparse.Action, parser: argparse.ArgumentParser) -> str:
    text = action.help or ""
    try:
        return " ".join(parser._get_formatter()._expand_help(action).split()) if text else ""
    except (KeyError, TypeError, ValueError):  # a help text that its own formatter could not show either
        return text


def origins(parser: argparse.ArgumentParser, arguments: list[str]) -> dict[str, Origin]:
    """Where each value of a command line comes from. Nothing is converted, opened or run for it."""
    seen: dict[str, Origin] = {}
    parsers = list(tree(parser))
    called = [parser]
    for one in parsers:
        one._get_values = _watching(one, seen, called)  # type: ignore[method-assign]
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            parser.parse_known_args(arguments)
    except (SystemExit, Exception):  # a command line that is wrong: what it says so far is all there is to tell
        pass
    finally:
        for one in parsers:
            del one._get_values
    for one in called:
        for action in one._actions:
            if action.dest not in seen and not _is_about(action):
                seen[action.dest] = _unsaid(action, one)
    return seen


def _watching(parser: argparse.ArgumentParser, seen: dict[str, Origin], called: list[argparse.ArgumentParser]) -> Any:
    def get_values(action: argparse.Action, words: list[str]) -> Any:
        words = [word for word in words if word != "--"] if action.nargs != argparse.REMAINDER else words
        if isinstance(action, argparse._SubParsersAction):
            if words[:1] and words[0] in action.choices:
                called.append(action.choices[words[0]])
            return words
        single = action.nargs in (None, argparse.OPTIONAL)
        value = words[0] if single and words else action.default if single else words
        if (words or action.option_strings) and not _is_about(action):
            shown = _converted(action, value) if action.nargs != 0 else _constant(action)
            location = max(action.option_strings, key=len, default=action.dest)
            seen[action.dest] = Origin(shown, "flag", location)
        return value

    return get_values


def _unsaid(action: argparse.Action, parser: argparse.ArgumentParser) -> Origin:
    location = max(action.option_strings, key=len, default=action.dest)
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
    if action.type not in (int, float) or not isinstance(value, str):
        return value
    try:
        return action.type(value)
    except ValueError:
        return value


def _constant(action: argparse.Action) -> Any:
    return True if action.const is None else action.const
