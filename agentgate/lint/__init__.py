"""`agentgate lint`: every place in a code base that can wait for a person.

Reader, prefilter, resolver, checks, report: each module is one step, and each step only knows the one before.
"""

from __future__ import annotations

from agentgate.lint.discover import UsageError
from agentgate.lint.finding import Finding
from agentgate.lint.runner import LintResult, lint_file, lint_paths

__all__ = ["Finding", "LintResult", "UsageError", "lint_file", "lint_paths"]
