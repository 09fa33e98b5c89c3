"""SARIF 2.1.0, for code scanning: https://docs.oasis-open.org/sarif/sarif/v2.1.0/"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from agentgate import __version__
from agentgate.lint.fingerprint import fingerprints
from agentgate.lint.globs import relative
from agentgate.lint.messages import RULES
from agentgate.lint.report.paths import printable

if TYPE_CHECKING:
    from agentgate.lint.finding import Finding
    from agentgate.lint.runner import LintResult

__all__ = ["render"]


def render(result: LintResult) -> str:
    """One run with all rules that found something, and the comments that silence nothing as notifications."""
    codes = sorted({finding.code for finding in result.findings})
    marks = fingerprints(result.findings, result.lines)
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "agentgate",
                "semanticVersion": __version__,
                "rules": [_rule(code) for code in codes],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(finding, mark, codes.index(finding.code), result.lines.get((finding.path, finding.line)))
            for finding, mark in zip(result.findings, marks, strict=True)
        ],
    }
    if result.warnings:
        run["invocations"] = [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [
                    {
                        "level": "warning",
                        "message": {"text": printable(f"{warning.code}: {warning.message}")},
                        "locations": [_location(warning.path, {"startLine": warning.line})],
                    }
                    for warning in result.warnings
                ],
            }
        ]
    document = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=2) + "\n"


def _rule(code: str) -> dict[str, Any]:
    rule = RULES[code]
    return {
        "id": code,
        "name": rule.name,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.why},
        "help": {"text": f"For example:\n\n{rule.example}\n\n{rule.fix}"},
        "defaultConfiguration": {"level": "error"},
    }


def _result(finding: Finding, mark: str, rule: int, line: str | None) -> dict[str, Any]:
    region: dict[str, Any] = {
        "startLine": finding.line,
        "startColumn": finding.column,
        "endLine": finding.end_line,
        "endColumn": finding.end_column,
    }
    if line is not None:
        region["snippet"] = {"text": printable(line)}
    properties = {"kind": finding.kind, "call": finding.call, "fix": finding.fix}
    properties.update(
        {key: printable(value) for key, value in (("label", finding.label), ("name", finding.name)) if value}
    )
    return {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": "error",
        "message": {"text": printable(finding.message)},
        "locations": [_location(finding.path, region)],
        "partialFingerprints": {"agentgate/v1": mark},
        "properties": properties,
    }


def _location(path: str, region: dict[str, Any]) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": _artifact(path), "region": region}}


def _artifact(path: str) -> dict[str, str]:
    """Relative to the working directory for a file that lies in it, so that a report reads alike on any machine."""
    seen = relative(path, None)
    if seen.startswith("../") or os.path.isabs(seen):
        return {"uri": Path(os.path.abspath(path)).as_uri()}
    return {"uri": quote(os.fsencode(seen)), "uriBaseId": "%SRCROOT%"}
