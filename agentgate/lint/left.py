"""Why a place is reported and not rewritten."""

from __future__ import annotations

import ast
import os
from functools import cached_property

from agentgate.catalog import Prompt
from agentgate.lint.references import is_identified
from agentgate.lint.resolve import Resolution
from agentgate.lint.sites import FOR_A_PERSON
from agentgate.lint.source import Source
from agentgate.lint.tree import Parents

__all__ = ["Reasons"]

_BUILDS = "a build runs this file before anything that it needs is installed: ask in a script of its own"
_IDENTIFIED = "the file tells it by `is`, and what is gated is another object: gate it where it is called"
_IN_STRING = "it stands in an f-string, where this Python cannot tell its place"
_QUOTED = "an f-string shows its source text"


class Reasons:
    """The reasons in one file."""

    def __init__(self, path: str, source: Source, resolution: Resolution, parents: Parents) -> None:
        self._source = source
        self._resolution = resolution
        self._parents = parents
        self._builds = os.path.basename(path) == "setup.py" and _imports(source.tree, "setuptools", "distutils")

    def of(self, node: ast.expr, prompt: Prompt, *, in_string: bool, reference: bool) -> str | None:
        """Why a use of a prompt is left as it is; None when nothing keeps it from being rewritten.

        in_string: it stands in an f-string. reference: it is no call.
        """
        if prompt.fix == "none":
            return FOR_A_PERSON
        if self._builds:
            return _BUILDS
        if in_string and not self._is_where_it_says(node):
            return _IN_STRING
        if in_string and self._is_quoted(node):
            return _QUOTED
        return _IDENTIFIED if reference and prompt in self._identified else None

    @cached_property
    def _identified(self) -> set[Prompt]:
        """The prompts that the file tells from others by `is`."""
        return {prompt for node, prompt in self._resolution.uses.items() if is_identified(node, self._parents)}

    def _is_quoted(self, node: ast.expr) -> bool:
        """The node stands in `{…=}`, which prints the source itself."""
        shown = [above.value for above in self._parents.above(node) if isinstance(above, ast.FormattedValue)]
        text = self._source.text
        return any(text[self._source.end(value) :][:80].lstrip(" \t)").startswith("=") for value in shown)

    def _is_where_it_says(self, node: ast.expr) -> bool:
        """The source says the same there; Python 3.11 gives what is in an f-string another place."""
        text = self._source.text[self._source.start(node) : self._source.end(node)]
        try:
            return ast.dump(ast.parse(f"({text}\n)", mode="eval").body) == ast.dump(node)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False


def _imports(tree: ast.Module, *packages: str) -> bool:
    """The module itself imports one of these."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in packages:
            return True
        if isinstance(node, ast.Import) and any(name.name.partition(".")[0] in packages for name in node.names):
            return True
    return False
