"""The modules beside a file: what a wrapper module of the same project hands on under its names.

Found from the folder of the importing file, read only when they may hold a prompt, and kept for the run.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from agentgate.lint import clues
from agentgate.lint.imported import Imports, given, imported, parsed, statements
from agentgate.lint.index import Index
from agentgate.lint.load import Unreadable, load
from agentgate.lint.prefilter import Prefilter
from agentgate.lint.resolve import exports, held
from agentgate.lint.source import read_bindings
from agentgate.lint.values import Values, matter

__all__ = ["Neighbours", "Project", "project"]

Stamp = tuple[int, int]
_FUNCTION = re.compile(rb"\n(?:async )?def (\w+)")
# a name that is, or may be, bound by something else too
_BOUND = re.compile(rb"\n[ \t]*(\w+)[ \t]*[:,=]")
_WORD = re.compile(rb"\w+")


class _Module(NamedTuple):
    """What is known of a file. functions: names that can be nothing else. exports: None until somebody asks."""

    stamp: Stamp
    functions: frozenset[str]
    exports: dict[str, Values] | None = None
    files: frozenset[str] = frozenset()


class Project:
    """What the files of a run export, for one catalog. No syntax tree is kept.

    prefilter, clues: the tests that a file has to pass to be worth a syntax tree.
    standard: the modules of the standard library that matter, as text and in bytes.
    """

    def __init__(self, index: Index) -> None:
        self._index = index
        self.prefilter = Prefilter(index)
        self.clues = clues.build(index)
        self._own = {name.rpartition(".")[2].encode() for name in index.own}
        self._roots = {root.encode() for root in index.handed_on}
        self._modules: dict[str, _Module] = {}
        self.standard = {name: name.encode() for name in index.standard}
        self._words = self.prefilter.words | self.clues.words | {*self.standard.values()}
        # what `_standard_module` found, with the stamp of the file
        self._found: dict[tuple[str, str], tuple[Stamp, dict[str, Values], frozenset[str]]] = {}
        self._reading: set[str] = set()

    def imports(self, data: bytes) -> Imports:
        """The imports of a file, with the words that these tests ask for."""
        return imported(data, self._words)

    def exports(self, path: str, name: str | None) -> tuple[dict[str, Values], frozenset[str]]:
        """The names of a file that hold something of interest, and the files that were read to know.

        name: the only one that is asked for, if so; a function is known without a syntax tree. A module of the
        standard library is found only where it is asked for: nearly every file has one.
        """
        stamp = _stamp(path)
        if stamp is None:
            return {}, frozenset()
        if name in self.standard:
            if self._found.get((path, name), (None,))[0] != stamp:
                self._found[path, name] = (stamp, *self._standard_module(path, name))
            return self._found[path, name][1:]
        known = self._modules.get(path)
        if known is None or known.stamp != stamp:
            known = self._modules[path] = self._looked_at(path, stamp)
        if known.exports is None:
            if name in known.functions or path in self._reading:  # two modules may import one another
                return {}, frozenset({path})
            self._reading.add(path)
            try:
                known = self._modules[path] = self._read(path, known)
            finally:
                self._reading.discard(path)
        return known.exports or {}, known.files

    def keep(self, path: str, exports: dict[str, Values], files: Iterable[str]) -> None:
        """Take over what was learned of a file that had to be read anyway."""
        stamp = _stamp(path)
        if stamp is not None:
            self._modules[path] = _Module(stamp, frozenset(), exports, frozenset({path, *files}))

    def _looked_at(self, path: str, stamp: Stamp) -> _Module:
        """A file by its bytes, which tell of most that they hand on nothing."""
        nothing = _Module(stamp, frozenset(), {}, frozenset({path}))
        try:
            data = load(path)
        except Unreadable:
            return nothing
        imports = self.imports(data)
        if not (
            self._imports_what_matters(data, imports)
            or self.clues.hands_on(data, imports)
            or self.prefilter.may_prompt(data, imports)
        ):
            return nothing
        others = {*_WORD.findall(imports.text), *_BOUND.findall(data), *self._own}
        return _Module(stamp, frozenset(name.decode() for name in _FUNCTION.findall(data) if name not in others))

    def _imports_what_matters(self, data: bytes, imports: Imports) -> bool:
        """An import gives what leads to a prompt, which may be handed on without a use of it."""
        roots = self._roots & imports.words
        if not roots:
            return False
        nodes = [parsed(one) for one in statements(data) if any(root in one for root in roots)]
        names = {name for node in nodes if node is not None for name in given(node)}
        return not (names.isdisjoint(self._index.prompts) and names.isdisjoint(self._index.prefixes))

    def _standard_module(self, path: str, name: str) -> tuple[dict[str, Values], frozenset[str]]:
        """A module of the standard library, as this file imports or finds it."""
        neighbours = Neighbours(self, path)
        values: Values = frozenset()
        if path not in self._reading:
            self._reading.add(path)
            try:
                data = load(path)
                if self.standard[name] in self.imports(data).words:
                    values = held(read_bindings(data), self._index, neighbours, name)
            except Unreadable:
                pass
            finally:
                self._reading.discard(path)
        return {name: values} if matter(values) else {}, frozenset({path, *neighbours.files})

    def _read(self, path: str, known: _Module) -> _Module:
        neighbours = Neighbours(self, path)
        try:
            found = exports(read_bindings(load(path)), self._index, neighbours)
        except Unreadable:
            found = {}
        return known._replace(exports=found, files=frozenset({path, *neighbours.files}))


def _stamp(path: str) -> Stamp | None:
    try:
        info = os.stat(path)
    except OSError:
        return None
    return info.st_mtime_ns, info.st_size


class Neighbours:
    """The project as one file sees it. files: those of it that were read for that file.

    standard_only: see no more of it than the standard library's modules that it hands on.
    """

    def __init__(self, whole: Project, path: str, *, standard_only: bool = False) -> None:
        self._project = whole
        self._standard_only = standard_only
        self._path = os.path.abspath(path)
        self._folder = os.path.dirname(self._path)
        self._listed: dict[str, frozenset[str]] = {}
        self.files: set[str] = set()
        self._found: dict[tuple[str, int], str | None] = {}
        self._exported: dict[tuple[str, str | None], dict[str, Values]] = {}

    def find(self, module: str, level: int) -> str | None:
        """The file that an import means; None when there is none in the project."""
        if (module, level) not in self._found:
            self._found[module, level] = self._find(module, level)
        return self._found[module, level]

    def _find(self, module: str, level: int) -> str | None:
        if not level and module.partition(".")[0] in sys.stdlib_module_names:
            return None
        for folder in self._folders(level):
            path = self._file(folder, module)
            if path is not None:
                return path
            # it may come to be there: a folder changes when something is put into it
            self.files.add(folder)
        return None

    def absolute(self, module: str, level: int) -> str:
        """The full name of what a relative import means; with level 0 and no module, that of the file itself."""
        package: list[str] = []
        folder = self._folder
        while self._has(folder, "__init__.py"):
            folder, name = os.path.split(folder)
            package.insert(0, name)
        if not level:
            stem = os.path.splitext(os.path.basename(self._path))[0]
            return ".".join(package if stem == "__init__" else (*package, stem))
        return ".".join((*package[: len(package) - level + 1], *filter(None, [module])))

    def exports(self, path: str, name: str | None = None) -> dict[str, Values]:
        """The names of a module, found before, that hold something of interest. name: the only one asked for."""
        if self._standard_only and name not in self._project.standard:
            return {}
        if (path, name) not in self._exported:
            self._exported[path, name], files = self._project.exports(path, name)
            self.files |= files
        return self._exported[path, name]

    def keep(self, exports: dict[str, Values]) -> None:
        """Note what the file itself exports, for those that import it."""
        self._project.keep(self._path, exports, self.files)

    def _folders(self, level: int) -> list[str]:
        """Where an import starts: for an absolute one a script's own folder, or that above the outermost package."""
        folder = self._folder
        if level:
            for _ in range(level - 1):
                folder = os.path.dirname(folder)
            return [folder]
        while self._has(folder, "__init__.py"):
            folder = os.path.dirname(folder)
        return [folder]

    def _file(self, folder: str, module: str) -> str | None:
        *packages, last = module.split(".") if module else [""]
        for package in packages:
            if not self._has(folder, package):
                return None
            folder = f"{folder}{os.sep}{package}"
        if last and self._has(folder, f"{last}.py"):
            return f"{folder}{os.sep}{last}.py"
        package_folder = f"{folder}{os.sep}{last}" if last else folder
        if (not last or self._has(folder, last)) and self._has(package_folder, "__init__.py"):
            return f"{package_folder}{os.sep}__init__.py"
        return None

    def _has(self, folder: str, name: str) -> bool:
        """Whether there is such a file or folder; a folder is looked at once for each file that imports from it."""
        listed = self._listed.get(folder)
        if listed is None:
            try:
                listed = _listed_at(folder, os.stat(folder).st_mtime_ns)
            except OSError:
                listed = frozenset()
            self._listed[folder] = listed
        return name in listed


@lru_cache(maxsize=4096)
def _listed_at(folder: str, changed: int) -> frozenset[str]:
    return frozenset(os.listdir(folder))


_projects: list[tuple[Index, Project]] = []


def project(index: Index) -> Project:
    """The project of this run, for a catalog."""
    for known, found in _projects:
        if known is index:
            return found
    _projects.append((index, Project(index)))
    return _projects[-1][1]
