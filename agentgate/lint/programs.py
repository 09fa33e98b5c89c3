"""Whether a command line starts a program that can wait for a person (`lint_rules/known-programs.toml`)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

from agentgate.lint.argv import REST, Words, commands
from agentgate.lint.known import Known, Program

__all__ = ["KEYWORDS", "Asking", "Surroundings", "asking"]

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_CLUSTER = re.compile(r"-[A-Za-z]{2,4}\Z")
# the words of a shell behind which a command follows
KEYWORDS = frozenset({"!", "{", "do", "elif", "else", "if", "then", "until", "while"})
# `${EDITOR}`, `${EDITOR:-vi}`
_VARIABLE = re.compile(r"\$\{(\w+)(?::?[-=?+][^}]*)?\}")
_SHELL_COMMAND = re.compile(r"-[a-z]*c\Z")
_PYTHON = re.compile(r"(?:python[\d.]*|py)(?:\.exe)?\Z")


class Surroundings(NamedTuple):
    """What the call gives its child.

    stdin: a stream of its own. stdout: its output goes elsewhere. session: it has no terminal to open.
    environment: the variables that are set; a value of None is not known. complete: no others can be.
    """

    stdin: bool = False
    stdout: bool = False
    session: bool = False
    environment: Mapping[str, str | None] = {}
    complete: bool = True


class Asking(NamedTuple):
    """A program that can ask, and how it is shown."""

    program: Program
    shown: str


def asking(words: Words, around: Surroundings, known: Known) -> Asking | None:
    """The program of this command line that can ask; None when there is none, or it cannot be told."""
    environment = dict(around.environment)
    words, around = _redirected(words, around)
    while words:
        while words and (words[0] in KEYWORDS or _ASSIGNMENT.match(words[0])):
            environment |= _assigned([words.pop(0)])
        if not words:
            return None
        words = _module([_VARIABLE.sub(r"$\1", words[0]), *words[1:]])
        name = words[0].rpartition("/")[2].removesuffix(".exe")
        wrapped: Words = []
        for program in known.programs.get(name, ()):
            if program.does and _asks(program, words, around, environment):
                return Asking(program, " ".join([name, *_commands_of(program, words)]))
            if program.wraps:
                wrapped = _wrapped(program, words)
                environment |= _assigned(words[1 : len(words) - len(wrapped)])
            if program.shell:
                around = around._replace(environment=environment)
                inner = (asking(command, around, known) for command in _commands_of_shell(words))
                return next(filter(None, inner), None)
        words = wrapped
    return None


def _wrapped(program: Program, words: Words) -> Words:
    """The command line that a program starts; `command -v` starts none."""
    wrapped = _operands(words[1:], program.valued)
    options = words[1 : len(words) - len(wrapped)]
    return [] if not program.does and any(_has(options, option) for option in program.unless) else wrapped


def _commands_of_shell(words: Words) -> list[Words]:
    """The commands in `sh -c TEXT`."""
    texts = [text for option, text in pairwise(words) if _SHELL_COMMAND.match(option)]
    return commands(texts[0]) if texts else []


def _assigned(words: Words) -> dict[str, str | None]:
    """The variables that words such as `NAME=value` set."""
    parts = [word.partition("=") for word in words if _ASSIGNMENT.match(word)]
    return {name: value for name, _, value in parts}


def _redirected(words: Words, around: Surroundings) -> tuple[Words, Surroundings]:
    """Take out what the shell makes of its own: `| …`, `< file`, `> file`, `2>&1`."""
    left: Words = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word == "|":
            around = around._replace(stdin=True)
        elif word and set(word) <= set("<>&"):
            errors = ">" in word and bool(left) and left[-1] == "2"
            left = left[:-1] if errors else left
            around = around._replace(
                stdin=around.stdin or "<" in word, stdout=around.stdout or (">" in word and not errors)
            )
            skip = True
        else:
            left.append(word)
    return left, around


def _module(words: Words) -> Words:
    """`python -m pip …`, or `-mpip`, is `pip …`."""
    if _PYTHON.match(words[0].rpartition("/")[2]) and len(words) > 1 and words[1].startswith("-m"):
        module = words[1].removeprefix("-m")
        return [module, *words[2:]] if module else words[2:] or list(words)
    return list(words)


def _asks(program: Program, words: Words, around: Surroundings, environment: Mapping[str, str | None]) -> bool:
    before, command = _command(program, words)
    if command is None:
        return False
    arguments = words[1 + before + len(command) :]
    operands = _operands(arguments, program.valued)
    # behind the first word of a wrapped program options are not the wrapper's
    options = arguments[: len(arguments) - len(operands)] if program.wraps else arguments
    options = [*_without_values(words[1 : 1 + before], program.valued), *options]
    if program.only and not any(_has(options, option) for option in program.only):
        return False
    if any(_has(options, option) or _has_setting(words, option) for option in program.unless):
        return False
    if REST in options and (program.unless or program.operands is not None):
        return False
    if program.operands is not None and bool(operands) is not program.operands:
        return False
    if program.opens == "screen" and not operands and not around.stdin:
        return False  # it has nothing to show
    if program.env and not around.complete:
        return False
    if any(_is_set(variable, environment) for variable in program.env):
        return False
    return {"stdin": not around.stdin, "terminal": not around.session, "screen": not around.stdout}[program.opens]


def _command(program: Program, words: Words) -> tuple[int, list[str] | None]:
    """How many words stand before the program's own command, and the command; None when it is another."""
    if not program.commands:
        return 0, []
    before = len(words) - 1 - len(_operands(words[1:], program.valued))
    operands = words[1 + before :]
    for command in program.commands:
        parts = command.split()
        if operands[: len(parts)] == parts:
            return before, parts
    return before, None


def _commands_of(program: Program, words: Words) -> list[str]:
    return _command(program, words)[1] or []


def _operands(words: Words, valued: tuple[str, ...]) -> Words:
    """The words from the first one that is no option, nor an option's value."""
    skip = False
    for at, word in enumerate(words):
        if skip:
            skip = False
        elif word in valued:
            skip = True
        elif not word.startswith("-") and not _ASSIGNMENT.match(word):
            return words[at:]
    return []


def _without_values(words: Words, valued: tuple[str, ...]) -> Words:
    """The options before a command but for those that take a value, which mean something else there."""
    return [word for at, word in enumerate(words) if word not in valued and (not at or words[at - 1] not in valued)]


def _has(words: Words, option: str) -> bool:
    """An option is among these words: as it is, with its value, among other short ones (`-am`), or as a value."""
    if not option.startswith("-"):
        return any(word.lower().endswith(option.lower()) for word in words)
    if option.startswith("--"):
        return any(word == option or word.startswith(option + "=") for word in words)
    short = len(option) == 2
    return any(
        word == option
        or (short and word.startswith(option))
        or (short and option[1] in word and _CLUSTER.match(word) is not None)
        for word in words
    )


def _has_setting(words: Words, option: str) -> bool:
    """A setting (`NAME=`) is among these words, whatever its value."""
    return option.endswith("=") and any(option in word for word in words)


def _is_set(variable: str, environment: Mapping[str, str | None]) -> bool:
    """`NAME`, or `NAME=value`, is in this environment, as far as it is known."""
    name, _, value = variable.partition("=")
    return name in environment and (not value or environment[name] in (value, None))
