"""`--add-ignores`: writes a comment on the line of each finding, for a project that adopts the linter bit by bit."""

from __future__ import annotations

import ast
import io
import tokenize
from collections import defaultdict
from collections.abc import Sequence

from agentgate.lint.finding import Finding
from agentgate.lint.source import Source, Unreadable, read

__all__ = ["annotated"]


def annotated(data: bytes, findings: Sequence[Finding]) -> tuple[bytes, list[Finding]]:
    """The file with a comment for each finding, and the findings that no line has room for.

    Raises Unreadable, also when the result would be more than the file with comments.
    """
    source = read(data)
    free = _free_lines(source)
    wanted: dict[int, set[str]] = defaultdict(set)
    left: list[Finding] = []
    for finding in findings:
        line = next((line for line in (finding.line, finding.end_line) if line in free), None)
        if line is None:
            left.append(finding)
        else:
            wanted[line].add(finding.code)
    lines = list(source.lines)
    for line, codes in wanted.items():
        text = lines[line - 1]
        bare = text.rstrip("\r\n")
        lines[line - 1] = f"{bare.rstrip()}  # agentgate: ignore[{', '.join(sorted(codes))}]{text[len(bare) :]}"
    after = source.encode("".join(lines))
    if ast.dump(read(after).tree) != ast.dump(source.tree):
        raise Unreadable("cannot be given comments without changing what it does")
    return after, left


def _free_lines(source: Source) -> set[int]:
    """The lines that may end in a comment: those that end in no string and with no backslash."""
    lines = source.lines
    free = {number for number, text in enumerate(lines, 1) if not text.rstrip("\r\n").endswith("\\")}
    opened: list[int] = []
    for token in tokenize.generate_tokens(io.StringIO(source.text, newline=None).readline):
        if token.type == tokenize.STRING:
            free -= set(range(token.start[0], token.end[0]))
        elif tokenize.tok_name[token.type] in ("FSTRING_START", "TSTRING_START"):
            opened.append(token.start[0])
        elif tokenize.tok_name[token.type] in ("FSTRING_END", "TSTRING_END") and opened:
            free -= set(range(opened.pop(), token.end[0]))
    return free
