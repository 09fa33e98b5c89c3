"""Comments that keep a line as it is.

`# agentgate: ignore` and a bare `# noqa` speak for all rules, `# agentgate: ignore[AG101]` and
`# noqa: AG101` for those that they name (so `# noqa: E501` and an unknown code for none of ours), and
`# agentgate: ignore-next-line` for the line below. Only real comments count, never the text of a string.

A comment of ours that silences nothing, names a rule that does not exist or is misspelt, is a warning (AG902): it
says that somebody expected a finding there.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from typing import NamedTuple

from agentgate.lint.finding import UNUSED, Warning
from agentgate.lint.messages import RULES, Rule
from agentgate.lint.source import Source

__all__ = ["MARK", "RULE", "Suppressions", "may_warn", "suppressions"]

RULE = Rule(
    "unused-ignore",
    "`{call}` silences nothing",
    "A comment that is misspelt, names no rule, or silences none here, says that somebody expected a finding. Either "
    "the code has changed, or the comment is wrong and the finding is still there.",
    "total = 1  # agentgate: ignore[AG101]",
    "Nothing: take the comment away, or correct its code. It is a warning, and fails no run.",
)
# what a file must write to have a comment that can be a warning
MARK = b"agentgate:"
_COMMENT = re.compile(r"noqa|agentgate:", re.IGNORECASE)
_WARNS = re.compile(r"#\s*(?:agentgate:|noqa\b[^\r\n]*AG)", re.IGNORECASE)
_IGNORE = re.compile(
    r"#\s*agentgate:\s*ignore(?P<next>-next-line)?(?![\w-])\s*(?:\[(?P<codes>[^\]]*)\])?", re.IGNORECASE
)
_ORDER = re.compile(r"#\s*agentgate:\s*(?P<word>[\w-]+)(?P<codes>\[[^\]]*\])?", re.IGNORECASE)
_ORDERS = ("ignore", "ignore-next-line")
_NOQA = re.compile(r"#\s*noqa\b(?P<codes>\s*:\s*[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*)?", re.IGNORECASE)
_CODE = re.compile(r"[A-Z]+[0-9]+")


class _Comment(NamedTuple):
    """One comment.

    codes: those that it names, None for all. line, column: where it stands. ours: it is no `noqa`.
    order: whether it is one that there is, and not a misspelt one.
    """

    codes: tuple[str, ...] | None
    line: int
    column: int
    text: str
    ours: bool
    order: bool = True


class Suppressions:
    """What each line of a file is silent about, and which comments were of any use."""

    def __init__(self, source: Source) -> None:
        self._text = source.text
        self._text_lines = source.lines
        self._used: set[tuple[_Comment, str]] = set()

    @cached_property
    def _lines(self) -> dict[int, list[_Comment]]:
        """The comments that speak for each line. Only here the file is read token by token."""
        found: dict[int, list[_Comment]] = {}
        for comment, line in _comments(self._text):
            found.setdefault(line, []).append(comment)
        return found

    def silence(self, code: str, lines: set[int]) -> bool:
        """Whether a comment on one of these lines, or in front of them, speaks for the code."""
        near = self._text_lines[max(min(lines) - 2, 0) : max(lines)]
        if not any(map(_COMMENT.search, near)):
            return False
        silent = False
        for line in lines:
            for comment in self._lines.get(line, ()):
                if comment.codes is None or code in comment.codes:
                    self._used.add((comment, code))
                    silent = True
        return silent

    def warnings(self, path: str) -> tuple[Warning, ...]:
        """The comments of ours that silenced nothing, in order."""
        if not may_warn(self._text):
            return ()
        comments = sorted({comment for several in self._lines.values() for comment in several}, key=_place)
        found = []
        for comment in comments:
            problem = self._problem(comment)
            if problem is not None:
                found.append(Warning(UNUSED, path, comment.line, comment.column, f"`{comment.text}` {problem}"))
        return tuple(found)

    def _problem(self, comment: _Comment) -> str | None:
        if not comment.order:
            return f"is not understood: write {' or '.join(_ORDERS)}"
        if comment.codes is None:
            used = any(one is comment for one, _ in self._used)
            return None if used or not comment.ours else "silences nothing"
        mine = [code for code in comment.codes if comment.ours or code.startswith("AG")]
        unknown = [code for code in mine if code not in RULES]
        if unknown:
            return f"names {' and '.join(unknown)}, which is no rule"
        idle = [code for code in mine if (comment, code) not in self._used]
        if not idle and (mine or not comment.ours):
            return None
        return "silences nothing" if len(idle) == len(mine) else f"has no {' and no '.join(idle)} to silence"


def may_warn(text: str) -> bool:
    """A comment in this text may be one that silences nothing."""
    return _WARNS.search(text) is not None


def _place(comment: _Comment) -> tuple[int, int]:
    return comment.line, comment.column


def suppressions(source: Source) -> Suppressions:
    """Read the comments of a file; the same object each time."""
    if source.silenced is None:
        source.silenced = Suppressions(source)
    return source.silenced


def _comments(text: str) -> Iterator[tuple[_Comment, int]]:
    """The comments that silence, each with the line that it speaks for."""
    # what the parser takes and the tokenizer does not ends it: what was read until there counts
    with suppress(tokenize.TokenError, SyntaxError):
        for token in tokenize.generate_tokens(io.StringIO(text, newline=None).readline):
            if token.type == tokenize.COMMENT:
                yield from _in_comment(token.string, *token.start)


def _in_comment(text: str, line: int, column: int) -> Iterator[tuple[_Comment, int]]:
    for match in _IGNORE.finditer(text):
        codes = None if match["codes"] is None else tuple(_CODE.findall(match["codes"].upper()))
        yield _Comment(codes, line, column + match.start() + 1, match[0].strip(), True), line + bool(match["next"])
    for match in _ORDER.finditer(text):
        if _is_misspelt(match["word"].lower(), with_codes=match["codes"] is not None):
            yield _Comment((), line, column + match.start() + 1, match[0], True, order=False), line
    for match in _NOQA.finditer(text):
        codes = None if match["codes"] is None else tuple(_CODE.findall(match["codes"].upper()))
        yield _Comment(codes, line, column + match.start() + 1, match[0].strip(), False), line


def _is_misspelt(word: str, *, with_codes: bool) -> bool:
    """A word that is meant as an order and is none; anything else behind our name is prose."""
    if word in _ORDERS:
        return False
    from difflib import get_close_matches

    return with_codes or word.startswith(_ORDERS[0]) or bool(get_close_matches(word, _ORDERS, 1, 0.7))
