"""`--add-ignores`: writes a comment on the line of each finding, for a project that adopts the linter bit by bit."""

from __future__ import annotations

import io
import tokenize
from collections import defaultdict
from collections.abc import Sequence

from agentgate.fix.verify import is_same
from agentgate.lint.finding import Finding
from agentgate.lint.load import Unreadable
from agentgate.lint.source import Source, read

__all__ = ["annotated"]


def annotated(data: bytes, findings: Sequence[Finding]) -> tuple[bytes, list[Finding]]:
    """The file with a comment for each finding, and the findings that no line has room for.

    Raises Unreadable, also when the result would be more than the file with comments.
    """
    source = read(data)
    free = _free_lines(source)
    behind: dict[int, set[str]] = defaultdict(set)
    above: dict[int, set[str]] = defaultdict(set)
    left: list[Finding] = []
    for finding in findings:
        line = next((line for line in (finding.line, finding.end_line) if line in free), None)
        if line is not None:
            behind[line].add(finding.code)
        elif finding.line - 1 in free:
            above[finding.line].add(finding.code)
        else:
            left.append(finding)
    lines = list(source.lines)
    for line, codes in behind.items():
        bare, end = _without_end(lines[line - 1])
        lines[line - 1] = f"{bare.rstrip()}  # agentgate: ignore[{', '.join(sorted(codes))}]{end}"
    for line, codes in above.items():
        text = lines[line - 1]
        bare, end = _without_end(text)
        indent = bare[: len(bare) - len(bare.lstrip())]
        lines[line - 1] = f"{indent}# agentgate: ignore-next-line[{', '.join(sorted(codes))}]{end}{text}"
    after = source.encode("".join(lines))
    if not is_same(source.tree, read(after).tree):
        raise Unreadable("cannot be given comments without changing what it does")
    return after, left


def _without_end(line: str) -> tuple[str, str]:
    """A line, and what ends it."""
    bare = line.rstrip("\r\n")
    return bare, line[len(bare) :]


def _free_lines(source: Source) -> set[int]:
    """The lines that end in no string and with no backslash, so that a comment may follow; 0 is before the first."""
    lines = ["", *source.lines]
    free = {number for number, text in enumerate(lines) if not text.rstrip("\r\n").endswith("\\")}
    opened: list[int] = []
    for token in _tokens(source.text):
        if token.type == tokenize.STRING:
            free -= set(range(token.start[0], token.end[0]))
        elif tokenize.tok_name[token.type] in ("FSTRING_START", "TSTRING_START"):
            opened.append(token.start[0])
        elif tokenize.tok_name[token.type] in ("FSTRING_END", "TSTRING_END") and opened:
            free -= set(range(opened.pop(), token.end[0]))
    return free


def _tokens(text: str) -> list[tokenize.TokenInfo]:
    try:
        return list(tokenize.generate_tokens(io.StringIO(text, newline=None).readline))
    except (tokenize.TokenError, SyntaxError):
        raise Unreadable("is written in a newer syntax, in which this Python cannot tell strings from code") from None
