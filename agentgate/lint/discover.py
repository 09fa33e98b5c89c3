"""Paths to Python files: what a person means by naming a folder.

A folder gives its `*.py` and `*.pyw` files, sorted, without the folders that hold other people's code and without
what git ignores. Links in it are not followed: what one leads to inside the folder is found there anyway, and what
lies outside was not named. So no loop is possible, and no file is met twice.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agentgate.lint.config import EXCLUDED, Config, UsageError
from agentgate.lint.globs import Globs, relative

__all__ = ["EXCLUDED", "Target", "UsageError", "discover"]

_SUFFIXES = (".py", ".pyw")
# made by a build, unless it is a package of that name
_OUTPUT = frozenset({"_build", "build", "dist"})


class Target(NamedTuple):
    """One file to read. problem: why it cannot be; skipped: it is no Python source file of a kind we read."""

    path: str
    problem: str | None = None
    skipped: bool = False


def discover(paths: Sequence[str], config: Config | None = None) -> Iterator[Target]:
    """All files that these paths mean, each once. Raises UsageError, before any file, when a path is missing."""
    config = config or Config()
    for path in paths:
        if not os.path.lexists(path):
            raise UsageError(f"no such file or folder: {path}")
    excluded = Globs(config.exclude)
    several = len(paths) > 1
    seen: set[str] = set()
    for path in paths:
        if config.force_exclude and excluded.matches(relative(path, config.root)):
            continue
        real = os.path.realpath(path)
        for target in _folder(path, real, excluded, config) if os.path.isdir(path) else [_named(path)]:
            if several:
                # no link is followed on the way down, so this is the real path, without asking for it each time
                identity = real + target.path[len(path) :]
                if identity in seen:
                    continue
                seen.add(identity)
            # what lies right here is named as other tools name it: without a folder
            here = path == os.curdir
            yield target._replace(path=target.path.removeprefix(os.path.join(path, ""))) if here else target


def _folder(path: str, real: str, excluded: Globs, config: Config) -> Iterator[Target]:
    if path.endswith(_SUFFIXES) and not os.path.islink(path) and not os.path.isfile(os.path.join(path, "__init__.py")):
        yield Target(path, "is a folder, not a file")
    rules = None
    if config.respect_gitignore:
        from agentgate.lint.gitignore import repository

        rules = repository(real)
    root = relative(real, config.root)
    # a pattern that somebody wrote down is meant
    spared = _OUTPUT.difference(config.exclude[len(EXCLUDED) :]) if config.exclude[: len(EXCLUDED)] == EXCLUDED else ()
    pending = [(path, rules)]
    while pending:
        folder, rules = pending.pop()
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=_name)
        except OSError as error:
            yield Target(folder, f"cannot be opened: {error.strerror}")
            continue
        here = real + folder[len(path) :]
        if rules is not None:
            rules = rules.below(here, any(entry.name == ".gitignore" for entry in entries))
        from_root = "" if excluded.only_names else (root + folder[len(path) :].replace(os.sep, "/") + "/")
        folders = []
        for entry in entries:
            name = entry.name
            is_python = name.endswith(_SUFFIXES)
            is_folder = entry.is_dir(follow_symlinks=False)
            if not (is_folder or (is_python and entry.is_file(follow_symlinks=False))):
                continue
            if name in excluded.names and not (is_folder and name in spared and _is_package(entry.path)):
                continue
            if from_root and excluded.matches_path((from_root + name).removeprefix("./")):
                continue
            if rules is not None and rules.ignores(os.path.join(here, name), is_folder=is_folder):
                continue
            if is_folder:
                folders.append((entry.path, rules))
            else:
                yield Target(entry.path)
        pending += reversed(folders)


def _is_package(folder: str) -> bool:
    return os.path.isfile(os.path.join(folder, "__init__.py"))


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name


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
