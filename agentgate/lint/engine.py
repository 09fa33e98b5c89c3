"""One file in, what was found in it out: a pure function of the path, its bytes and the catalog.

All that is heavy is imported by this module, which a run whose files are all in the cache never loads.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from agentgate.catalog import parse
from agentgate.lint.check import Site, check
from agentgate.lint.compiled import documents
from agentgate.lint.excerpt import may_hold_something
from agentgate.lint.finding import UNREADABLE, FileReport, Finding
from agentgate.lint.handed import is_handed_something
from agentgate.lint.index import Index, build
from agentgate.lint.load import Unreadable
from agentgate.lint.messages import message
from agentgate.lint.own import NOTHING, Own
from agentgate.lint.project import Neighbours, project
from agentgate.lint.resolve import Resolution
from agentgate.lint.source import Source, read
from agentgate.lint.suppress import MARK, suppressions
from agentgate.rulefiles import libraries

__all__ = ["Analysis", "Engine", "engine", "unreadable"]


class Analysis(NamedTuple):
    """A file that was parsed, and what was found in it.

    gated: the prompts that are gated already. depends: the other files that it was read with; when one of them
    changes, this one has to be read anew.
    """

    source: Source
    resolution: Resolution
    sites: list[Site]
    gated: list[Site]
    depends: tuple[str, ...]


class Engine:
    """The catalog of a run, ready to be used."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.project = project(index)
        self._narrowed = cache(index.narrowed)

    def analyse(self, path: str, data: bytes) -> Analysis | None:
        """Look at one file; None when it cannot hold a prompt. Raises Unreadable."""
        return self.read(path, data) if self._passed_over(path, data) is None else None

    def report(self, path: str, data: bytes) -> FileReport:
        """What a run keeps of one file; one AG901 when it cannot be read as Python."""
        depends = self._passed_over(path, data)
        if depends is not None:
            return FileReport(path, depends=depends)
        try:
            analysis = self.read(path, data)
        except Unreadable as error:
            return FileReport(path, (unreadable(path, error),))
        findings = tuple(site.finding for site in analysis.sites)
        text = analysis.source.lines
        lines = {finding.line: _shown(text, finding.line) for finding in findings}
        warnings = suppressions(analysis.source).warnings(path)
        return FileReport(path, findings, tuple(lines.items()), warnings, analysis.depends)

    def _passed_over(self, path: str, data: bytes) -> tuple[str, ...] | None:
        """The other files that, with its own bytes, tell that it can hold nothing; None when it may."""
        imports, prefilter, clues = self.project.imports(data), self.project.prefilter, self.project.clues
        calls = prefilter.found(data, imports)
        if calls is None or MARK in data or b"\0" in data:
            return None
        depends: set[str] = set()
        if clues.hands_on(data, imports):
            outside = Neighbours(self.project, path)
            if is_handed_something(data, self.index, outside):
                return None
            depends |= outside.files
        calls |= clues.found(data, imports)
        if calls:
            outside = Neighbours(self.project, path, standard_only=True)
            if may_hold_something(path, data, self._narrowed(calls), outside):
                return None
            depends |= outside.files
        return tuple(sorted(depends))

    def read(self, path: str, data: bytes) -> Analysis:
        """Look at one file, whatever its bytes say. Raises Unreadable."""
        source = read(data)
        try:
            resolution, sites, gated = check(path, source, self.index)
        except RecursionError:  # one expression of hundreds of parts is no reason to end a run
            raise Unreadable("holds an expression that is nested too deeply to be looked at") from None
        return Analysis(source, resolution, sites, gated, resolution.depends)


def _shown(lines: list[str], number: int) -> str:
    """A line without its end, and not much more of a very long one than a report will show."""
    return lines[number - 1].rstrip("\r\n") if number <= len(lines) else ""


@lru_cache(maxsize=8)
def engine(own: Own = NOTHING) -> Engine:
    """The engine for the whole catalog and what a project says of its own code."""
    return Engine(build([parse(documents()[library], library) for library in libraries()], own))


def unreadable(path: str, error: Unreadable) -> Finding:
    """The finding for a file that nothing can be said about."""
    text = message(UNREADABLE, "unreadable", error.reason)
    return Finding(
        UNREADABLE, "unreadable", "", path, error.line, error.column, error.line, error.column, None, None, text, "none"
    )
