"""Where a program that imports agentgate says so: the file that lists its dependencies."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Sequence

from agentgate.fix.declare import DISTRIBUTION, SCRIPT_BLOCK, names_it

__all__ = ["DISTRIBUTION", "places_of", "where_to_add"]

_NOT_THE_PROGRAMS = re.compile(r"[-_.](?:dev|tests?|testing|docs?|lint|ci|build|typing)\b", re.IGNORECASE)


def where_to_add(paths: Sequence[str]) -> str | None:
    """The file that should name the distribution, looked for from these paths upwards.

    None when there is none, or when it names it already.
    """
    return next(iter(places_of(paths)), None)


def places_of(paths: Sequence[str]) -> list[str]:
    """The files that list the dependencies of these paths, each once, without those that name it already."""
    found = dict.fromkeys(place for path in paths if (place := _of(path)) is not None)
    return [place for place in found if not names_it(place, _read(place))]


def _of(path: str) -> str | None:
    if os.path.isfile(path) and SCRIPT_BLOCK.search(_read(path).decode("utf-8", "replace")):
        return path
    folder = os.path.abspath(path if os.path.isdir(path) else os.path.dirname(path) or os.curdir)
    while True:
        for name in ("pyproject.toml", "setup.cfg", "setup.py", *_requirements(folder)):
            candidate = os.path.join(folder, name)
            if os.path.isfile(candidate) and _lists_dependencies(candidate):
                return candidate if os.path.isabs(path) else os.path.relpath(candidate)
        parent = os.path.dirname(folder)
        # a repository's root is where its project ends
        if parent == folder or os.path.lexists(os.path.join(folder, ".git")):
            return None
        folder = parent


def _requirements(folder: str) -> list[str]:
    """The files of requirements in a folder: what they are made from first, none that is for developers alone."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    found = [name for name in names if name.startswith("requirements") and name.endswith((".in", ".txt"))]
    found = [name for name in found if not _NOT_THE_PROGRAMS.search(name[12:])]
    return sorted(found, key=lambda name: (len(name.partition(".")[0]), name.endswith(".txt"), name))


def _lists_dependencies(path: str) -> bool:
    name = os.path.basename(path)
    if name == "pyproject.toml":
        try:
            document = tomllib.loads(_read(path).decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            return False
        tool = document.get("tool")
        return "project" in document or (isinstance(tool, dict) and "poetry" in tool)
    if name != "setup.cfg":
        return True
    data = _read(path)
    # beside a setup.py it may hold all but the dependencies
    beside = os.path.exists(os.path.join(os.path.dirname(path), "setup.py"))
    return b"[options]" in data and (b"install_requires" in data or not beside)


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""
