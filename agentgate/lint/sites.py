"""From a place in the source to the record that reports it, and says what an edit of it needs."""

from __future__ import annotations

import ast
from typing import NamedTuple, TypeAlias

from agentgate.lint.finding import Finding
from agentgate.lint.messages import message
from agentgate.lint.source import Source
from agentgate.lint.suppress import Suppressions
from agentgate.lint.tree import Parents

__all__ = ["FOR_A_PERSON", "Place", "Reported", "Site", "Sites"]

Reported: TypeAlias = ast.expr | ast.stmt | ast.ExceptHandler

# why a place that only a person can judge is left alone
FOR_A_PERSON = "what to do with it is for a person to decide"


class Site(NamedTuple):
    """A finding, and what an edit of it needs.

    node: the expression to wrap, at start to end in the text. reference: it is no callee.
    hints: keyword arguments for the gate. reason: why it is not to be rewritten; None when it may be.
    needs: the places that have to be gated as well, or else this one is not.
    to: where the text goes, when it is to be moved and not wrapped.
    """

    finding: Finding
    node: ast.AST
    start: int
    end: int
    reference: bool
    hints: tuple[tuple[str, str], ...]
    reason: str | None
    needs: tuple[ast.AST, ...] = ()
    to: int | None = None


class Place(NamedTuple):
    """The extent of what is reported, as `ast` counts it."""

    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def of(cls, node: Reported) -> Place:
        """A node's whole extent; of a handler, its head."""
        line, column = node.lineno, node.col_offset
        if not isinstance(node, ast.ExceptHandler):
            return cls(line, column, node.end_lineno or line, node.end_col_offset or column)
        if node.type is None:
            return cls(line, column, line, column + len("except"))
        return cls(line, column, node.type.end_lineno or line, node.type.end_col_offset or column)


class Sites:
    """Makes the records of one file."""

    def __init__(self, path: str, source: Source, parents: Parents, silent: Suppressions) -> None:
        self.path = path
        self.source = source
        self.parents = parents
        self.silent = silent

    def report(
        self,
        node: Reported,
        code: str,
        kind: str,
        call: str,
        *,
        text: str | None = None,
        label: str | None = None,
    ) -> Site | None:
        """A site that is only reported; None when a comment keeps the line.

        text: the message, where the rule's own sentence does not say enough.
        """
        place = Place.of(node)
        if self.is_silent(code, {place.line, place.end_line}):
            return None
        finding = self.finding(place, code, kind, call, text=text, label=label, name=None, fix="none")
        return Site(finding, node, 0, 0, False, (), FOR_A_PERSON)

    def finding(
        self,
        place: Place,
        code: str,
        kind: str,
        call: str,
        *,
        text: str | None = None,
        label: str | None,
        name: str | None,
        fix: str,
    ) -> Finding:
        """The finding for a place."""
        return Finding(
            code=code,
            kind=kind,
            call=call,
            path=self.path,
            line=place.line,
            column=self.source.column(place.line, place.column) + 1,
            end_line=place.end_line,
            end_column=self.source.column(place.end_line, place.end_column) + 1,
            label=label,
            name=name,
            message=text or message(code, kind, call),
            fix=fix,
        )

    def is_silent(self, code: str, lines: set[int]) -> bool:
        """A comment on one of these lines speaks for the code."""
        return self.silent.silence(code, lines)
