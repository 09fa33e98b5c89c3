"""What earlier runs found, by file: a file that has not changed is not read again.

A file counts as unchanged when its size, times and inode are the same, as for git and ruff. One that was written
in the last moments before it was read is not kept, because a second change within the clock's tick would not show.
The key holds all that a result depends on besides: our own code, the catalog, the Python, what the project says of
its own code.
"""

from __future__ import annotations

import os
import sys
import time
import zlib
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from agentgate.lint import storage
from agentgate.lint.finding import FileReport, Finding, Warning
from agentgate.lint.own import NOTHING, Own
from agentgate.rulefiles import folder

__all__ = ["Cache", "Signature", "signature"]

# modification time in ns, size, inode, change time in ns
Signature: TypeAlias = "tuple[int, int, int, int]"
# a report as plain types
Frozen: TypeAlias = "tuple[Any, ...]"

# the longest tick of a file system's clock that keeps fractions of a second, and of one that does not (FAT)
_TICK = 100_000_000
_COARSE_TICK = 2_000_000_000


def signature(path: str) -> Signature | None:
    """What tells a changed file from an unchanged one; None when it cannot be looked at."""
    try:
        info = os.stat(path)
    except OSError:
        return None
    return info.st_mtime_ns, info.st_size, info.st_ino, info.st_ctime_ns


class Cache:
    """The results for the files under some paths."""

    def __init__(self, paths: Sequence[str], own: Own = NOTHING) -> None:
        # paths are reported as they were named, so results are kept for one way of naming them
        asked = repr((sorted((path, os.path.realpath(path)) for path in paths), own))
        self._key = (asked, _program())
        self._name = f"lint-{zlib.crc32(asked.encode('utf-8', 'surrogatepass')):08x}.bin"
        self._now = time.time_ns()
        kept = storage.load(self._name)
        self._kept: dict[str, tuple[Signature, Frozen | None]] = {}
        if isinstance(kept, tuple) and len(kept) == 2 and kept[0] == self._key:
            self._kept = kept[1]
        self._new: dict[str, tuple[Signature, Frozen | None]] = {}
        self._seen: dict[str, Signature] = {}
        self._changed = False
        self._states: dict[str, Signature | None] = {}

    def find(self, path: str) -> FileReport | None:
        """The report of an unchanged file; None when it has to be read."""
        now = signature(path)
        if now is None:
            return None
        self._seen[path] = now
        kept = self._kept.get(path)
        if kept is None or kept[0] != now:
            return None
        report = FileReport(path) if kept[1] is None else self._thawed(kept[1])
        if report is not None:
            self._new[path] = kept
        return report

    def keep(self, paths: Iterable[str], reports: dict[str, FileReport]) -> None:
        """Note what was found in files that had to be read."""
        for path in paths:
            seen = self._seen.get(path)
            if seen is None or not _is_settled(seen, self._now):
                continue
            report = reports.get(path)
            self._new[path] = (seen, self._frozen(report) if report is not None else None)
            self._changed = True

    def save(self) -> None:
        """Write what is to be kept, if that is anything new."""
        if self._changed or len(self._new) < len(self._kept):
            storage.save(self._name, (self._key, self._new))

    def _state(self, path: str) -> Signature | None:
        """The signature of a file that others depend on, looked at once a run."""
        if path not in self._states:
            self._states[path] = signature(path)
        return self._states[path]

    def _frozen(self, report: FileReport) -> Frozen:
        """A report as plain types, with the state of the other files that it depends on."""
        return (
            report.path,
            tuple(tuple(finding) for finding in report.findings),
            report.lines,
            tuple(tuple(warning) for warning in report.warnings),
            tuple((path, self._state(path)) for path in report.depends),
        )

    def _thawed(self, frozen: Frozen) -> FileReport | None:
        """The report again; None when a file that it depends on has changed."""
        path, findings, lines, warnings, depends = frozen
        if any(self._state(other) != seen for other, seen in depends):
            return None
        return FileReport(
            path,
            tuple(Finding(*finding) for finding in findings),
            lines,
            tuple(Warning(*warning) for warning in warnings),
            tuple(other for other, _ in depends),
        )


def _is_settled(seen: Signature, now: int) -> bool:
    """The file was last written so long before it was read that a later change will show."""
    return seen[0] + (_TICK if seen[0] % 1_000_000_000 else _COARSE_TICK) < now


def _program() -> list[object]:
    """All that decides what is found in a file, besides the file."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    code = [package, *(path for path, _, _ in os.walk(os.path.join(package, "lint")))]
    state: list[object] = [sys.version_info[:3]]
    for place in (*sorted(code), folder()):
        for name in sorted(os.listdir(place)):
            if name.endswith((".py", ".toml")):
                info = os.stat(os.path.join(place, name))
                state.append((name, info.st_size, info.st_mtime_ns))
    return state
