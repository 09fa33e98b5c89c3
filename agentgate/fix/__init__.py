"""`agentgate fix`: findings to edits, verified and written whole or not at all.

Only a prompt's callee is wrapped, and one import added; every other byte of a file stays as it is.
"""

from __future__ import annotations

from agentgate.fix.changes import FileChange, FixPlan, LeftOver, Refusal
from agentgate.fix.dependency import DISTRIBUTION, where_to_add
from agentgate.fix.diff import unified
from agentgate.fix.runner import apply, fix_source, plan

__all__ = [
    "DISTRIBUTION",
    "FileChange",
    "FixPlan",
    "LeftOver",
    "Refusal",
    "apply",
    "fix_source",
    "plan",
    "unified",
    "where_to_add",
]
