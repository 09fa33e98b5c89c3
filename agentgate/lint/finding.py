"""The result of lint: one record a place."""

from __future__ import annotations

from typing import NamedTuple

__all__ = [
    "CODE_OF_KIND",
    "DECLARATION",
    "PROMPTS",
    "REFERENCE",
    "UNREADABLE",
    "UNUSED",
    "FileReport",
    "Finding",
    "Warning",
]

CODE_OF_KIND = {
    "text": "AG101",
    "choice": "AG101",
    "choices": "AG101",
    "key": "AG101",
    "confirm": "AG102",
    "secret": "AG103",
    "pause": "AG105",
    "editor": "AG106",
    "pager": "AG106",
    "debugger": "AG107",
    "stdin": "AG109",
}
DECLARATION = "AG104"
REFERENCE = "AG108"
UNREADABLE = "AG901"
UNUSED = "AG902"
# how the codes of prompts begin
PROMPTS = "AG1"


class Finding(NamedTuple):
    """One place that can wait for a person, or one file that cannot be read.

    code: the rule. kind: what is asked for (`unreadable` for AG901).
    call: the prompt as users write it, `builtins.` left out.
    line, column, end_line, end_column: the callee's extent, from 1, columns in characters.
    label: what a person is asked, `{…}` for each computed part; None when nothing of it is known.
    name: the name of its answer; None when only the run can tell.
    message: what an agent would meet here.
    fix: `safe`, `unsafe` or `none`: whether `agentgate fix` rewrites it.
    """

    code: str
    kind: str
    call: str
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    label: str | None
    name: str | None
    message: str
    fix: str


class Warning(NamedTuple):
    """One comment that silences nothing: it is reported beside the findings and fails no run."""

    code: str
    path: str
    line: int
    column: int
    message: str


class FileReport(NamedTuple):
    """All that a run keeps of one file.

    lines: the text of each line that a finding is on. depends: the other files that it was read with.
    """

    path: str
    findings: tuple[Finding, ...] = ()
    lines: tuple[tuple[int, str], ...] = ()
    warnings: tuple[Warning, ...] = ()
    depends: tuple[str, ...] = ()

    def is_empty(self) -> bool:
        """Nothing was found, and no other file was read for it."""
        return not (self.findings or self.warnings or self.depends)
