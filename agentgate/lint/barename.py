"""Whether a file's code reads the bare name of a builtin prompt: bytes first, then the compiler's own symbol table.

Nearly every `input` in the wild is prose, an attribute, a keyword or a parameter. What stands beside the name tells
the first three apart; strings and comments are then left out; and of what is left, a name that is only handed on is
looked up with `symtable`, which knows whose it is and costs a fraction of a syntax tree.
"""

from __future__ import annotations

import re
import symtable
import warnings
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

__all__ = ["BareName", "reads_builtin"]

_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_BLANK = b" \t\f"
# the words of Python 2 and 3 that an expression may follow; behind any other word a name is a syntax error, so prose
_BEFORE = frozenset(
    b"and assert async await case elif else except exec finally for from if in is lambda match not or pass print raise"
    b" return type while with yield".split()
)
# an attribute, an item, a keyword or an assignment hands nothing on, and no other word may follow than these
_AFTER = rb"\b(?![ \t]*(?:[.\[]|=[^=])|[ \t]+(?!(?:if|else|or|and|for|async)\b)[A-Za-z_0-9\"'])"
_STRING_OR_COMMENT = re.compile(
    rb"#[^\r\n]*"
    rb'|"(?:""[^"\\]*(?:\\.[^"\\]*|"(?!"")[^"\\]*)*"""|[^"\\\r\n]*(?:\\(?:\r\n|.)[^"\\\r\n]*)*")'
    rb"|'(?:''[^'\\]*(?:\\.[^'\\]*|'(?!'')[^'\\]*)*'''|[^'\\\r\n]*(?:\\(?:\r\n|.)[^'\\\r\n]*)*')",
    re.DOTALL,
)
# no expression can hold these words, so where a line of code starts with them a statement of the module starts
_TOP_LEVEL = re.compile(rb"\n(?=(?:async[ \t]+)?def[ \t]|class[ \t])")
_LINE_END = re.compile(rb"[\r\n]")


class BareName:
    """One builtin's name, and how to find where it may be read."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._literal = name.encode()
        self._pattern = re.compile(re.escape(self._literal) + _AFTER)

    def may_be_read(self, data: bytes) -> bool:
        """The name stands somewhere where it could be read, be it in a string or a comment."""
        return self._literal in data and next(self.places(data), None) is not None

    def places(self, data: bytes) -> Iterator[int]:
        """Where it could be read, by what stands beside it."""
        for found in self._pattern.finditer(data):
            start = found.start()
            if start and (data[start - 1] in _WORD or data[start - 1] in b".`"):
                continue
            before = start - 1
            while before >= 0 and data[before] in _BLANK:
                before -= 1
            if before >= 0 and data[before] in _WORD:
                end = before + 1
                while before >= 0 and data[before] in _WORD:
                    before -= 1
                if data[before + 1 : end] not in _BEFORE:
                    continue
            elif data[found.end() : found.end() + 1] == b":" and (before < 0 or data[before] in b"(,\r\n"):
                continue  # a parameter or a field with its annotation, or a key
            yield start

    def is_called(self, data: bytes, place: int) -> bool:
        """A parenthesis follows, on the line or not."""
        return data[place + len(self._literal) :][:80].lstrip(b" \t\r\n\f\\").startswith(b"(")


def reads_builtin(names: Sequence[BareName], data: bytes) -> bool:
    """The code itself, outside strings and comments, may read one of these names as the builtin that it is."""
    places = sorted(((place, name) for name in names for place in name.places(data)), key=lambda pair: pair[0])
    code = _code(places, data)
    if not code.places:
        return False
    if any(name.is_called(data, place) for place, name in code.places):
        return True
    wanted = {name.name for _, name in code.places}
    return any(_is_global(wanted, chunk) for chunk in _chunks([place for place, _ in code.places], code.starts, data))


class _Code(NamedTuple):
    """The places that are in code, and where a function or class of the module starts; None where that is doubtful."""

    places: list[tuple[int, BareName]]
    starts: list[int] | None


def _code(places: list[tuple[int, BareName]], data: bytes) -> _Code:
    """Leaves out what is in a comment, or in a string that computes nothing."""
    left: list[tuple[int, BareName]] = []
    starts: list[int] = []
    at = 0
    position = 0
    computed_end = -1
    for found in _STRING_OR_COMMENT.finditer(data):
        start, end = found.span()
        starts += [one.start() + 1 for one in _TOP_LEVEL.finditer(data, max(at - 1, 0), start)]
        at = end
        while position < len(places) and places[position][0] < start:
            left.append(places[position])
            position += 1
        after_computed = computed_end >= 0 and _LINE_END.search(data, computed_end, start) is None
        if after_computed and data.startswith((b'"""', b"'''"), start):
            # what is nested in an f-string may have been taken for this one's opening quotes
            return _Code(left + places[position:], None)
        if _computes(data, start):
            computed_end = end
            continue
        while position < len(places) and places[position][0] < end:
            position += 1
    starts += [one.start() + 1 for one in _TOP_LEVEL.finditer(data, max(at - 1, 0))]
    return _Code(left + places[position:], starts)


def _computes(data: bytes, start: int) -> bool:
    """The string that starts here is an f-string, or a t-string."""
    prefix = data[max(start - 2, 0) : start].lower()
    return prefix[-1:] in (b"f", b"t") or prefix in (b"fr", b"tr")


def _chunks(places: Sequence[int], starts: Sequence[int] | None, data: bytes) -> Iterator[bytes]:
    """The functions and classes of the module that hold these places, each whole; all of it where that is doubtful."""
    if starts is None or not data.isascii():
        yield data
        return
    edges = [0, *starts, len(data)]
    for first in sorted({bisect_right(edges, place) - 1 for place in places}):
        yield data[edges[first] : edges[first + 1]]


def _is_global(names: set[str], chunk: bytes) -> bool:
    """Some scope sees one of these names as a global or a builtin, or this Python cannot tell."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tables = [symtable.symtable(chunk, "<file>", "exec")]  # type: ignore[arg-type]
    except (SyntaxError, ValueError, RecursionError, MemoryError, LookupError, UnicodeError):
        return True
    while tables:
        table = tables.pop()
        for name in names.intersection(table.get_identifiers()):
            symbol = table.lookup(name)
            if symbol.is_imported() or (symbol.is_referenced() and symbol.is_global()):
                return True
            # a class body, and a module, fall through to the builtin while the name is not bound yet; of what their
            # comprehensions read, their tables say nothing from Python 3.12 on
            if table.get_type() != "function" and (symbol.is_referenced() or b"for" in chunk):
                return True
        tables += table.get_children()
    return False
