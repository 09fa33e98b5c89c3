"""The second reader: syntax that is newer than the running Python, through libcst's own parser, as `ast` nodes.

Only imported when the standard library's parser has refused a file. What comes out is what `ast.parse` of a newer
Python would give, positions included, so the resolver cannot tell the difference; a test holds the two readers to
that on fixtures and on the standard library. Nodes that the running Python's `ast` lacks are stood in for by
classes of the same name and fields (`nodes`).
"""

from __future__ import annotations

import ast

import libcst

from agentgate.lint.newer.places import Places
from agentgate.lint.newer.statements import module

__all__ = ["parse"]


def parse(text: str) -> ast.Module | None:
    """The tree of a module; None when this is no Python that libcst knows either."""
    try:
        tree = libcst.parse_module(text)
    except libcst.ParserSyntaxError:
        return None
    return module(tree, Places(tree, text))
