"""A module without what its functions do: much can be read from the rest, in a fraction of the time.

A cut at the wrong place, because a line in brackets stands further to the left than its function, leaves a bracket
that closes nothing: what cannot be parsed has to be read whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from agentgate.lint.strings import STRING_OR_COMMENT

__all__ = ["LeftOut", "Span", "bodies", "outline"]

Span = tuple[int, int]


class LeftOut(Exception):
    """What was left out would have to be known. lines: on which that stands, in order."""

    def __init__(self, lines: Sequence[int]) -> None:
        super().__init__(lines)
        self.lines = lines


# many lines are passed over in one match, up to the next that is looked for
_NO_LINE_END = rf"[^\n\"'#\\]++|{STRING_OR_COMMENT}|\\.|[\"']"
_DEF = r"(?:async[ \t]+)?def[ \t]"
_FUNCTION = re.compile(rf"(?:{_NO_LINE_END}|\n(?![ \t]*{_DEF}))*+\n([ \t]*){_DEF}", re.DOTALL)
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
    at = 0
    while function := _FUNCTION.match(text, at):
        at = head = _end_of_head(text, function.end())
        if _BODY.match(text, head) and (body := _further_right(len(function[1])).match(text, head)):
            at = body.end()
            if "global" not in body[0]:
                yield head, at


@cache
def _further_right(indentation: int) -> re.Pattern[str]:
    """Up to the next line of code that is indented no more than this."""
    return re.compile(rf"(?:{_NO_LINE_END}|\n(?![ \t]{{0,{indentation}}}[^\s#]))*+", re.DOTALL)


def _end_of_head(text: str, start: int) -> int:
    """Where the head of a function ends, behind its colon."""
    depth = 0
    for found in _HEAD.finditer(text, start):
        if found[0] == ":" and not depth:
            return found.end()
        depth += _DEPTH.get(found[0], 0)
    return len(text)
