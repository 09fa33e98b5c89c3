"""Where the catalog's files lie, and their first lines, without a TOML parser.

A person's run needs to know which of a library's functions declare prompts, and must not pay for more.
"""

from __future__ import annotations

import os

__all__ = ["HEADER", "folder", "header", "libraries", "path_of"]

HEADER = ("declares", "created", "ask", "consume", "hook_class")


def folder() -> str:
    """The catalog's folder: inside the package, or beside it in a source checkout."""
    here = os.path.dirname(os.path.abspath(__file__))
    inside = os.path.join(here, "lint_rules")
    return inside if os.path.isdir(inside) else os.path.join(os.path.dirname(here), "lint_rules")


def path_of(library: str) -> str:
    """The file that describes a library (which need not exist)."""
    return os.path.join(folder(), library + ".toml")


def libraries() -> list[str]:
    """The names of all libraries in the catalog, sorted.

    A file whose name no module can have (`known-programs.toml`) is no library.
    """
    names = (name[:-5] for name in os.listdir(folder()) if name.endswith(".toml"))
    return sorted(name for name in names if name.isidentifier())


def header(library: str) -> dict[str, tuple[str, ...]]:
    """The HEADER lines of a file, each `key = "text"` or `key = ["text", …]`; empty when there is no file.

    A test holds this to what a TOML parser says.
    """
    lines: dict[str, tuple[str, ...]] = {}
    try:
        with open(path_of(library), encoding="utf-8") as file:
            for line in file:
                if line.startswith("["):
                    break
                key, _, value = line.partition(" = ")
                if key in HEADER:
                    lines[key] = tuple(value.split('"')[1::2])
    except OSError:
        pass
    return lines
