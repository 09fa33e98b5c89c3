"""Paths in, findings out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from agentgate.lint import parallel
from agentgate.lint.config import Config
from agentgate.lint.discover import discover
from agentgate.lint.finding import FileReport, Finding, Warning
from agentgate.lint.load import Unreadable

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from agentgate.lint.cache import Cache

__all__ = ["LintResult", "lint_file", "lint_paths", "lint_source"]


class LintResult(NamedTuple):
    """What a run found.

    findings: by file, in order. files: how many Python files were looked at.
    skipped: paths that were named and are no Python source. lines: the text of each line that a finding is on.
    warnings: comments that silence nothing. known: how many findings a baseline held back.
    """

    findings: tuple[Finding, ...]
    files: int
    skipped: tuple[str, ...]
    lines: dict[tuple[str, int], str]
    warnings: tuple[Warning, ...] = ()
    known: int = 0

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
                **({"known": self.known} if self.known else {}),
            },
            **({"warnings": [warning._asdict() for warning in self.warnings]} if self.warnings else {}),
        }


def lint_file(path: str, data: bytes, config: Config | None = None) -> list[Finding]:
    """The findings of one file; one AG901 when it cannot be read as Python."""
    from agentgate.lint.engine import engine

    config = config or Config()
    return [finding for finding in engine(config.own).report(path, data).findings if config.selects(finding)]


def lint_source(path: str, data: bytes, config: Config | None = None) -> LintResult:
    """The findings of one file whose bytes are at hand, by whatever name."""
    from agentgate.lint.engine import engine

    config = config or Config()
    return _result(config, [path], (), {path: engine(config.own).report(path, data)})


def lint_paths(
    paths: Sequence[str],
    executor: Executor | None = None,
    *,
    config: Config | None = None,
    jobs: int | None = None,
    cache: Cache | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> LintResult:
    """The findings of all files under these paths.

    executor: where the files are read, instead of in processes of our own: any `concurrent.futures.Executor` whose
    workers see the same files and have agentgate installed. jobs: how many processes; None for one a processor.
    progress: called now and then with how many files are done, and of how many.

    Raises UsageError when a path does not exist.
    """
    config = config or Config()
    order: list[str] = []
    skipped: list[str] = []
    reports: dict[str, FileReport] = {}
    to_read: list[str] = []
    for target in discover(paths, config):
        if target.skipped:
            skipped.append(target.path)
            continue
        order.append(target.path)
        if target.problem is not None:
            reports[target.path] = _problem(target.path, target.problem)
            continue
        known = cache.find(target.path) if cache is not None else None
        if known is None:
            to_read.append(target.path)
        elif not known.is_empty():
            reports[target.path] = known
    finished = len(order) - len(to_read)

    def done(files: int) -> None:
        nonlocal finished
        finished += files
        if progress is not None:
            progress(finished, len(order))

    found = {
        report.path: report
        for report in parallel.report_files(to_read, config.own, jobs=jobs, executor=executor, done=done)
    }
    if cache is not None:
        cache.keep(to_read, found)
        cache.save()
    reports.update(found)
    return _result(config, order, tuple(skipped), reports)


def _result(config: Config, order: list[str], skipped: tuple[str, ...], reports: dict[str, FileReport]) -> LintResult:
    in_order = [reports[path] for path in order if path in reports] if reports else []
    findings = tuple(finding for report in in_order for finding in report.findings if config.selects(finding))
    shown = {(finding.path, finding.line) for finding in findings}
    lines = {
        (report.path, number): text
        for report in in_order
        for number, text in report.lines
        if (report.path, number) in shown
    }
    warnings = tuple(warning for report in in_order for warning in report.warnings)
    return LintResult(findings, len(order), skipped, lines, warnings)


def _problem(path: str, problem: str) -> FileReport:
    from agentgate.lint.engine import unreadable

    return FileReport(path, (unreadable(path, Unreadable(problem)),))
