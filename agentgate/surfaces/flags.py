"""The words on a command line that are agentgate's, in a program that an integration runs."""

from __future__ import annotations

__all__ = ["FLAGS", "WORDS"]

FLAGS = ("--json", "--no-json", "--format", "--view", "--envelope", "--schema", "--explain", "--mcp")
WORDS = ("schema", "commands", "completion")  # commands that a program with commands gets
