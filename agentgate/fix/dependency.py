"""Where a program that now imports agentgate says so: the file that lists its dependencies."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Sequence

__all__ = ["DISTRIBUTION", "where_to_add"]

DISTRIBUTION = "agentgate-consent"
_SCRIPT_BLOCK = re.compile(rb"^# /// script\s*$", re.MULTILINE)


def where_to_add(paths: Sequence[str]) -> str | None:
    """The file that should name the distribution, looked for from these paths upwards.

    None when there is none, or when it names it already.
    """
    for path in paths:
        found = _of(path)
        if found is not None:
            return found if DISTRIBUTION.encode() not in _read(found) else None
    return None


def _of(path: str) -> str | None:
    if os.path.isfile(path) and _SCRIPT_BLOCK.search(_read(path)):
        return path
    folder = os.path.abspath(path if os.path.isdir(path) else os.path.dirname(path) or os.curdir)
    while True:
        for name in ("pyproject.toml", "setup.cfg", "setup.py", "requirements.txt", "requirements.in"):
            candidate = os.path.join(folder, name)
            if os.path.isfile(candidate) and _lists_dependencies(candidate):
                return os.path.relpath(candidate) if not os.path.isabs(path) else candidate
        parent = os.path.dirname(folder)
        # a repository's root is where its project ends
        if parent == folder or os.path.lexists(os.path.join(folder, ".git")):
            return None
        folder = parent


def _lists_dependencies(path: str) -> bool:
    name = os.path.basename(path)
    if name == "pyproject.toml":
        try:
            document = tomllib.loads(_read(path).decode("utf-8", "replace"))
        except tomllib.TOMLDecodeError:
            return False
        return "project" in document or "poetry" in document.get("tool", {})
    return name != "setup.cfg" or b"[options]" in _read(path)


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""
