"""`agentgate lint`: every place in a code base that can wait for a person.

Reader, prefilter, resolver, checks, report: each module is one step, and each step only knows the one before.
"""

from __future__ import annotations

from agentgate.lint.config import Config, UsageError
from agentgate.lint.finding import Finding, Warning
from agentgate.lint.runner import LintResult, lint_file, lint_paths, lint_source

__all__ = ["Config", "Finding", "LintResult", "UsageError", "Warning", "lint_file", "lint_paths", "lint_source"]
