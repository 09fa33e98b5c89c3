"""Which lines of a file can matter: those on which a name stands that was found to hold something worth following.

Few lines of a program lead to a prompt, so only these are interpreted. At first the names are those of builtin
prompts, and what is imported.
"""

from __future__ import annotations

import ast
import sys
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence

from agentgate.lint.source import Source
from agentgate.lint.standing import first_line, holds

__all__ = ["Interest"]


class Interest:
    """The lines of interest in one file. names: those that are followed from the start."""

    def __init__(self, source: Source, names: Iterable[str]) -> None:
        self._standing = source.standing
        self._followed: dict[tuple[str, bool], set[str]] = {}
        self._lines: list[int] = self._standing.lines(["import"])
        for name in names:
            self.add(name)

    @property
    def names(self) -> set[str]:
        """All names that are followed."""
        return {name for name, _ in self._followed}

    @property
    def lines(self) -> Sequence[int]:
        """The lines of interest, in order."""
        return self._lines

    def add(self, name: str, leads_to: Collection[str] = (), *, attribute: bool = False) -> bool:
        """Follow a name from now on; whether that makes any line one of interest that was none.

        leads_to: the attributes of what it holds that matter; a line that reads another one of it does not.
        attribute: the name itself is one, and stands behind a dot as well.
        """
        before = self._followed.get((name, attribute))
        if before is not None and before.issuperset(leads_to):
            return False
        followed = self._followed[name, attribute] = {*(before or ()), *leads_to}
        lines, known = self._lines, len(self._lines)
        for line in self._standing.read(name, followed, attribute=attribute):
            at = bisect_left(lines, line)
            if lines[at : at + 1] != [line]:
                lines.insert(at, line)
        return len(lines) > known

    def touches(self, node: ast.AST) -> bool:
        """A line of this node is of interest."""
        return holds(self._lines, node)

    def among(self, block: Sequence[ast.stmt]) -> Iterator[tuple[ast.stmt, bool]]:
        """Each statement of a block, and whether a line of it is of interest; one look at a line is enough."""
        lines = self._lines
        at = bisect_left(lines, first_line(block[0])) if block else 0
        following = lines[at] if at < len(lines) else sys.maxsize
        for statement in block:
            end = statement.end_lineno or statement.lineno
            if end < following:
                yield statement, False
                continue
            yield statement, holds(lines, statement)
            # the next statement may stand on the same line
            at = bisect_left(lines, end)
            following = lines[at] if at < len(lines) else sys.maxsize
