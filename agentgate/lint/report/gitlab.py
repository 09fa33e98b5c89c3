"""A GitLab code quality report: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from agentgate.lint.fingerprint import fingerprints
from agentgate.lint.globs import relative
from agentgate.lint.report.paths import printable

if TYPE_CHECKING:
    from agentgate.lint.runner import LintResult

__all__ = ["render"]


def render(result: LintResult) -> str:
    """One array, a finding each; a finding keeps its fingerprint while its line only moves."""
    marks = fingerprints(result.findings, result.lines)
    issues = [
        {
            "description": f"{finding.code}: {finding.message}",
            "check_name": finding.code,
            "fingerprint": mark,
            "severity": "major",
            "location": {
                "path": printable(relative(finding.path, None)),
                "positions": {
                    "begin": {"line": finding.line, "column": finding.column},
                    "end": {"line": finding.end_line, "column": finding.end_column},
                },
            },
        }
        for finding, mark in zip(result.findings, marks, strict=True)
    ]
    return json.dumps(issues, indent=2) + "\n"
