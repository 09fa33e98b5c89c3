"""The questions that a program's commands may ask: those that its options declare, and those in its handlers."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from .. import label as labels
from .tree import Command, Program

__all__ = ["Asked", "Prompts", "prompts"]


class Asked(NamedTuple):
    """One question. flag: the program's own option that answers it ahead."""

    name: str
    label: str
    kind: str
    choices: tuple[str, ...] = ()
    default: str | None = None
    flag: str | None = None


class Prompts(NamedTuple):
    """of_program: the questions that no command can be said to ask alone."""

    by_command: dict[tuple[str, ...], list[Asked]]
    of_program: list[Asked]

    def of(self, command: Command) -> list[Asked]:
        """The questions of one command."""
        return self.by_command.get(command.path, [])


def prompts(program: Program) -> Prompts:
    """All questions of a program. Its sources are read; nothing of it is run."""
    found = Prompts({}, [])
    commands = program.root.leaves(hidden=True)
    for one in commands:
        found.by_command[one.path] = [*_declared(one), *(_in_handler(one.handler) if one.handler else ())]
    if program.main is not None:
        for asked in _in_handler(program.main):
            owners = [one for one in commands if asked.flag and asked.flag in _flags(one)]
            for owner in owners:
                found.by_command[owner.path].append(asked)
            if not owners:
                found.of_program.append(asked)
    return found


def _declared(command: Command) -> Iterator[Asked]:
    for one in command.own:
        if one.prompt:
            kind = "confirm" if one.confirm else "secret" if one.secret else "choice" if one.choices else "text"
            default = None if one.default is None or one.secret else str(one.default)
            yield Asked(one.name, one.prompt, kind, tuple(map(str, one.choices)), default, one.flag)


def _flags(command: Command) -> set[str]:
    return {flag for one in command.own for flag in one.flags}


def _in_handler(handler: Callable[..., Any]) -> list[Asked]:
    """The gates and prompts in a handler, and in the functions of its package that it calls by name."""
    from ..lint.finding import DECLARATION
    from ..lint.questions import questions

    places: dict[str, list[tuple[int, int]]] = {}
    for one in _reached(handler):
        if os.path.isfile(one.__code__.co_filename):
            places.setdefault(one.__code__.co_filename, []).append(_lines(one))
    found = []
    for question in questions(list(places)):
        here = any(first <= question.line <= last for first, last in places[question.path])
        if here and question.code != DECLARATION:  # the parser itself knows those better
            name, label = question.name or "answer", labels.clean(question.label or "")
            choices = tuple(question.choices or ())
            found.append(Asked(name, label, question.kind, choices, question.default, question.flag))
    return list(dict.fromkeys(found))


def _reached(handler: Callable[..., Any]) -> Iterator[FunctionType]:
    package = (getattr(handler, "__module__", None) or "").partition(".")[0]
    seen: set[FunctionType] = set()
    waiting = [inspect.unwrap(handler)]
    while waiting:
        one = inspect.unwrap(waiting.pop())
        if not isinstance(one, FunctionType) or one in seen or one.__module__.partition(".")[0] != package:
            continue
        seen.add(one)
        yield one
        waiting += [one.__globals__[name] for name in one.__code__.co_names if callable(one.__globals__.get(name))]


def _lines(function: FunctionType) -> tuple[int, int]:
    """Where a function stands: from its first decorator on, with all that is written in it."""
    last = [function.__code__.co_firstlineno]
    waiting = [function.__code__]
    while waiting:
        code = waiting.pop()
        last += [line for *_, line in code.co_lines() if line is not None]
        waiting += [one for one in code.co_consts if isinstance(one, CodeType)]
    return function.__code__.co_firstlineno, max(last)
