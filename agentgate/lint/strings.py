"""Strings and comments, without a syntax tree: what of a text is code, and what is prose."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["STRING_OR_COMMENT", "Span", "computes", "doubtful", "may_be_nested", "spans", "without_prose"]

Span = tuple[int, int]

# to be compiled with re.DOTALL
STRING_OR_COMMENT = (
    r"#[^\r\n]*"
    r'|"(?:""[^"\\]*(?:\\.[^"\\]*|"(?!"")[^"\\]*)*"""|[^"\\\r\n]*(?:\\(?:\r\n|.)[^"\\\r\n]*)*")'
    r"|'(?:''[^'\\]*(?:\\.[^'\\]*|'(?!'')[^'\\]*)*'''|[^'\\\r\n]*(?:\\(?:\r\n|.)[^'\\\r\n]*)*')"
)
_LINE_END = re.compile(rb"[\r\n]")
_BYTES = re.compile(STRING_OR_COMMENT.encode(), re.DOTALL)
_LONG = (b'"""', b"'''")
_ENDS_OF_PREFIX = frozenset(b"fFtTrR")
# what a docstring stands behind: the last line of a head, or nothing at all; and what stands behind it
_HEAD = re.compile(rb"[\r\n][ \t]*(?:async[ \t]|def[ \t]|class[ \t]|\))[^\r\n]*:[ \t]*[\r\n]\s*[rRuU]?\Z")
_NOTHING = re.compile(rb"(?:\s|#[^\r\n]*+)*+[rRuU]?")
_STATEMENT = re.compile(rb"[ \t]*(?:\Z|[#\r\n](?:\s|#[^\r\n]*+)*+(?:[\w@]|\Z))")
_NEAR = 300


def spans(data: bytes) -> list[Span]:
    """Where the strings, without their prefixes, and the comments of a program are."""
    return [found.span() for found in _BYTES.finditer(data)]


def computes(data: bytes, start: int) -> bool:
    """The string that starts here is an f-string, or a t-string."""
    prefix = data[max(start - 2, 0) : start].lower()
    return prefix[-1:] in (b"f", b"t") or prefix in (b"fr", b"tr")


def doubtful(found: Sequence[Span], data: bytes) -> int:
    """Where strings can no longer be told from code.

    What is nested in an f-string may have been taken for its end, and what follows on its line for a long one's quotes.
    """
    for number, (start, _) in enumerate(found):
        if data[start - 1] in _ENDS_OF_PREFIX and computes(data, start):
            at = number
            while at + 1 < len(found) and _LINE_END.search(data, found[at][1], found[at + 1][0]) is None:
                at += 1
                if data.startswith(_LONG, found[at][0]):
                    return found[at][0]
    return len(data)


def may_be_nested(number: int, found: Sequence[Span], data: bytes) -> bool:
    """Before this one of them an f-string ends on the line: what is nested in that may have been taken for its end."""
    while number and _LINE_END.search(data, found[number - 1][1], found[number][0]) is None:
        number -= 1
        if computes(data, found[number][0]):
            return True
    return False


def without_prose(data: bytes) -> bytes:
    """A program without its comments, and without its docstrings as far as they can be told for certain."""
    found = spans(data)
    certain = doubtful(found, data)
    kept: list[bytes] = []
    at = 0
    for number, (start, end) in enumerate(found):
        if start >= certain:
            break
        if data[start] == ord("#"):
            is_prose = not may_be_nested(number, found, data)
        else:
            is_prose = data.startswith(_LONG, start) and _is_docstring(data, start, end)
        if is_prose:
            kept.append(data[at:start])
            at = end
    return b"".join((*kept, data[at:]))


def _is_docstring(data: bytes, start: int, end: int) -> bool:
    """A string that a file, a function or a class begins with, and that is no part of an expression."""
    begins = _HEAD.search(data, max(start - _NEAR, 0), start) or _NOTHING.fullmatch(data, 0, start)
    return begins is not None and _STATEMENT.match(data, end) is not None
