"""Files in, findings out. `lint_file` is a pure function of a path and its bytes."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from agentgate.lint.check import Site, check
from agentgate.lint.discover import discover
from agentgate.lint.finding import UNREADABLE, Finding
from agentgate.lint.index import default
from agentgate.lint.messages import message
from agentgate.lint.prefilter import prefilter
from agentgate.lint.resolve import Resolution
from agentgate.lint.source import Source, Unreadable, read

__all__ = ["Analysis", "LintResult", "analyse", "lint_file", "lint_paths", "load", "unreadable"]


class Analysis(NamedTuple):
    """A file that was parsed, and what was found in it."""

    source: Source
    resolution: Resolution
    sites: list[Site]


class LintResult(NamedTuple):
    """What a run found.

    findings: by file, in order. files: how many Python files were looked at.
    skipped: paths that were named and are no Python source. lines: the text of each line that a finding is on.
    """

    findings: tuple[Finding, ...]
    files: int
    skipped: tuple[str, ...]
    lines: dict[tuple[str, int], str]

    @property
    def fixable(self) -> int:
        """How many of the findings `agentgate fix` would rewrite."""
        return sum(finding.fix == "safe" for finding in self.findings)

    def data(self) -> dict[str, object]:
        """The result as plain data, for JSON."""
        codes = sorted(finding.code for finding in self.findings)
        return {
            "findings": [finding._asdict() for finding in self.findings],
            "summary": {
                "files": self.files,
                "files_with_findings": len({finding.path for finding in self.findings}),
                "findings": len(self.findings),
                "fixable": self.fixable,
                "codes": {code: codes.count(code) for code in dict.fromkeys(codes)},
                "skipped": list(self.skipped),
            },
        }


def analyse(path: str, data: bytes) -> Analysis | None:
    """Look at one file; None when it cannot hold a prompt. Raises Unreadable."""
    if b"\0" not in data and not prefilter().may_prompt(data):
        return None
    source = read(data)
    resolution, sites = check(path, source, default())
    return Analysis(source, resolution, sites)


def lint_file(path: str, data: bytes) -> list[Finding]:
    """The findings of one file; one AG901 when it cannot be read as Python."""
    try:
        analysis = analyse(path, data)
    except Unreadable as error:
        return [unreadable(path, error)]
    return [site.finding for site in analysis.sites] if analysis else []


def lint_paths(paths: Sequence[str]) -> LintResult:
    """The findings of all files under these paths. Raises UsageError when one does not exist."""
    findings: list[Finding] = []
    skipped: list[str] = []
    lines: dict[tuple[str, int], str] = {}
    files = 0
    with _without_cycles():
        for target in discover(paths):
            if target.skipped:
                skipped.append(target.path)
                continue
            files += 1
            try:
                data = load(target.path, target.problem)
                analysis = analyse(target.path, data)
            except Unreadable as error:
                findings.append(unreadable(target.path, error))
                continue
            for site in analysis.sites if analysis else ():
                findings.append(site.finding)
                line = site.finding.line
                lines[target.path, line] = analysis.source.lines[line - 1].rstrip("\r\n") if analysis else ""
    return LintResult(tuple(findings), files, tuple(skipped), lines)


def load(path: str, problem: str | None = None) -> bytes:
    """A file's bytes. Raises Unreadable, also for a problem that is known before it is opened."""
    if problem is not None:
        raise Unreadable(problem)
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise Unreadable(f"cannot be read: {error.strerror}") from None


def unreadable(path: str, error: Unreadable) -> Finding:
    """The finding for a file that nothing can be said about."""
    text = message(UNREADABLE, "unreadable", error.reason)
    return Finding(
        UNREADABLE, "unreadable", "", path, error.line, error.column, error.line, error.column, None, None, text, "none"
    )


@contextmanager
def _without_cycles() -> Iterator[None]:
    """No garbage collection meanwhile: syntax trees are large, hold no cycles, and would be scanned over and over."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
