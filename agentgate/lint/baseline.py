"""A baseline: the findings that a project knows of and lives with, so that only new ones fail a run.

It holds no line numbers. A finding is known by its file, rule, prompt and the text of its line, and as often as the
file says: the same line once more is a new finding.
"""

from __future__ import annotations

import json
import os
from collections import Counter

from agentgate.lint.config import UsageError
from agentgate.lint.fingerprint import Identity, identity
from agentgate.lint.runner import LintResult

__all__ = ["SCHEMA", "apply", "dumps"]

SCHEMA = "agentgate-baseline/v1"


def apply(result: LintResult, path: str) -> LintResult:
    """The result without the findings that are known. Raises UsageError when the file is no baseline."""
    known = _read(path)
    root = os.path.dirname(os.path.abspath(path))
    left = []
    for finding in result.findings:
        one = identity(finding, result.lines.get((finding.path, finding.line)), root)
        if known[one] > 0:
            known[one] -= 1
        else:
            left.append(finding)
    return result._replace(findings=tuple(left), known=len(result.findings) - len(left))


def dumps(result: LintResult, path: str) -> str:
    """The baseline that knows all findings of a result, to be written to a path."""
    root = os.path.dirname(os.path.abspath(path))
    counted = Counter(
        identity(finding, result.lines.get((finding.path, finding.line)), root) for finding in result.findings
    )
    entries = [{**one._asdict(), "count": counted[one]} for one in sorted(counted)]
    return json.dumps({"schema": SCHEMA, "findings": entries}, indent=1) + "\n"


def _read(path: str) -> Counter[Identity]:
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        if document["schema"] != SCHEMA:
            raise UsageError(f"{path}: is a baseline of another kind: {document['schema']}")
        known: Counter[Identity] = Counter()
        for entry in document["findings"]:
            known[Identity(*(str(entry[field]) for field in Identity._fields))] += int(entry["count"])
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        raise UsageError(f"{path}: is no baseline; make one with --write-baseline {path}") from None
    return known
