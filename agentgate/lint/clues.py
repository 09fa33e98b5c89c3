"""What in the bytes of a file may matter to the rules about the code around prompts, in a file without one.

The imports are looked at first: most files start no program, read no variable and destroy nothing of what matters.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from agentgate.lint.barename import stems
from agentgate.lint.imported import BLANK, READ, Imports
from agentgate.lint.known import DECLARATION, ENVIRONMENT, Known, Program

__all__ = ["Clues", "build"]


DECLARED = DECLARATION.rpartition(".")[2]
# how a module's or an object's prompt is called
_CALLS = re.compile(rb"\.(?:ask|prompt|confirm)[ \t]*\(")
_BARE_CALLS = re.compile(rb"(?:prompt|confirm|getpass|raw_input)[ \t]*\(")


@cache
def _compiled(pattern: bytes) -> re.Pattern[bytes]:
    """Most patterns are of modules and programs that few trees name: one is compiled when it is searched for."""
    return re.compile(pattern)


class _Calls(NamedTuple):
    """Some calls of one module.

    renames: an import under which they go by other names. written: as they stand in a file otherwise. value: the module
    where no attribute of it is read. names: the last names, but for those in which another stands.
    """

    root: bytes
    renames: bytes
    written: bytes
    value: bytes
    names: tuple[bytes, ...]

    def may_be_in(self, data: bytes, imports: Imports) -> bool:
        """The module is imported, and such a call of it is named."""
        if self.root not in imports.words:
            return False
        if _compiled(self.written).search(data) is not None:
            return True
        renamed = _compiled(self.renames).search(imports.text) is not None
        value = _compiled(self.value)
        if not renamed and len(value.findall(data)) <= len(value.findall(imports.text)):
            return False
        return any(name in data for name in self.names)


class _Asks(NamedTuple):
    """What must be written beside a program's name for it to ask: one of its commands, one of its options."""

    commands: bytes | None
    only: bytes | None

    def may_be_in(self, data: bytes) -> bool:
        return all(one is None or _compiled(one).search(data) is not None for one in self)


class Clues(NamedTuple):
    """The searches. modules: of which any of these calls are."""

    modules: frozenset[bytes]
    starts: list[_Calls]
    programs: re.Pattern[bytes]
    asking: dict[bytes, list[_Asks]]
    destroys: list[_Calls]
    handlers: re.Pattern[bytes]
    environment: list[_Calls]
    variables: re.Pattern[bytes]
    handed_on: frozenset[bytes]
    imports_handed_on: re.Pattern[bytes]

    def hands_on(self, data: bytes, imports: Imports) -> bool:
        """The file may import a prompt from another module of its project, or a class that asks."""
        if not self.handed_on.isdisjoint(imports.words) and self.imports_handed_on.search(imports.text):
            return True
        if b"*" in imports.text and _BARE_CALLS.search(data):
            return True
        return _CALLS.search(data) is not None

    def found(self, data: bytes, imports: Imports) -> bool:
        """The file may start a program, read a variable or destroy something that matters."""
        if imports.words.isdisjoint(self.modules):
            return False
        return (
            (_any(self.starts, data, imports) and self.asks(data))
            or (_any(self.destroys, data, imports) and self.handles(data, imports))
            or (_any(self.environment, data, imports) and self.variables.search(data) is not None)
        )

    def handles(self, data: bytes, imports: Imports) -> bool:
        """A framework may call a function for a command, or a function is declared to be one."""
        return DECLARED.encode() in imports.words or self.handlers.search(data) is not None

    def asks(self, data: bytes) -> bool:
        """A program that asks is named, with what makes it ask."""
        return any(one.may_be_in(data) for name in set(self.programs.findall(data)) for one in self.asking[name])


def _any(calls: Iterable[_Calls], data: bytes, imports: Imports) -> bool:
    return any(one.may_be_in(data, imports) for one in calls)


