"""Comments that keep a line as it is.

`# agentgate: ignore` and a bare `# noqa` speak for all rules, `# agentgate: ignore[AG101]` and
`# noqa: AG101` for those that they name (so `# noqa: E501` and an unknown code for none of ours), and
`# agentgate: ignore-next-line` for the line below. Only real comments count, never the text of a string.
"""

from __future__ import annotations

import io
import re
import tokenize

from agentgate.lint.source import Source

__all__ = ["Suppressions", "suppressions"]

_MARK = re.compile(r"noqa|agentgate:", re.IGNORECASE)
_IGNORE = re.compile(
    r"#\s*agentgate:\s*ignore(?P<next>-next-line)?(?![\w-])\s*(?:\[(?P<codes>[^\]]*)\])?", re.IGNORECASE
)
_NOQA = re.compile(r"#\s*noqa\b(?P<codes>\s*:\s*[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*)?", re.IGNORECASE)
_CODE = re.compile(r"[A-Z]+[0-9]+")


class Suppressions:
    """The codes that each line is silent about; None for all."""

    def __init__(self) -> None:
        self._lines: dict[int, list[frozenset[str] | None]] = {}

    def add(self, line: int, codes: str | None) -> None:
        """A comment for this line; codes as they are written, None when it names none."""
        named = None if codes is None else frozenset(_CODE.findall(codes.upper()))
        self._lines.setdefault(line, []).append(named)

    def silence(self, code: str, lines: set[int]) -> bool:
        """Whether a comment on one of these lines speaks for the code."""
        return any(named is None or code in named for line in lines for named in self._lines.get(line, ()))


def suppressions(source: Source) -> Suppressions:
    """Read the comments of a file."""
    found = Suppressions()
    if not _MARK.search(source.text):
        return found
    try:
        for token in tokenize.generate_tokens(io.StringIO(source.text, newline=None).readline):
            if token.type == tokenize.COMMENT:
                _read(token.string, token.start[0], found)
    except (tokenize.TokenError, SyntaxError):
        # the parser took what the tokenizer does not: what was read until here counts
        pass
    return found


def _read(comment: str, line: int, found: Suppressions) -> None:
    for match in _IGNORE.finditer(comment):
        found.add(line + bool(match["next"]), match["codes"])
    for match in _NOQA.finditer(comment):
        found.add(line, match["codes"])
