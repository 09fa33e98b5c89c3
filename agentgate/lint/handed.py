"""Whether a file is handed anything by the other modules of its project: told from its imports alone.

The modules that they name are read as far as they would be for the whole file, and are kept for the run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from agentgate.lint.imported import GAP, parsed, statements
from agentgate.lint.index import Index
from agentgate.lint.names import Outside, all_of_project, of_project
from agentgate.lint.values import NOTHING_KNOWN, Module, Ref, Values

__all__ = ["is_handed_something"]


def is_handed_something(data: bytes, index: Index, outside: Outside) -> bool:
    """An import of the file gives what matters, and the names from there to a prompt stand in the file."""
    for statement in statements(data):
        node = parsed(statement)
        if node is None:
            continue
        if not statement.isascii():
            return True
        if any(_leads_on(values, data, index, outside) for values in _given(node, outside)):
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


def _leads_on(values: Values, data: bytes, index: Index, outside: Outside) -> bool:
    """One of these is a prompt, or a module behind whose names there is one."""
    pending, seen = list(values - NOTHING_KNOWN), set(values)
    while pending:
        value = pending.pop()
        if isinstance(value, Module):
            names = outside.exports(value.path)
            found = {one for name in _behind_dots(names, data) for one in names[name]} - NOTHING_KNOWN
            pending += found - seen
            seen |= found
        elif not isinstance(value, Ref) or _is_reached(value.name, data, index):
            return True
    return False


def _is_reached(name: str, data: bytes, index: Index) -> bool:
    """It matters itself, or the next name on the way to what does stands in the file."""
    return name in index.prompts or name in index.followed or bool(_behind_dots(index.members.get(name, ()), data))


def _behind_dots(names: Iterable[str], data: bytes) -> set[str]:
    """Those of these names that stand behind a dot."""
    return {name for name in names if re.search(rb"\.%b%b\b" % (GAP, name.encode()), data)}
