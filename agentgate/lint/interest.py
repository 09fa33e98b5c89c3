"""Which lines of a file can matter: those on which a name stands that was found to hold something worth following.

Few lines of a program lead to a prompt, so only these are interpreted. At first the names are those of builtin
prompts, and what is imported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from agentgate.lint.source import Source
from agentgate.lint.standing import holds

__all__ = ["Interest"]

# after these a statement does not go on to the next one; an endless loop does not either
_LEAVES = ("return", "raise", "break", "continue", "while")
# these go on at the end of the loop around them, from wherever they stand
_OF_LOOPS = ("break", "continue")


class Interest:
    """The lines of interest in one file. names: those that are followed from the start."""

    def __init__(self, source: Source, names: Iterable[str]) -> None:
        self._standing = source.standing
        self._followed: dict[tuple[str, bool], set[str]] = {}
        self._lines: list[int] = self._standing.lines(["import"])
        self._leaving: list[int] | None = None
        self._in_loops: list[int] | None = None
        for name in names:
            self.add(name)

    @property
    def names(self) -> set[str]:
        """All names that are followed."""
        return {name for name, _ in self._followed}

    def add(self, name: str, leads_to: Iterable[str] = (), *, attribute: bool = False) -> bool:
        """Follow a name from now on; whether that makes any line one of interest that was none.

        leads_to: the attributes of what it holds that matter; a line that reads another one of it does not.
        attribute: the name itself is one, and stands behind a dot as well.
        """
        followed = self._followed.get((name, attribute))
        new = None if followed is None else set(leads_to) - followed
        if followed is None:
            followed = self._followed[name, attribute] = set(leads_to)
        elif not new:
            return False
        else:
            followed |= new
        known = len(self._lines)
        self._lines = sorted(
            {
                *self._lines,
                *(
                    place.line
                    for place in self._standing.places(name)
                    if (attribute or not place.attribute) and (place.leads_to is None or place.leads_to in followed)
                ),
            }
        )
        return len(self._lines) > known

    def touches(self, node: ast.AST) -> bool:
        """A line of this node is of interest."""
        return holds(self._lines, node)

    def leaves(self, node: ast.stmt) -> bool:
        """What comes after this statement may not be reached from it."""
        if isinstance(node, ast.For | ast.AsyncFor) or (isinstance(node, ast.If) and not node.orelse):
            if self._in_loops is None:
                self._in_loops = self._standing.lines(_OF_LOOPS)
            return holds(self._in_loops, node)
        if self._leaving is None:
            self._leaving = self._standing.lines(_LEAVES)
        return holds(self._leaving, node)