def build(facts: Known) -> Clues:
    """The searches for what is known."""
    asking: dict[bytes, list[_Asks]] = {}
    for name, programs in facts.programs.items():
        asks = [_asks(name, program) for program in programs if program.does]
        if asks:
            asking[name.lstrip("$").encode()] = asks
    handed_on = "|".join(sorted(facts.questions.handed_on))
    starts = _by_module(facts.starts)
    destroys = _by_module(name for name, effect in facts.effects.items() if effect.destroys)
    environment = _by_module(name for name in ENVIRONMENT if name.count(".") == 1)
    return Clues(
        frozenset(calls.root for calls in (*starts, *destroys, *environment)),
        starts,
        # a word of its own at the start of a string, of a path's last part, or of a command of a shell
        re.compile(rb"""(?:["'/$;&|]|-m|\$\()[ \t]*(%b)[\s"'\\;&|]""" % _either(map(bytes.decode, asking)).encode()),
        asking,
        destroys,
        # a framework's decorator is a method of its application; the bare names are of many other things
        re.compile(
            rf"@[^\r\n@]*(?:\.[\s\\]*(?:{_either(facts.decorators)})|\b{DECLARED})\b"
            rf"|def[ \t\f]+(?:{_either(facts.methods)})\b".encode()
        ),
        environment,
        re.compile(rf"""["'](?:{_either(facts.variables)})["']""".encode()),
        frozenset(name.encode() for name in facts.questions.handed_on),
        re.compile(rb"import(?:%b*\([^)]*?|(?:[^\r\n\\(]|\\[\r\n]+)*?)\b(?:%b)\b" % (BLANK, handed_on.encode())),
    )


def _by_module(calls: Iterable[str]) -> list[_Calls]:
    by_root: dict[str, set[str]] = defaultdict(set)
    for call in calls:
        by_root[call.partition(".")[0]].add(call)
    return [_calls(root, several) for root, several in by_root.items()]


def _calls(root: str, calls: set[str]) -> _Calls:
    """A function is written behind its module, a method behind any object."""
    names = {call.rpartition(".")[2] for call in calls}
    owner = rf"{root}[\s\\]*" if all(call.count(".") == 1 for call in calls) else ""
    owners = "|".join({re.escape(call[: dot.start()]) for call in calls for dot in re.finditer(r"\.", call)})
    return _Calls(
        root.encode(),
        rf"from[ \t\f\\\r\n]+(?:{owners})\b(?!\.)|(?:{owners})[ \t\f\\\r\n]+as\b".encode(),
        rf"{owner}\.[\s\\]*(?:{_either(names)})\b".encode(),
        rb"%b\b(?<![\w.]%b)(?![\s\\]*\.)%b" % (root.encode(), root.encode(), READ),
        tuple(stems(name.encode() for name in names)),
    )


def _either(words: Iterable[str]) -> str:
    """One of these words, by their first letters: few are tried where none of them stands."""
    return "|".join(
        f"{re.escape(first)}(?:{'|'.join(re.escape(word[1:]) for word in several)})"
        for first, several in groupby(sorted(words), key=itemgetter(0))
    )


def _asks(name: str, program: Program) -> _Asks:
    """A command stands as a word of its own or behind the program's name, an option anywhere."""
    commands = only = None
    if program.commands:
        words = _either({command.split()[-1] for command in program.commands})
        commands = rf"""["'](?:{words})["'\s]|{re.escape(name)}\b[^\r\n"']*\s(?:{words})\b""".encode()
    if program.only:
        only = "|".join(map(_option, program.only)).encode()
    return _Asks(commands, only)


def _option(option: str) -> str:
    """A short option may stand among others, as in `-rfi`."""
    if len(option) == 2 and option.startswith("-"):
        return rf"(?:(?<![\w-])|(?<=\\[nrt]))-[A-Za-z]{{0,3}}{re.escape(option[1])}"
    return rf"(?i:{re.escape(option)})"
