"""What a fix would do, as plain records."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from agentgate.fix.edits import Edit
from agentgate.lint.finding import Finding

__all__ = ["FileChange", "FixPlan", "LeftOver", "Refusal"]


class LeftOver(NamedTuple):
    """A finding that is not rewritten, and why."""

    finding: Finding
    reason: str


class FileChange(NamedTuple):
    """One file's new bytes.

    findings: what they gate. edits: what is put where, in characters of its text.
    adds: the distribution that the file names from now on among its dependencies. new: there is no such file yet.
    """

    path: str
    before: bytes
    after: bytes
    findings: tuple[Finding, ...]
    edits: tuple[Edit, ...]
    adds: str | None = None
    new: bool = False

    def description(self) -> dict[str, object]:
        """The change as plain data: two equal descriptions mean the same bytes."""
        return {
            "path": self.path,
            "before": None if self.new else hashlib.sha256(self.before).hexdigest(),
            "after": hashlib.sha256(self.after).hexdigest(),
            "edits": [
                {"line": finding.line, "column": finding.column, "code": finding.code, "call": finding.call}
                for finding in self.findings
            ],
            **({"adds": self.adds} if self.adds else {}),
        }


class Refusal(NamedTuple):
    """A file that was not written, and why."""

    path: str
    reason: str


class FixPlan(NamedTuple):
    """What a fix would do: the files that change, and the findings that it leaves.

    users: the files that import agentgate, before or after. undeclared: the files that should name it among
    their dependencies, and cannot be made to.
    """

    changes: tuple[FileChange, ...]
    left: tuple[LeftOver, ...]
    files: int
    users: tuple[str, ...] = ()
    undeclared: tuple[Refusal, ...] = ()

    @property
    def fixed(self) -> int:
        """How many findings the changes gate."""
        return sum(len(change.findings) for change in self.changes)

    def description(self) -> list[dict[str, object]]:
        """The plan as plain data, for a person to agree to and for the digest of a consent."""
        return [change.description() for change in self.changes]
