"""Plans the rewriting of files, and carries a plan out.

A plan is worked out without writing anything; it says byte for byte what will be written, so it can be shown,
agreed to, and then applied exactly. `fix_source` is a pure function of a path and its bytes.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from typing import NamedTuple

from agentgate.fix.edits import Edit, applied, wraps
from agentgate.fix.imports import gate_for
from agentgate.fix.verify import is_same_but_for_gates
from agentgate.fix.write import WriteError, replace
from agentgate.lint.check import Site
from agentgate.lint.discover import discover
from agentgate.lint.finding import Finding
from agentgate.lint.runner import Analysis, analyse, load, unreadable
from agentgate.lint.source import Unreadable, read

__all__ = ["FileChange", "FixPlan", "LeftOver", "Refusal", "apply", "fix_source", "plan"]


class LeftOver(NamedTuple):
    """A finding that is not rewritten, and why."""

    finding: Finding
    reason: str


class FileChange(NamedTuple):
    """One file's new bytes. findings: what they gate. edits: what is put where, in characters of its text."""

    path: str
    before: bytes
    after: bytes
    findings: tuple[Finding, ...]
    edits: tuple[Edit, ...]

    def description(self) -> dict[str, object]:
        """The change as plain data: two equal descriptions mean the same bytes."""
        return {
            "path": self.path,
            "before": hashlib.sha256(self.before).hexdigest(),
            "after": hashlib.sha256(self.after).hexdigest(),
            "edits": [
                {"line": finding.line, "column": finding.column, "code": finding.code, "call": finding.call}
                for finding in self.findings
            ],
        }


class FixPlan(NamedTuple):
    """What a fix would do: the files that change, and the findings that it leaves."""

    changes: tuple[FileChange, ...]
    left: tuple[LeftOver, ...]
    files: int

    @property
    def fixed(self) -> int:
        """How many findings the changes gate."""
        return sum(len(change.findings) for change in self.changes)

    def description(self) -> list[dict[str, object]]:
        """The plan as plain data, for a person to agree to and for the digest of a consent."""
        return [change.description() for change in self.changes]


class Refusal(NamedTuple):
    """A file that was not written, and why."""

    path: str
    reason: str


def plan(paths: Sequence[str], *, unsafe: bool = False, select: Sequence[str] = ()) -> FixPlan:
    """Work out what a fix of these paths would write. Raises UsageError when one does not exist.

    unsafe: with the edits that may change what a program does. select: only findings of these codes; all, when empty.
    """
    changes: list[FileChange] = []
    left: list[LeftOver] = []
    folders = [os.path.realpath(path) for path in paths if os.path.isdir(path)]
    files = 0
    for target in discover(paths):
        if target.skipped:
            continue
        files += 1
        try:
            data = load(target.path, target.problem)
            change, rest = fix_source(target.path, data, unsafe=unsafe, select=select)
        except Unreadable as error:
            left.append(LeftOver(unreadable(target.path, error), error.reason))
            continue
        left += rest
        if change is not None and not _is_inside(target.path, folders):
            left += [
                LeftOver(finding, "the link leads out of the folder that was named") for finding in change.findings
            ]
        elif change is not None:
            changes.append(change)
    return FixPlan(tuple(changes), tuple(left), files)


def fix_source(
    path: str, data: bytes, *, unsafe: bool = False, select: Sequence[str] = ()
) -> tuple[FileChange | None, list[LeftOver]]:
    """The change of one file (None for none) and the findings that it leaves. Raises Unreadable."""
    analysis = analyse(path, data)
    if analysis is None:
        return None, []
    chosen: list[Site] = []
    left: list[LeftOver] = []
    for site in analysis.sites:
        if select and site.finding.code not in select:
            continue
        if site.reason is not None:
            left.append(LeftOver(site.finding, site.reason))
        elif site.finding.fix == "unsafe" and not unsafe:
            left.append(LeftOver(site.finding, "the edit may change what the program does; ask for it with --unsafe"))
        else:
            chosen.append(site)
    if not chosen:
        return None, left
    try:
        return _change(path, analysis, chosen), left
    except _Doubt as doubt:
        return None, left + [LeftOver(site.finding, str(doubt)) for site in chosen]


class _Doubt(Exception):
    """The edited file is not what it must be, so it is not to be written."""


def _change(path: str, analysis: Analysis, sites: list[Site]) -> FileChange:
    source = analysis.source
    if not source.round_trips:
        raise _Doubt(f"its {source.encoding} text does not give back the same bytes")
    gate = gate_for(source, analysis.resolution.bindings, min(site.finding.line for site in sites))
    edits = wraps(sites, gate.name)
    if gate.edit is not None:
        # first, so that it stands before a wrap at the same place
        edits.insert(0, gate.edit)
    try:
        after = source.encode(applied(source.text, edits))
        new = read(after)
    except (UnicodeEncodeError, Unreadable):
        raise _Doubt("the edited file could not be read back") from None
    if not is_same_but_for_gates(source.tree, new.tree, gate.name, len(sites), imported=gate.edit is not None):
        raise _Doubt("the edited file would be more than the original and its gates")
    return FileChange(path, source.data, after, tuple(site.finding for site in sites), tuple(edits))


def _is_inside(path: str, folders: Sequence[str]) -> bool:
    """A link is written through only to what lies in a named folder, or beside the link."""
    if not os.path.islink(path):
        return True
    target = os.path.realpath(path)
    allowed = (*folders, os.path.realpath(os.path.dirname(path) or os.curdir))
    return any(target.startswith(os.path.join(folder, "")) for folder in allowed)


def apply(plan: FixPlan, *, written: Callable[[FileChange], None] | None = None) -> tuple[Refusal, ...]:
    """Write the files of a plan, each whole or not at all. Returns those that were not written, with the reason.

    written: called after each file that was.
    """
    refused: list[Refusal] = []
    for change in plan.changes:
        try:
            replace(change.path, change.before, change.after)
        except WriteError as error:
            refused.append(Refusal(change.path, str(error)))
            continue
        if written is not None:
            written(change)
    return tuple(refused)
