"""One JSON object a line, a finding each: for `jq`, and for logs that grow."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agentgate.lint.runner import LintResult

__all__ = ["render"]


def render(result: LintResult) -> str:
    """The findings, then the warnings, as they stand in the envelope of `--json`."""
    records = [finding._asdict() for finding in result.findings] + [warning._asdict() for warning in result.warnings]
    return "".join(json.dumps(record) + "\n" for record in records)
