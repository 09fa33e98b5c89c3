"""Whether a file is handed anything by the other modules of its project: told from its imports alone.

The modules that they name are read as far as they would be for the whole file, and are kept for the run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from agentgate.lint.imported import GAP, parsed, statements
from agentgate.lint.names import Outside, all_of_project, of_project
from agentgate.lint.values import NOTHING_KNOWN, Module, Values

__all__ = ["is_handed_something"]


def is_handed_something(data: bytes, outside: Outside) -> bool:
    """An import of the file gives what matters, or cannot be told to give nothing."""
    for statement in statements(data):
        node = parsed(statement)
        if node is None:
            continue
        if not statement.isascii():
            return True
        for values in _given(node, outside):
            for value in values - NOTHING_KNOWN:
                if not isinstance(value, Module) or _names_one(data, outside.exports(value.path)):
                    return True
    return False


def _given(node: ast.Import | ast.ImportFrom, outside: Outside) -> Iterator[Values]:
    """What each name of an import is."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield of_project(outside, alias.name if alias.asname else alias.name.partition(".")[0], None, 0)
        return
    module = node.module or ""
    if node.names[0].name == "*":
        yield from all_of_project(outside, module, node.level).values()
        return
    for alias in node.names:
        yield of_project(outside, module, alias.name, node.level)


def _names_one(data: bytes, names: Iterable[str]) -> bool:
    """One of these names stands behind a dot."""
    return any(re.search(rb"\.%b%b\b" % (GAP, name.encode()), data) for name in names)
