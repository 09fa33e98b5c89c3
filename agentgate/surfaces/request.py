"""What a command line asks agentgate for: a form of the outcome, or one of the descriptions of the program."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from ..runtime import stop
from .flags import FLAGS, WORDS
from .tree import Command

__all__ = ["Request", "before_dashes", "take"]

FORMATS = ("text", "json")


class Request(NamedTuple):
    """form: `text`, `json` or `view`; None leaves it to who runs the program.

    fields: of the data, with `--json=a,b`; empty to list them. describe: the description that is wanted.
    words: its operands. rest: the program's own arguments. profile: of `--envelope`.
    """

    form: str | None
    fields: tuple[str, ...] | None
    describe: str | None
    words: tuple[str, ...]
    rest: list[str]
    profile: str | None


def take(arguments: list[str], declared: Collection[str], read: Callable[[], Command]) -> Request:
    """Take agentgate's own words out of a program's arguments.

    declared: what is the program's own, or left out. read: reads the program's tree, which is needed only for
    some of them. Raises SystemExit (exit code 2) for a value that is none.
    """
    ours = [flag for flag in FLAGS if flag not in declared]
    word = next(iter(arguments), "")
    if word in WORDS and word not in declared and _is_free(word, read()):
        return _words(word, arguments[1:])
    form: str | None = None
    fields: tuple[str, ...] | None = None
    describe: str | None = None
    words: tuple[str, ...] = ()
    profile: str | None = None
    head = before_dashes(arguments)
    rest: list[str] = []
    given = iter(head)
    for one in given:
        flag, equals, value = one.partition("=")
        if flag not in ours or (flag == "--format" and _value(value, equals, head, one) not in FORMATS):
            rest.append(one)
        elif flag == "--json":
            form, fields = "json", _fields(value) if equals else fields
        elif flag == "--no-json":
            form = "text"
        elif flag == "--view":
            form = "view"
        elif flag in ("--schema", "--mcp"):
            describe = flag[2:]
        else:
            value = value if equals else next(given, "")
            if not value:
                stop.usage_error(f"{flag} needs a value")
            if flag == "--format":
                form = value
            elif flag == "--envelope":
                profile = value
            else:
                describe, words = "explain", (value,)
    if describe == "schema":
        return _words("schema", rest)._replace(form=form)
    if describe is None and "manual" not in declared and "--json" in head and _asks_for_help(rest, read):
        describe = "manual"
    return Request(form, fields, describe, words, rest + arguments[len(head) :], profile)


def before_dashes(arguments: list[str]) -> list[str]:
    """The arguments that may be options: those before `--`."""
    return arguments[: arguments.index("--")] if "--" in arguments else arguments


def _words(word: str, operands: list[str]) -> Request:
    form = None
    for flag, meant in (("--json", "json"), ("--no-json", "text")):
        if flag in operands:
            form = meant
    words = tuple(one for one in operands if one not in ("--json", "--no-json"))
    return Request(form, None, word, words, [], None)


def _is_free(word: str, root: Command) -> bool:
    return bool(root.commands) and root.find([word]) is None


def _value(value: str, equals: str, arguments: list[str], flag: str) -> str:
    following = arguments[arguments.index(flag) + 1 :][:1]
    return value if equals else "".join(following)


def _fields(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _asks_for_help(arguments: list[str], read: Callable[[], Command]) -> bool:
    if not any(one in ("--help", "-h") for one in arguments):
        return False
    flags = {flag for one in read().called_by(arguments).parameters if one.about_program for flag in one.flags}
    return any(one in flags for one in arguments if one in ("--help", "-h"))
