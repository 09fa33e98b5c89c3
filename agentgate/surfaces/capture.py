"""The parser of somebody else's program: the object itself, what a function makes, or what its entry parses with.

In the last case the entry is called with the frameworks' own ways in watched: where it is about to parse, its
parser is handed over and nothing after that line is run.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple, NoReturn

from .tree import Command

__all__ = ["FRAMEWORKS", "Captured", "capture"]

FRAMEWORKS = ("argparse", "click", "typer")
_ARGPARSE = ("parse_known_args", "parse_known_intermixed_args", "print_help", "print_usage")
_CLICK = ("main", "__call__", "make_context")


class Captured(NamedTuple):
    """A parser of one of FRAMEWORKS. read: makes its tree, given what the program is called."""

    framework: str
    read: Callable[[str | None], Command]


def capture(load: Callable[[], Any], handed: Callable[[Captured], NoReturn]) -> None:
    """Hand over the parser of a program; returns when it came to its end without one.

    load: imports the program's entry. handed: takes the parser, and ends the process. Raises what the program
    raises.
    """
    for framework in FRAMEWORKS:  # the program may import it as late as in its entry
        _import(framework)
    watch = _Watch(handed)
    failure: BaseException | None = None
    found = None
    try:
        watch.begin()
        entry = load()  # some modules parse as soon as they are imported
        found = _parser(entry)
        if found is None and callable(entry):
            watch.begin()  # also a copy of click that came with the module
            found = _parser(entry(*_arguments(entry)))
    except (Exception, SystemExit) as error:
        failure = error
    finally:
        watch.end()
    if found is None and watch.early:
        found = _parser(watch.early[-1])
    if found is not None:
        handed(found)
    if failure is not None:
        raise failure


class _Watch:
    """Watches the ways into the frameworks. early: the parsers that were let go on, in order."""

    def __init__(self, handed: Callable[[Captured], NoReturn]) -> None:
        self._handed = handed
        self._plain: dict[tuple[Any, str], Any] = {}
        self.early: list[argparse.ArgumentParser] = []

    def begin(self) -> None:
        """Watch those that are loaded by now."""
        for name in _ARGPARSE:
            self._watch(argparse.ArgumentParser, name)
        for owner in _commands():
            for name in _CLICK:
                if name in vars(owner):
                    self._watch(owner, name)

    def end(self) -> None:
        """Make all as it was."""
        for (owner, name), plain in self._plain.items():
            setattr(owner, name, plain)
        self._plain.clear()

    def _watch(self, owner: Any, name: str) -> None:
        if (owner, name) in self._plain:
            return
        plain = getattr(owner, name)

        def watched(parser: Any, *args: Any, **kwargs: Any) -> Any:
            if name.startswith("parse") and (_is_early(parser) or _parses_nothing(*args, **kwargs)):
                self.early.append(parser)
                return plain(parser, *args, **kwargs)
            self.end()
            found = _parser(parser)
            assert found is not None  # it is an instance of a class that is watched
            self._handed(found)

        self._plain[owner, name] = plain
        setattr(owner, name, watched)


def _is_early(parser: argparse.ArgumentParser) -> bool:
    """Whether a parser only looks for a few options before the program's own one: it has no help and no commands."""
    return not any(
        isinstance(one, (argparse._HelpAction, argparse._SubParsersAction)) or "--help" in one.option_strings
        for one in parser._actions
    )


def _parses_nothing(args: Any = None, *_: Any, **__: Any) -> bool:
    """Whether it is called for the defaults alone."""
    return args is not None and not args


def _parser(value: Any) -> Captured | None:
    """What is a parser itself."""
    if isinstance(value, argparse.ArgumentParser):
        return Captured("argparse", lambda name: _read_argparse(value, name))
    typer = sys.modules.get("typer")
    if typer is not None and isinstance(value, typer.Typer):
        return Captured("typer", lambda name: _read_click(typer.main.get_command(value), name))
    if isinstance(value, tuple(_commands())):
        by_typer = any(one.__module__.startswith("typer.") for one in type(value).__mro__)
        return Captured("typer" if by_typer else "click", lambda name: _read_click(value, name))
    return None


def _commands() -> list[type]:
    """The base classes of commands of every click that is loaded: its own, and the copies that others bring."""
    modules = [module for name, module in list(sys.modules.items()) if name.endswith("click.core")]
    classes = [getattr(module, name, None) for module in modules for name in ("BaseCommand", "Command")]
    return [one for one in classes if isinstance(one, type)]


def _import(name: str) -> None:
    try:
        import_module(name)
    except Exception:  # not there, or broken: the program has it no better
        pass


def _arguments(entry: Any) -> list[Any]:
    """What to call it with: a console script's needs nothing, a `main(argv)` its arguments."""
    try:
        needed = [
            one
            for one in inspect.signature(entry).parameters.values()
            if one.default is one.empty and one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
        ]
    except (TypeError, ValueError):
        return []
    return [sys.argv[1:]] if len(needed) == 1 else []


def _read_argparse(parser: argparse.ArgumentParser, name: str | None) -> Command:
    from ..integrations.read_argparse import read

    return read(parser, name)


def _read_click(command: Any, name: str | None) -> Command:
    from ..integrations.read_click import read

    return read(command, name)
