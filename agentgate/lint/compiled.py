"""The catalog's files without a TOML parser: kept as Python's own marshal data beside the cache of the linter.

What is kept is no more than what `tomllib` gave, with the size and time of each file, so whatever the catalog's
schema becomes, this stays right. Like Python's compiled modules it is used with `--no-cache` too, if it is there.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

from agentgate.lint import storage
from agentgate.rulefiles import folder, path_of

__all__ = ["documents"]

_NAME = "catalog.bin"


@cache
def documents() -> dict[str, dict[str, Any]]:
    """All documents of the catalog, by name. Raises CatalogError for a file that is no TOML."""
    files = {name[:-5]: path_of(name[:-5]) for name in sorted(os.listdir(folder())) if name.endswith(".toml")}
    state = [(name, info.st_size, info.st_mtime_ns) for name, info in ((n, os.stat(p)) for n, p in files.items())]
    kept = storage.load(_NAME, of_the_program=True)
    if isinstance(kept, tuple) and len(kept) == 2 and kept[0] == state:
        found: dict[str, dict[str, Any]] = kept[1]
        return found
    found = {name: _parsed(name, path) for name, path in files.items()}
    storage.save(_NAME, (state, found))
    return found


def _parsed(name: str, path: str) -> dict[str, Any]:
    import tomllib

    from agentgate.catalog import CatalogError

    with open(path, "rb") as file:
        try:
            return tomllib.load(file)
        except tomllib.TOMLDecodeError as error:
            raise CatalogError(f"{name}.toml: {error}") from None
