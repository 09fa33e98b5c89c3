"""A module without what its functions do: much can be read from the rest, in a fraction of the time.

A cut at the wrong place, because a line in brackets stands further to the left than its function, leaves a bracket
that closes nothing: what cannot be parsed has to be read whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agentgate.lint.strings import STRING_OR_COMMENT

__all__ = ["Span", "bodies", "outline"]

Span = tuple[int, int]

# where a line of code starts: its indentation, and whether it defines a function
_LINE = re.compile(rf"{STRING_OR_COMMENT}|(?<!\\)\n([ \t]*)(?=[^\s#])((?:async[ \t]+)?def[ \t])?", re.DOTALL)
_HEAD = re.compile(rf"{STRING_OR_COMMENT}|[()\[\]{{}}:]", re.DOTALL)
_BODY = re.compile(r"[ \t]*(?:#[^\r\n]*)?\r?\n")
_DEPTH = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


def outline(text: str, left_out: Iterable[Span]) -> str:
    """The text of a module, in which the functions with these bodies do nothing; every line keeps its number."""
    kept: list[str] = []
    at = 0
    for start, end in left_out:
        body = text[start:end].removesuffix("\r")  # its "\n" is what follows
        ends = body.count("\n") + body.count("\r") - body.count("\r\n")
        kept += (text[at:start], "pass", "\n" * ends)
        at = end
    return "".join((*kept, text[at:]))


def bodies(text: str) -> Iterator[Span]:
    """Where the bodies of functions are that can be left out, each from behind its colon to the line that follows.

    They start on a line of their own, and are in no other function. What assigns a name of the module is none.
    """
    head = 0  # the head of the last function reaches to here
    body = 0  # what it does starts here
    inside: int | None = None  # the indentation of the function that is being passed over
    for found in _LINE.finditer(text):
        if found[1] is None or found.start() < head:
            continue
        indentation = len(found[1])
        if inside is not None and indentation <= inside:
            if "global" not in text[body : found.start()]:
                yield body, found.start()
            inside = None
        if inside is None and found[2] is not None:
            head = _end_of_head(text, found.end())
            if _BODY.match(text, head):
                body, inside = head, indentation
    if inside is not None and "global" not in text[body:]:
        yield body, len(text)


def _end_of_head(text: str, start: int) -> int:
    """Where the head of a function ends, behind its colon."""
    depth = 0
    for found in _HEAD.finditer(text, start):
        if found[0] == ":" and not depth:
            return found.end()
        depth += _DEPTH.get(found[0], 0)
    return len(text)
