"""What git ignores: `.gitignore` files on the way to a path, `.git/info/exclude` and the user's own list.

The patterns are read by `pathspec`, which is imported where there is one to read. The nearest file that says
anything about a path decides, as in git.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

__all__ = ["Ignored", "repository"]


class _Rules(NamedTuple):
    """One file's patterns. base: the folder that they speak of, with a slash. any: matches if one of them may."""

    base: str
    any: re.Pattern[str]
    spec: GitIgnoreSpec


class Ignored:
    """The rules that hold in one folder, outermost first."""

    def __init__(self, rules: tuple[_Rules, ...] = ()) -> None:
        self._rules = rules

    def below(self, folder: str, has_file: bool) -> Ignored:
        """The rules in a folder further down (a real path). has_file: there is a `.gitignore` in it."""
        read = _read(os.path.join(folder, ".gitignore"), folder) if has_file else None
        return Ignored((*self._rules, read)) if read is not None else self

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Whether git would ignore this real path, given that it does not ignore the folder around it."""
        for rules in reversed(self._rules):
            seen = path[len(rules.base) :].replace(os.sep, "/") + ("/" if is_folder else "")
            if rules.any.match(seen) is None:
                continue
            decided = rules.spec.check_file(seen).include
            if decided is not None:
                return decided
        return False


def repository(folder: str) -> Ignored | None:
    """The rules above a folder that was named (a real path), for what is in it; None outside of any repository.

    What they say of the folder itself does not count: whoever names what git ignores means it.
    """
    above = [folder]
    while not os.path.exists(os.path.join(above[-1], ".git")):
        parent = os.path.dirname(above[-1])
        if parent == above[-1]:
            return None
        above.append(parent)
    top = above[-1]
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    files = [(os.path.join(home, "git", "ignore"), top), (os.path.join(top, ".git", "info", "exclude"), top)]
    # the folder's own file is read when it is walked
    files += [(os.path.join(one, ".gitignore"), one) for one in reversed(above[1:])]
    read = (_read(path, base, folder) for path, base in files)
    return Ignored(tuple(one for one in read if one is not None))


def _read(path: str, base: str, named: str | None = None) -> _Rules | None:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read().splitlines()
    except OSError:
        return None
    return _compiled(lines, os.path.join(base, ""), named)


def _compiled(lines: Sequence[str], base: str, named: str | None) -> _Rules | None:
    if not any(line.strip() and not line.startswith("#") for line in lines):
        return None
    from pathspec import GitIgnoreSpec

    patterns = _spec(lines).patterns
    if named is not None:
        seen = os.path.join(named, "")[len(base) :].replace(os.sep, "/")
        patterns = [pattern for pattern in patterns if pattern.match_file(seen) is None]
    found = [getattr(pattern, "regex", None) for pattern in patterns]
    regexes = [regex.pattern for regex in found if regex is not None]
    # groups have names that may stand in a regex only once
    together = "|".join(re.sub(r"\(\?P<\w+>", "(?:", regex) for regex in regexes)
    return _Rules(base, re.compile(together), GitIgnoreSpec(patterns)) if regexes else None


def _spec(lines: Sequence[str]) -> GitIgnoreSpec:
    """The patterns of a file; a line that is none matches nothing, as in git."""
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(lines)
    except (ValueError, re.error):
        return GitIgnoreSpec.from_lines([line for line in lines if _is_pattern(line)])


def _is_pattern(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except (ValueError, re.error):
        return False
    return True
