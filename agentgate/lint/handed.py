"""Whether a file is handed anything by the other modules of its project: told from its imports alone.

They are read as a module of their own, which costs a fraction of the file. The modules that they name are read as far
as they would be for the whole file, and are kept for the run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from agentgate.lint.imported import parsed, statements
from agentgate.lint.index import Index
from agentgate.lint.project import Neighbours
from agentgate.lint.resolve import resolve
from agentgate.lint.source import read
from agentgate.lint.values import NOTHING_KNOWN, Module

__all__ = ["is_handed_something"]


def is_handed_something(data: bytes, index: Index, outside: Neighbours) -> bool:
    """An import of the file gives what the catalog alone does not know, or cannot be told to give nothing."""
    imports = {statement for statement in statements(data) if parsed(statement) is not None}
    if not all(map(bytes.isascii, imports)):
        return True
    # each in a branch of its own, so that none takes another's name
    source = read(b"".join(b"if 0: %b\n" % statement for statement in sorted(imports)))
    alone = resolve(source, index).exports
    for name, values in resolve(source, index, outside).exports.items():
        for value in values - alone.get(name, NOTHING_KNOWN) - NOTHING_KNOWN:
            if not isinstance(value, Module) or _names_one(data, outside.exports(value.path)):
                return True
    return False


def _names_one(data: bytes, names: Iterable[str]) -> bool:
    """One of these names stands behind a dot."""
    return any(re.search(rb"\.[\s\\]*%b\b" % name.encode(), data) for name in names)
