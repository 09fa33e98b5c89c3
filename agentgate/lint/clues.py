"""What in the bytes of a file may matter to the rules about the code around prompts, in a file without one.

Every search is led by a literal: few files have a clue, and only those are read.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import NamedTuple

from agentgate.lint.known import DECLARATION, Known, Program

__all__ = ["Clues", "build"]


# how a module's or an object's prompt is called
_CALLS = (b".ask(", b".prompt(", b".confirm(")
_BARE_CALLS = (b"prompt(", b"confirm(", b"getpass(", b"raw_input(")


class _Destroyers(NamedTuple):
    """The calls of one module that destroy.

    root, word: the module in an import. renames: an import under which they go by other names. written: as they stand
    in a file otherwise. names: the last name of each.
    """

    root: bytes
    word: re.Pattern[bytes]
    renames: re.Pattern[bytes]
    written: tuple[bytes, ...]
    names: tuple[bytes, ...]

    def may_be_in(self, data: bytes, imports: bytes) -> bool:
        """The module is imported, and such a call of it is named."""
        if self.root not in imports or not self.word.search(imports):
            return False
        return any(name in data for name in (self.names if self.renames.search(imports) else self.written))


class Clues(NamedTuple):
    """The searches."""

    starts: re.Pattern[bytes]
    programs: re.Pattern[bytes]
    commands: dict[bytes, re.Pattern[bytes] | None]
    variables: re.Pattern[bytes]
    handed_on: re.Pattern[bytes]
    destroys: tuple[_Destroyers, ...]
    handlers: re.Pattern[bytes]

    def hands_on(self, data: bytes, imports: bytes) -> bool:
        """The file may import a prompt from another module of its project, or a class that asks."""
        if any(call in data for call in _CALLS) or self.handed_on.search(imports):
            return True
        return b"import *" in imports and any(call in data for call in _BARE_CALLS)

    def found(self, data: bytes, imports: bytes) -> bool:
        """The file may start a program, read a variable or destroy something that matters, or use what is handed on."""
        if self.hands_on(data, imports):
            return True
        if b"subprocess" in imports and self.asks(data):
            return True
        if any(one.may_be_in(data, imports) for one in self.destroys) and self.handlers.search(data):
            return True
        if b"os" not in imports:
            return False
        picked = b"from os" in imports
        if (picked or self.starts.search(data)) and self.asks(data):
            return True
        return (picked or b"os.environ" in data or b"os.getenv" in data) and bool(self.variables.search(data))

    def asks(self, data: bytes) -> bool:
        """A program that asks is named, with one of the commands that make it ask."""
        return any(
            (commands := self.commands[program]) is None or commands.search(data)
            for program in set(self.programs.findall(data))
        )


def build(facts: Known) -> Clues:
    """The searches for what is known."""
    of_os = sorted({name.removeprefix("os.")[:4] for name in facts.starts if name.startswith("os.")})
    asking = {name: programs for name, programs in facts.programs.items() if any(one.does for one in programs)}
    names = {name.lstrip("$"): programs for name, programs in asking.items()}
    handed_on = "|".join(sorted(facts.questions.handed_on))
    words = "|".join(map(re.escape, sorted(names)))
    decorators = "|".join(sorted(facts.decorators))
    declared = DECLARATION.rpartition(".")[2]
    methods = "|".join(sorted(facts.methods))
    destroys: dict[str, list[str]] = defaultdict(list)
    for name, effect in facts.effects.items():
        if effect.destroys:
            destroys[name.partition(".")[0]].append(name)
    return Clues(
        re.compile(rf"os\.(?:{'|'.join(of_os)})".encode()),
        # a word of its own at the start of a string, of a path's last part, or of a command of a shell
        re.compile(rf"""(?:["'/$]|&& |\| |; |-m )({words})["' ]""".encode()),
        {name.encode(): _commands(name, programs) for name, programs in names.items()},
        re.compile(rf"""["'](?:{"|".join(sorted(facts.variables))})["']""".encode()),
        re.compile(rf"import[ \t]*(?:\([^)]*?|[^\r\n(]*?)\b(?:{handed_on})\b".encode()),
        tuple(_destroyers(root, calls) for root, calls in destroys.items()),
        # a framework's decorator is a method of its application; the bare names are of many other things
        re.compile(rf"@[\w.]+\.(?:{decorators})\b|@(?:[\w.]+\.)?{declared}\b|def (?:{methods})\b".encode()),
    )


def _destroyers(root: str, calls: list[str]) -> _Destroyers:
    """A function is written behind its module, a method behind any object."""
    return _Destroyers(
        root.encode(),
        re.compile(rf"{root}\b(?<!\w{root})".encode()),
        re.compile(rf"from[ \t\\\r\n]+{root}\b(?!\.)|\b{root}[ \t]+as\b".encode()),
        tuple((name if name.count(".") == 1 else f".{name.rpartition('.')[2]}").encode() for name in calls),
        tuple(name.rpartition(".")[2].encode() for name in calls),
    )


def _commands(name: str, programs: list[Program]) -> re.Pattern[bytes] | None:
    """A command with which a program asks, as a word of its own or behind its name; None when it asks without one."""
    if not all(program.commands for program in programs if program.does):
        return None
    last = {command.split()[-1] for program in programs for command in program.commands}
    words = "|".join(map(re.escape, sorted(last)))
    return re.compile(rf"""["'](?:{words})["'\s]|{re.escape(name)}\b[^\r\n"']*\s(?:{words})\b""".encode())
