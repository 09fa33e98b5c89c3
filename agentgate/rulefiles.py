"""Where the catalog's files lie, and their first lines, without a TOML parser.

A person's run needs to know which of a library's functions declare prompts, and must not pay for more.
"""

from __future__ import annotations

import os

__all__ = ["HEADER", "data_of", "folder", "header", "libraries", "path_of"]

HEADER = ("declares", "created", "ask", "consume", "hook_class")


def folder() -> str:
    """The catalog's folder: inside the package (which may be in an archive), or beside it in a source checkout."""
    here = os.path.dirname(os.path.abspath(__file__))
    inside = os.path.join(here, "lint_rules")
    beside = os.path.join(os.path.dirname(here), "lint_rules")
    return beside if os.path.isdir(beside) and not os.path.isdir(inside) else inside


def path_of(library: str) -> str:
    """The file that describes a library (which need not exist)."""
    return os.path.join(folder(), library + ".toml")


def data_of(library: str) -> bytes | None:
    """The file that describes a library, None when there is none. Raises OSError when it cannot be read."""
    try:
        return __loader__.get_data(path_of(library))  # type: ignore[name-defined, no-any-return]
    except OSError as error:
        if isinstance(error, FileNotFoundError) or not error.errno:  # zipimport gives no reason
            return None
        raise


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
        text = (data_of(library) or b"").decode()
    except OSError:
        return lines
    for line in text.splitlines():
        if line.startswith("["):
            break
        key, _, value = line.partition(" = ")
        if key in HEADER:
            lines[key] = tuple(value.split('"')[1::2])
    return lines
