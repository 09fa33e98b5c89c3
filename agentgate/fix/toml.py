"""Where things stand in a TOML text: enough to add to it, and leave every other byte as it is.

What is added is checked by whoever adds it, with `tomllib`: this reads only the outline, and takes the text for
valid TOML.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["Key", "Table", "appended", "tables"]

_STRING = re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}|\'{3}.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'', re.DOTALL)
_COMMENT = re.compile(r"#[^\n]*")
_BLANK = re.compile(r"[ \t\r\n]+")
_HEADER = re.compile(r"\[(?!\[)[^\n]*?\](?=[ \t]*(?:#|\r?\n|\Z))")


class Key(NamedTuple):
    """A key of a table: its path in it, and where its value starts and ends."""

    path: tuple[str, ...]
    start: int
    end: int


class Table(NamedTuple):
    """A table as it is written: its path (none for the top of the file), its keys, and where another key fits.

    path: None for an element of an array of tables.
    """

    path: tuple[str, ...] | None
    keys: list[Key]
    end: int


def tables(text: str) -> list[Table]:
    """The tables of a TOML text, in order; the first is the top of the file."""
    found = [Table((), [], 0)]
    at = 0
    while at < len(text):
        skipped = _BLANK.match(text, at) or _COMMENT.match(text, at)
        if skipped:
            at = skipped.end()
        elif text[at] == "[":
            header = _HEADER.match(text, at)
            at = header.end() if header else _line_end(text, at)
            found.append(Table(_path(header.group()) if header else None, [], _line_end(text, at)))
        else:
            equals, end = _statement(text, at)
            found[-1].keys.append(Key(_path(f"[{text[at:equals]}]") or (), equals + 1, end))
            at = _line_end(text, end)
            found[-1] = found[-1]._replace(end=at)
    return found


def appended(text: str, key: Key, item: str) -> str:
    """The text with another string at the end of the array that a key holds, in the array's own style."""
    start = text.index("[", key.start)
    last: re.Match[str] | None = None
    comma: int | None = None
    for mark in _marks(text, start + 1, key.end - 1):
        if mark.group()[0] in "\"'":
            last, comma = mark, None
        elif mark.group() == ",":
            comma = mark.start()
    if last is None:
        return f'{text[: start + 1]}"{item}"{text[start + 1 :]}'
    quoted = f"{last.group()[0]}{item}{last.group()[0]}"
    line = text.rfind("\n", 0, last.start()) + 1
    behind = (comma + 1) if comma is not None else last.end()
    if line <= start:
        return text[:behind] + (f", {quoted}" if comma is None else f" {quoted},") + text[behind:]
    before = text[line : last.start()]
    indent = before if not before.strip() else before[: len(before) - len(before.lstrip())]
    newline = "\r\n" if text[:line].endswith("\r\n") else "\n"
    # a comment on the last item's line stays on it
    end = _line_end(text, behind)
    end = end if end < key.end else behind
    before_it, after_it = (",", "") if comma is None else ("", ",")
    kept = text[last.end() : end]
    return f"{text[: last.end()]}{before_it}{kept}{newline}{indent}{quoted}{after_it}{text[end:]}"


def _path(header: str) -> tuple[str, ...] | None:
    try:
        node = tomllib.loads(header)
    except tomllib.TOMLDecodeError:
        return None
    path = []
    while node:
        [(name, node)] = node.items()
        path.append(name)
    return tuple(path)


def _statement(text: str, at: int) -> tuple[int, int]:
    """Where the sign between key and value stands, and where the value ends."""
    equals: int | None = None
    depth = 0
    for mark in _marks(text, at, len(text)):
        character = mark.group()
        if equals is None:
            equals = mark.start() if character == "=" else None
        elif character in ("[", "{"):
            depth += 1
        elif character in ("]", "}"):
            depth -= 1
        elif character == "\n" and not depth:
            return equals, len(text[: mark.start()].rstrip("\r"))
    return (len(text) if equals is None else equals), len(text)


_MARK = re.compile(f"{_STRING.pattern}|[\\[\\]{{}},=\n]|#[^\n]*", re.DOTALL)


def _marks(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """The strings and signs of a stretch, without what stands in comments."""
    return (mark for mark in _MARK.finditer(text, start, end) if not mark.group().startswith("#"))


def _line_end(text: str, at: int) -> int:
    """Where the line ends, before its line end."""
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    return end - 1 if end and text[end - 1] == "\r" and end > at else end
