"""Renderers, one a format: each turns a result into text and knows nothing else."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agentgate.lint.runner import LintResult

__all__ = ["FORMATS", "renderer"]

# `text` is rendered with or without colour, and `json` is the envelope of the command
FORMATS = ("text", "json", "jsonl", "github", "gitlab", "sarif", "junit")


def renderer(name: str) -> Callable[[LintResult], str]:
    """The renderer of a format other than `text` and `json`."""
    render: Callable[[LintResult], str] = import_module(f".{name}", __package__).render
    return render
