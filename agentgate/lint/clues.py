"""What in the bytes of a file may matter to the rules about the code around prompts, in a file without one.

The imports are looked at first: most files start no program, read no variable and destroy nothing of what matters.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from agentgate.lint.imported import BLANK, GAP, READ, Imports
from agentgate.lint.index import Index
from agentgate.lint.known import DECLARATION, ENVIRONMENT, Known, Program
from agentgate.lint.programs import KEYWORDS
from agentgate.lint.strings import without_prose

__all__ = ["Clues", "build"]


# methods that ask, and are of many other things as well (of a random number, of a plot), or may read what their own
# module says and no terminal (a shell)
_ANYBODYS = frozenset({"choice", "cmdloop", "run", "run_async", "show"})
_DECLARED = DECLARATION.rpartition(".")[2]
# where a program may be named: at the start of a string, of a path's last part, or of a command of a shell; led by
# one class of bytes, which is how a search is fast
_COMMAND = rb"""["'/$;&|(){!\r\n\\-](?:(?<=-)m|(?<=\\)[\\nrtfv]|(?<![\\-]))[ \t]*+"""
_PROGRAM = re.compile(_COMMAND + rb"""([\w.][\w.+-]*+)(?=[\s"'\\;&|)}:])""")
_VARIABLE = re.compile(rb"\$\{+(\w+)")
_WORD = re.compile(rb"[\w.+-]+")


@cache
def _compiled(pattern: bytes) -> re.Pattern[bytes]:
    """Most patterns are of modules and programs that few trees name: one is compiled when it is searched for."""
    return re.compile(pattern)


class _Module(NamedTuple):
    """How a file reads one module of these calls.

    reads: its name, with that of the attribute behind it, or without where it is handed on as a value. renames: an
    import under which its calls go by other names.
    """

    reads: bytes
    renames: bytes


class _Used(NamedTuple):
    """What a file reads of a module. names: its attributes. anywhere: by other names than the module's, too."""

    names: frozenset[bytes]
    anywhere: bool


class _Calls(NamedTuple):
    """Some calls of one module.

    names: their last names. attributes: a pattern for them behind a dot. methods: they are of objects, which may go
    by any name.
    """

    calls: frozenset[str]
    names: frozenset[bytes]
    attributes: bytes
    methods: bool

    def may_be_in(self, data: bytes, imports: Imports, module: _Used) -> bool:
        """Such a call of the module is named. module: what the file reads of it."""
        if not (self.methods or module.names.isdisjoint(self.names)):
            return True
        if module.anywhere and (b"*" in imports.text or not self.names.isdisjoint(imports.words)):
            return True
        return (self.methods or module.anywhere) and _compiled(self.attributes).search(data) is not None


class _Group(dict[bytes, _Calls]):
    """The calls that one rule is about, by their modules."""

    def found(self, data: bytes, imports: Imports, used: Mapping[bytes, _Used]) -> frozenset[str]:
        """Those of the modules that are used, and of which one is named."""
        there = (self[root] for root in used.keys() & self if self[root].may_be_in(data, imports, used[root]))
        return frozenset().union(*(calls.calls for calls in there))


class _Asks(NamedTuple):
    """What must be written beside a program's name for it to ask: one of its commands, one of its options."""

    commands: bytes | None
    only: bytes | None

    def may_be_in(self, data: bytes) -> bool:
        return all(one is None or _compiled(one).search(data) is not None for one in self)


class Clues(NamedTuple):
    """The searches. modules: those of which any of the calls are, by name."""

    modules: dict[bytes, _Module]
    starts: _Group
    asking: dict[bytes, list[_Asks]]
    wrapped: bytes
    destroys: _Group
    handlers: re.Pattern[bytes]
    environment: _Group
    variables: re.Pattern[bytes]
    methods: re.Pattern[bytes]
    handed_on: frozenset[bytes]
    imports_handed_on: re.Pattern[bytes]
    calls_handed_on: re.Pattern[bytes]

    @property
    def words(self) -> frozenset[bytes]:
        """The words that are looked for among the imports."""
        groups = (self.starts, self.destroys, self.environment)
        names = (calls.names for group in groups for calls in group.values())
        return frozenset({*self.modules, *self.handed_on, _DECLARED.encode()}).union(*names)

    def hands_on(self, data: bytes, imports: Imports) -> bool:
        """The file may import a prompt from another module of its project, or a class that asks."""
        if not self.handed_on.isdisjoint(imports.words) and self.imports_handed_on.search(imports.text):
            return True
        if b"*" in imports.text and self.calls_handed_on.search(data):
            return True
        return self.methods.search(data) is not None

    def found(self, data: bytes, imports: Imports) -> frozenset[str]:
        """The calls that the file may have, and that matter in it: to start a program, destroy or read something."""
        used = {root: _used(self.modules[root], data, imports) for root in self.modules.keys() & imports.words}
        found: frozenset[str] = frozenset()
        if (starts := self.starts.found(data, imports, used)) and self.asks(data):
            found |= starts
        if (destroys := self.destroys.found(data, imports, used)) and self.handles(data, imports):
            found |= destroys
        if (reads := self.environment.found(data, imports, used)) and self.variables.search(data) is not None:
            found |= reads
        return found

    def handles(self, data: bytes, imports: Imports) -> bool:
        """A framework may call a function for a command, or a function is declared to be one."""
        return _DECLARED.encode() in imports.words or self.handlers.search(data) is not None

    def asks(self, data: bytes) -> bool:
        """A program that asks is named, with what makes it ask, where that is not only said to a reader."""
        data = without_prose(data)
        words = {*_PROGRAM.findall(data), *_VARIABLE.findall(data)}
        words.update(*(_WORD.findall(line or word) for line, word in _compiled(self.wrapped).findall(data)))
        return any(one.may_be_in(data) for name in self.asking.keys() & words for one in self.asking[name])


def _used(module: _Module, data: bytes, imports: Imports) -> _Used:
    reads = _compiled(module.reads)
    names = reads.findall(data)
    # in an import it is not used yet
    anywhere = names.count(b"") > reads.findall(imports.text).count(b"")
    return _Used(frozenset(names), anywhere or _compiled(module.renames).search(imports.text) is not None)


def build(index: Index) -> Clues:
    """The searches for what a catalog knows."""
    facts = index.known
    asking: dict[bytes, list[_Asks]] = {}
    for name, programs in facts.programs.items():
        asks = [_asks(name, program) for program in programs if program.does]
        if asks:
            for written in (name.lstrip("$"), f"{name}.exe"):
                asking[written.encode()] = asks
    wrappers = {name for name, programs in facts.programs.items() if any(program.wraps for program in programs)}
    wrappers |= set(filter(str.isalpha, KEYWORDS))
    handed_on = _either(facts.questions.handed_on)
    destroys = [name for name, effect in facts.effects.items() if effect.destroys]
    environment = [name for name in ENVIRONMENT if name.count(".") == 1]
    modules = _by_module((*facts.starts, *destroys, *environment))
    return Clues(
        {root.encode(): _module(root, calls) for root, calls in modules.items()},
        _calls(facts.starts),
        asking,
        _wrapped(wrappers),
        _calls(destroys),
        _handlers(facts),
        _calls(environment),
        re.compile(rf"""["'](?:{_either(facts.variables)})["']""".encode()),
        re.compile(rf"\.(?:{_either({*_methods(index.prompts), *facts.questions.handed_on})})[ \t]*\(".encode()),
        frozenset(name.encode() for name in facts.questions.handed_on),
        re.compile(rb"import(?:%b*\([^)]*?|(?:[^\r\n\\(]|\\[\r\n]+)*?)\b(?:%b)\b" % (BLANK, handed_on.encode())),
        _called(facts.questions.handed_on),
    )


def _called(names: Iterable[str]) -> re.Pattern[bytes]:
    """A call of a bare name; of its bytes the parenthesis is the one that a search finds fastest."""
    ends = (rf"(?<=[^\w.]{name}{blank}\()" for name in names for blank in ("", "[ \t]"))
    return re.compile(rf"\((?:{'|'.join(ends)})".encode())


def _methods(prompts: Iterable[str]) -> set[str]:
    """How the prompt of an object or a class is called, wherever that comes from."""
    names = (name.split(".") for name in prompts)
    return {last for *_, owner, last in names if owner[:1].isupper()} - _ANYBODYS


def _by_module(calls: Iterable[str]) -> dict[str, list[str]]:
    by_root: dict[str, list[str]] = defaultdict(list)
    for call in calls:
        by_root[call.partition(".")[0]].append(call)
    return by_root


def _module(root: str, calls: list[str]) -> _Module:
    name = root.encode()
    owners = "|".join({re.escape(call[: dot.start()]) for call in calls for dot in re.finditer(r"\.", call)})
    return _Module(
        rb"%b\b(?<![\w.]%b)(?:%b\.%b(\w+)|%b)" % (name, name, GAP, GAP, READ),
        rf"from[ \t\f\\\r\n]+(?:{owners})\b(?!\.)|(?:{owners})[ \t\f\\\r\n]+as\b".encode(),
    )


def _calls(calls: Iterable[str]) -> _Group:
    return _Group({root.encode(): _calls_of(several) for root, several in _by_module(calls).items()})


def _calls_of(calls: list[str]) -> _Calls:
    """A function is written behind its module, a method behind any object."""
    names = {call.rpartition(".")[2] for call in calls}
    return _Calls(
        frozenset(calls),
        frozenset(name.encode() for name in names),
        rb"\.%b(?:%b)\b" % (GAP, _either(names).encode()),
        any(call.count(".") > 1 for call in calls),
    )


def _handlers(facts: Known) -> re.Pattern[bytes]:
    """A framework's decorator, or our own, on the line where it starts; a method of a framework's class."""
    dotted, bare, methods = map(_either, (facts.decorators, facts.decorators_bare, facts.methods))
    decorator = rf"@(?:[^\r\n@]*(?:\.{GAP.decode()}(?:{dotted})|\b{_DECLARED})|[ \t]*(?:{bare}))\b"
    return re.compile(rf"{decorator}|def{BLANK.decode()}+(?:{methods})\b".encode())


def _wrapped(wrappers: Iterable[str]) -> bytes:
    """What stands behind another program, a shell's own word or a variable, also in a next string, or a redirection."""
    behind = rb"(?:[A-Za-z_]\w*=|(?:%b)[ \t])" % _either(wrappers).encode()
    next_string = rb"""(?:["'](?:[\s\\+]|#[^\r\n]*+)*+)?"""
    redirection = rb"(?:\d?[<>]+[ \t]*[^\s<>]+[ \t]+)+"
    return _COMMAND + rb"(?:%b%b([^\r\n]*)|%b([^\s<>]+))" % (behind, next_string, redirection)


def _either(words: Iterable[str]) -> str:
    """One of these words, by their first letters: few are tried where none of them stands."""
    return "|".join(
        f"{re.escape(first)}(?:{'|'.join(re.escape(word[1:]) for word in several)})"
        for first, several in groupby(sorted(words), key=itemgetter(0))
    )


def _asks(name: str, program: Program) -> _Asks:
    """What a program needs beside its name; an option may stand anywhere."""
    return _Asks(
        _command(name, program).encode() if program.commands else None,
        "|".join(map(_option, program.only)).encode() if program.only else None,
    )


def _command(name: str, program: Program) -> str:
    """A command of a program stands behind its name, or at the start of a text, or behind what is put into one.

    Between the two may be options, and the first words of the command.
    """
    last = _either({command.split()[-1] for command in program.commands})
    first = {re.escape(word) for command in program.commands for word in command.split()[:-1]}
    first |= {rf"{re.escape(option)}\s+[^\s\"']+" for option in program.valued}
    between = "|".join((*(rf"{one}(?=\s)" for one in sorted(first)), r"\s", r"\\[nrt\s]", r"-[\w=./-]+"))
    behind_name = rf"{re.escape(name)}\b[\s\S]{{0,200}}?(?:\s|\\[nrt])"
    return rf"""(?:(?:["'}}]|%s)(?:{between})*+|{behind_name})(?:{last})\b"""


def _option(option: str) -> str:
    """A short option may stand among others, as in `-rfi`."""
    if len(option) == 2 and option.startswith("-"):
        return rf"(?:(?<![\w-])|(?<=\\[nrt]))-[A-Za-z]{{0,3}}{re.escape(option[1])}"
    return rf"(?i:{re.escape(option)})"
