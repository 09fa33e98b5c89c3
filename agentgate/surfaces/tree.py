"""What a parser declares, whatever framework it is written with: a tree of commands and their parameters."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from .effects import Effects

__all__ = ["Command", "Parameter", "Program", "examples_in", "filled", "plain"]

_ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]+")  # an object without a text of its own


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """An option, or an argument (which has no flags).

    type: as JSON Schema calls it. off: the flags that switch it off (`--no-color`). takes_value: False for
    a flag. repeat: it may be given several times, or takes several words. together: all its words follow one
    flag (`--point 1 2`). count: how often it is given is its value. default: None when there is none, or none
    that can be told. prompt: the question that the program asks when it is left out, confirm: that question
    is a yes or no.
    """

    name: str
    flags: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    type: str = "string"
    takes_value: bool = True
    repeat: bool = False
    together: bool = False
    count: bool = False
    required: bool = False
    choices: tuple[Any, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    is_path: bool = False
    default: Any = None
    env: tuple[str, ...] = ()
    secret: bool = False
    hidden: bool = False
    metavar: str | None = None
    help: str = ""
    prompt: str | None = None
    confirm: bool = False
    about_program: bool = False  # `--help`, `--version`: no parameter of the command's work
    ours: bool = False  # added by an integration

    @property
    def is_option(self) -> bool:
        """Whether it is given by a flag."""
        return bool(self.flags or self.off)

    @property
    def flag(self) -> str:
        """The flag to show: the first long one."""
        flags = self.flags or self.off
        return next((flag for flag in flags if flag.startswith("--")), next(iter(flags), ""))


@dataclass(frozen=True, kw_only=True)
class Command:
    """One command. path: the words that call it, behind the program's name.

    group: under which heading the program's help lists it. needs_command: it does nothing by itself. passes_on:
    options that it does not know go to another program, so none behind its name is agentgate's.
    handler: what it runs, where the parser knows. rendered: its help, as the framework shows it.
    """

    name: str
    path: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    summary: str = ""
    description: str = ""
    usage: str = ""
    group: str = ""
    parameters: tuple[Parameter, ...] = ()
    commands: tuple[Command, ...] = ()
    needs_command: bool = False
    passes_on: bool = False
    effects: Effects = field(default_factory=Effects)
    hidden: bool = False
    examples: tuple[str, ...] = ()
    handler: Callable[..., Any] | None = None
    rendered: Callable[[], str] = str

    @property
    def arguments(self) -> list[Parameter]:
        """The arguments of its work, in order."""
        return [one for one in self.own if not one.is_option]

    @property
    def options(self) -> list[Parameter]:
        """The options of its work that its help shows."""
        return [one for one in self.own if one.is_option and not one.hidden]

    @property
    def own(self) -> list[Parameter]:
        """What the program itself declared: neither agentgate's options nor `--help` and `--version`."""
        return [one for one in self.parameters if not one.ours and not one.about_program]

    @property
    def visible(self) -> list[Command]:
        """Its commands that its help shows."""
        return [one for one in self.commands if not one.hidden]

    def walk(self) -> Iterator[Command]:
        """It and all commands under it."""
        yield self
        for one in self.commands:
            yield from one.walk()

    def leaves(self, *, hidden: bool = False) -> list[Command]:
        """The commands that can be run. hidden: also those that its help does not show."""
        mine = [] if self.needs_command else [self]
        for one in self.commands:
            if hidden or not one.hidden:
                mine += one.leaves(hidden=hidden)
        return mine

    def find(self, words: Iterable[str]) -> Command | None:
        """The command under this one that these words call, None when there is none."""
        found = self
        for word in words:
            under = next((one for one in found.commands if word == one.name or word in one.aliases), None)
            if under is None:
                return None
            found = under
        return found

    def called_by(self, arguments: Iterable[str]) -> Command:
        """The command that a command line calls: options and their values are passed over."""
        return self.line_of(arguments)[-1]

    def line_of(self, arguments: Iterable[str]) -> list[Command]:
        """The command that a command line calls, behind all those that it stands under."""
        line = [self]
        for under, word in self.placed(arguments):
            if word.startswith("-") and word != "-":
                continue
            found = under.find([word])
            if found is None:
                break
            line.append(found)
        return line

    def placed(self, arguments: Iterable[str]) -> Iterator[tuple[Command, str]]:
        """The words before `--` that are no option's value, each with the command that it stands under."""
        found, skip, called = self, False, False
        for word in arguments:
            if word == "--" and not skip:
                return
            if skip:
                skip = False
                continue
            yield found, word
            if word.startswith("-") and word != "-":
                skip = found._takes_next(word)
            elif not called:
                under = found.find([word])
                found, called = under or found, under is None  # what follows an argument is one too

    def _takes_next(self, word: str) -> bool:
        return any(word in one.flags and one.takes_value for one in self.parameters)


@dataclass(frozen=True, kw_only=True)
class Program:
    """A whole program. main: what it runs, where no command of its parser tells.

    version: as the program itself says it, or as its distribution was installed.
    """

    root: Command
    main: Callable[..., Any] | None = None
    version: str | None = None

    @property
    def name(self) -> str:
        """What it is called."""
        return self.root.name


def examples_in(text: str) -> tuple[str, ...]:
    """The command lines that a help text gives as examples: behind a `$`, or indented under `Examples:`."""
    found, under_heading = [], False
    for line in text.splitlines():
        words = line.strip()
        if words.startswith("$ "):
            found.append(words[2:].strip())
        elif words.lower().rstrip(":") in ("example", "examples"):
            under_heading = True
        elif under_heading and line[:1].isspace() and words:
            found.append(words)
        elif words and words != "\b":
            under_heading = False
    return tuple(found)


def filled(table: dict[str, Any]) -> dict[str, Any]:
    """The entries that say something: a description leaves out what there is not."""
    return {key: value for key, value in table.items() if value not in (None, "", [], False)}


def plain(value: Any) -> Any:
    """A value as JSON can say it, the same in every run; None for one that cannot be told."""
    if value is None or isinstance(value, (str, int)) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, (set, frozenset)):
        return sorted(map(plain, value), key=str)
    try:
        text = str(value)
    except Exception:  # the program's own code
        return None
    return None if _ADDRESS.search(text) else text
