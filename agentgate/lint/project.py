"""The modules beside a file: what a wrapper module of the same project hands on under its names.

Found from the folder of the importing file, read only when they may hold a prompt, and kept for the run.
"""

from __future__ import annotations

import os
import re
import sys
from functools import lru_cache

from agentgate.lint.clues import clues
from agentgate.lint.index import Index
from agentgate.lint.prefilter import Prefilter, imported
from agentgate.lint.resolve import exports
from agentgate.lint.source import Unreadable, read
from agentgate.lint.values import Values

__all__ = ["Neighbours", "Project", "project"]

Stamp = tuple[int, int]


class Project:
    """What the files of a run export, for one catalog."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._prefilter = Prefilter(index)
        roots = "|".join(map(re.escape, sorted(index.handed_on)))
        # a module may hand on an object or a class without calling it
        self._imports = re.compile(rf"(?:import|from)[ \t]+(?:{roots})\b".encode())
        self._exports: dict[str, tuple[Stamp, dict[str, Values], frozenset[str]]] = {}
        self._reading: set[str] = set()

    def exports(self, path: str) -> tuple[dict[str, Values], frozenset[str]]:
        """The names of a file that hold something of interest, and the files that were read to know."""
        try:
            info = os.stat(path)
        except OSError:
            return {}, frozenset()
        stamp = info.st_mtime_ns, info.st_size
        known = self._exports.get(path)
        if known is not None and known[0] == stamp:
            return known[1], known[2]
        if path in self._reading:
            return {}, frozenset({path})  # two modules that import one another
        self._reading.add(path)
        try:
            found, files = self._read(path)
        finally:
            self._reading.discard(path)
        self._exports[path] = stamp, found, files
        return found, files

    def _read(self, path: str) -> tuple[dict[str, Values], frozenset[str]]:
        neighbours = Neighbours(self, path)
        try:
            with open(path, "rb") as file:
                data = file.read()
            imports = imported(data)
            if not (
                self._imports.search(imports)
                or clues().hands_on(data, imports)
                or self._prefilter.may_prompt(data, imports)
            ):
                return {}, frozenset({path})
            found = exports(read(data), self._index, neighbours)
        except (OSError, Unreadable):
            return {}, frozenset({path})
        return found, frozenset({path, *neighbours.files})


class Neighbours:
    """The project as one file sees it. files: those of it that were read for that file."""

    def __init__(self, whole: Project, path: str) -> None:
        self._project = whole
        self._folder = os.path.dirname(os.path.abspath(path))
        self.files: set[str] = set()
        self._found: dict[tuple[str, int], str | None] = {}
        self._exported: dict[str, dict[str, Values]] = {}

    def find(self, module: str, level: int) -> str | None:
        """The file that an import means; None when there is none in the project."""
        if (module, level) not in self._found:
            self._found[module, level] = self._find(module, level)
        return self._found[module, level]

    def _find(self, module: str, level: int) -> str | None:
        if not level and module.partition(".")[0] in sys.stdlib_module_names:
            return None
        for folder in self._folders(level):
            path = _file(folder, module)
            if path is not None:
                return path
        return None

    def exports(self, path: str) -> dict[str, Values]:
        """The names of a module, found before, that hold something of interest."""
        if path not in self._exported:
            self._exported[path], files = self._project.exports(path)
            self.files |= files
        return self._exported[path]

    def _folders(self, level: int) -> list[str]:
        """Where an import starts: for an absolute one a script's own folder, or that above the outermost package."""
        folder = self._folder
        if level:
            for _ in range(level - 1):
                folder = os.path.dirname(folder)
            return [folder]
        while "__init__.py" in _listed(folder):
            folder = os.path.dirname(folder)
        return [folder]


def _file(folder: str, module: str) -> str | None:
    *packages, last = module.split(".") if module else [""]
    for package in packages:
        if package not in _listed(folder):
            return None
        folder = os.path.join(folder, package)
    if last and f"{last}.py" in _listed(folder):
        return os.path.join(folder, f"{last}.py")
    package_folder = os.path.join(folder, last) if last else folder
    if (not last or last in _listed(folder)) and "__init__.py" in _listed(package_folder):
        return os.path.join(package_folder, "__init__.py")
    return None


@lru_cache(maxsize=4096)
def _listed(folder: str) -> frozenset[str]:
    try:
        return frozenset(os.listdir(folder))
    except OSError:
        return frozenset()


_projects: list[tuple[Index, Project]] = []


def project(index: Index) -> Project:
    """The project of this run, for a catalog."""
    for known, found in _projects:
        if known is index:
            return found
    _projects.append((index, Project(index)))
    return _projects[-1][1]
