"""A byte-level test that most files fail, so that they are never parsed.

Derived from the catalog alone: a file can hold a prompt only when it writes the prompt's last name, and, for
what has to be imported, the module's first name. A file that passes may still hold none; one that fails
cannot, whatever else is wrong with it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache

from agentgate.lint.index import Index, default

__all__ = ["Prefilter", "prefilter"]

_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


class Prefilter:
    """The test for one catalog."""

    def __init__(self, index: Index) -> None:
        last_names: dict[str, set[bytes]] = defaultdict(set)
        for name in index.prompts:
            last_names[name.partition(".")[0]].add(name.rpartition(".")[2].encode())
        self._modules = [(root.encode(), tuple(sorted(names))) for root, names in sorted(last_names.items())]
        # led by the literal, which is what makes the search fast; an attribute or an item of it, its annotation
        # and the parameter of that name hand nothing on
        self._builtins = [
            re.compile(re.escape(name.encode()) + rb"\b(?![ \t]*(?:[.:\[]|=[^=]))") for name in index.builtins
        ]

    def may_prompt(self, data: bytes) -> bool:
        """Whether these bytes are worth parsing."""
        return any(_reads_name(pattern, data) for pattern in self._builtins) or any(
            root in data and any(name in data for name in names) and _imports(root, data)
            for root, names in self._modules
        )


def _reads_name(pattern: re.Pattern[bytes], data: bytes) -> bool:
    """The bare name is written somewhere, other than to define it."""
    for found in pattern.finditer(data):
        start = found.start()
        before = data[start - 1] if start else 0
        if before not in _WORD and before != ord(".") and data[max(start - 4, 0) : start] != b"def ":
            return True
    return False


def _imports(root: bytes, data: bytes) -> bool:
    """The module's name stands in a line that imports, as far as bytes can tell."""
    searched = 0
    position = data.find(root)
    while position >= 0:
        start = data.rfind(b"\n", searched, position) + 1
        # a backslash at the end of the line before makes it one line
        while start and data[max(start - 3, 0) : start].rstrip(b"\r\n").endswith(b"\\"):
            start = data.rfind(b"\n", 0, start - 1) + 1
        start = max(start, searched)
        if data.find(b"import", start, position) >= 0 or data.find(b"from", start, position) >= 0:
            return True
        # no part of one long line is searched twice
        searched = max(position - len(b"import"), 0)
        position = data.find(root, position + 1)
    return False


@cache
def prefilter() -> Prefilter:
    """The test for the whole catalog."""
    return Prefilter(default())
