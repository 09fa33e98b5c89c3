"""Paths to Python files: what a person means by naming a folder.

A folder gives its `*.py` and `*.pyw` files, sorted, without the folders that hold other people's code. Links in
it are not followed: what one leads to inside the folder is found there anyway, and what lies outside was not
named. So no loop is possible, and no file is met twice.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from typing import NamedTuple

__all__ = ["EXCLUDED", "Target", "UsageError", "discover"]

EXCLUDED = frozenset(
    {".bzr", ".direnv", ".eggs", ".git", ".git-rewrite", ".hg", ".ipynb_checkpoints", ".mypy_cache", ".nox", ".pants.d"}
    | {".pyenv", ".pytest_cache", ".pytype", ".ruff_cache", ".svn", ".tox", ".venv", ".vscode", "__pycache__"}
    | {"__pypackages__", "_build", "buck-out", "build", "dist", "node_modules", "site-packages", "venv"}
)
_SUFFIXES = (".py", ".pyw")


class UsageError(Exception):
    """The command line names something that is not there."""


class Target(NamedTuple):
    """One file to read. problem: why it cannot be; skipped: it is no Python source file of a kind we read."""

    path: str
    problem: str | None = None
    skipped: bool = False


def discover(paths: Sequence[str]) -> Iterator[Target]:
    """All files that these paths mean, each once. Raises UsageError, before any file, when a path is missing."""
    for path in paths:
        if not os.path.lexists(path):
            raise UsageError(f"no such file or folder: {path}")
    seen: set[str] = set()
    for path in paths:
        real = os.path.realpath(path)
        for target in _folder(path) if os.path.isdir(path) else [_named(path)]:
            # no link is followed on the way down, so this is the real path, without asking for it each time
            identity = real + target.path[len(path) :]
            if identity not in seen:
                seen.add(identity)
                yield target


def _folder(path: str) -> Iterator[Target]:
    if path.endswith(_SUFFIXES) and not os.path.islink(path) and not os.path.isfile(os.path.join(path, "__init__.py")):
        yield Target(path, "is a folder, not a file")
    pending = [path]
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            yield Target(folder, f"cannot be opened: {error.strerror}")
            continue
        folders = []
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in EXCLUDED:
                    folders.append(entry.path)
            elif entry.name.endswith(_SUFFIXES) and entry.is_file(follow_symlinks=False):
                yield Target(entry.path)
        pending += reversed(folders)


def _named(path: str) -> Target:
    """A file that was named itself: also one without a suffix, or with a `python` line at its head."""
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        return Target(path, f"cannot be opened: {error.strerror}")
    if not stat.S_ISREG(mode):
        return Target(path, "is not a regular file")
    suffix = os.path.splitext(path)[1]
    return Target(path, skipped=suffix not in _SUFFIXES and suffix != "" and not _runs_python(path))


def _runs_python(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            first = file.readline(200)
    except OSError:
        return False
    return first.startswith(b"#!") and b"python" in first
