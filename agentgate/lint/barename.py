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
from collections.abc import Collection, Iterable, Iterator, Sequence
from operator import itemgetter

from agentgate.lint.strings import Span, computes, doubtful, may_be_nested, spans

__all__ = ["BareNames", "stems"]

_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_BLANK = b" \t\f"
# the words of Python 2 and 3 that an expression may follow; behind any other word a name is a syntax error, so prose
_BEFORE = frozenset(
    b"and assert async await case elif else except exec finally for from if in is lambda match not or pass print raise"
    b" return type while with yield".split()
)
# an attribute, an item, a keyword or an assignment hands nothing on, and no other word may follow than these
_AFTER = rb"(?![ \t]*(?:[.\[]|=[^=])|[ \t]+(?!(?:if|else|or|and|for|async)\b)[A-Za-z_0-9\"'])"
# a statement starts where a line of code does with these, or what is cut there is no syntax
_HEAD = re.compile(rb"\n([ \t]*)(?=(?:async[ \t]+)?def[ \t]|class[ \t]|@)")


class _BareName:
    """One builtin's name, and how to find where it may be read."""

    def __init__(self, name: str, stems: Iterable[bytes]) -> None:
        self.name = name
        self.literal = name.encode()
        self.stem = next(stem for stem in stems if stem in self.literal)
        word = re.escape(self.literal)
        self._pattern = re.compile(word + rb"\b(?<![\w.`]" + word + rb")" + _AFTER)

    def places(self, data: bytes) -> Iterator[int]:
        """Where it could be read, by what stands beside it."""
        for found in self._pattern.finditer(data):
            start = found.start()
            before = start - 1
            while before >= 0 and data[before] in _BLANK:
                before -= 1
            if before >= 0 and data[before] in _WORD:
                end = before + 1
                while before >= 0 and data[before] in _WORD:
                    before -= 1
                if data[before + 1 : end].lstrip(b"0123456789") not in _BEFORE:  # `1if …`
                    continue
            elif data[found.end() : found.end() + 1] == b":" and (before < 0 or data[before] in b"(,\r\n"):
                continue  # a parameter or a field with its annotation, or a key
            yield start

    def is_called(self, data: bytes, place: int) -> bool:
        """A parenthesis follows, on the line or not."""
        return data[place + len(self.literal) :][:80].lstrip(b" \t\r\n\f\\").startswith(b"(")


def stems(names: Iterable[bytes]) -> list[bytes]:
    """Those that have to be looked for: a name in which another stands is there only where that one is."""
    known = set(names)
    return sorted(name for name in known if not any(other in name for other in known - {name}))


class BareNames:
    """Some builtins' names, and the test for all of them."""

    def __init__(self, names: Collection[str]) -> None:
        self._stems = stems(name.encode() for name in names)
        self._names = [_BareName(name, self._stems) for name in sorted(names)]

    def may_be_read(self, data: bytes) -> bool:
        """The code itself, outside strings and comments, may read one of these names as the builtin that it is."""
        there = [stem for stem in self._stems if stem in data]
        if not there:
            return False
        names = [name for name in self._names if name.literal in there or (name.stem in there and name.literal in data)]
        places = sorted(((place, name) for name in names for place in name.places(data)), key=itemgetter(0))
        if not places:
            return False
        found = spans(data)
        certain = doubtful(found, data)
        places = [place for place in places if place[0] >= certain or _is_code(place[0], found, data)]
        if not places or any(name.is_called(data, place) for place, name in places):
            return bool(places)
        wanted = {name.name for _, name in places}
        chunks = _chunks([place for place, _ in places], found, data) if certain == len(data) else [data]
        return any(_is_global(wanted, chunk) for chunk in chunks)


def _is_code(place: int, spans: Sequence[Span], data: bytes) -> bool:
    """The place is in no comment, and in no string but in braces of one that computes something."""
    at = _around(place, spans)
    if at is None:
        return True
    if computes(data, spans[at][0]):
        return b"{" in data[spans[at][0] : place]
    return may_be_nested(at, spans, data)


def _around(place: int, spans: Sequence[Span]) -> int | None:
    """Which string or comment a place is in."""
    at = bisect_right(spans, place, key=itemgetter(0)) - 1
    return at if at >= 0 and place < spans[at][1] else None


def _chunks(places: Sequence[int], spans: Sequence[Span], data: bytes) -> Iterator[bytes]:
    """The functions and classes of the module that hold these places, each whole; of a class only the method."""
    if not _is_utf8(data):
        yield data
        return
    heads = [found.span(1) for found in _HEAD.finditer(data) if _around(found.start(1), spans) is None]
    for start, end in _holding(places, [0, *(start for start, end in heads if start == end), len(data)]):
        methods = [head for head in heads if start < head[0] < end] if data.startswith(b"class", start) else []
        if not methods:
            yield data[start:end]
            continue
        least = min(end - start for start, end in methods)
        in_class = [place for place in places if start <= place < end]
        edges = [start, *(start for start, end in methods if end - start == least), end]
        for first, last in _holding(in_class, edges):
            # what a function reads is no name of its class
            yield data[first:last] if first == start else b"if 1:\n" + data[first:last]


def _holding(places: Sequence[int], edges: Sequence[int]) -> list[Span]:
    """Those parts between two edges in which any of the places is."""
    return [(edges[first], edges[first + 1]) for first in sorted({bisect_right(edges, one) - 1 for one in places})]


def _is_utf8(data: bytes) -> bool:
    """A part of it can be read without its first lines, which may name another encoding."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


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
