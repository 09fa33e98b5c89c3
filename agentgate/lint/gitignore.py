"""What git ignores: `.gitignore` files on the way to a path, `.git/info/exclude` and the user's own list.

The last pattern of the nearest file that says anything about a path decides, as in git; what lies in an ignored
folder is ignored. Of the patterns' language (https://git-scm.com/docs/gitignore) a regex is made, a group each.
"""

from __future__ import annotations

import os
import re
from typing import NamedTuple

__all__ = ["Ignored", "repository"]

# what stands behind the path of a folder, and in no path
_FOLDER = "//"
# what a pattern is made of: an escaped character, a set, folders at any depth, all that is in a folder, stars, any
# other character
_PART = r"\\.|\[[!^]?\]?(?:\[:\w+:\]|\\.|[^]\\])*\]|(?<![^/])\*\*+/|/\*\*+\Z|\*+|."
_OF_A_SET = r"\[:\w+:\]|(?:\\.|[^\\])-(?:\\.|[^\\])|\\.|."
# the classes of POSIX, of ASCII characters as in git
_CLASSES = {
    "[:alnum:]": "0-9A-Za-z",
    "[:alpha:]": "A-Za-z",
    "[:blank:]": " \\t",
    "[:cntrl:]": "\\0-\\x1f\\x7f",
    "[:digit:]": "0-9",
    "[:graph:]": "!-~",
    "[:lower:]": "a-z",
    "[:print:]": " -~",
    "[:punct:]": "!-/:-@\\[-`{-~",
    "[:space:]": "\\t-\\r ",
    "[:upper:]": "A-Z",
    "[:xdigit:]": "0-9A-Fa-f",
}


class _Rules(NamedTuple):
    """One file's patterns, the last one first.

    base: the folder that they speak of, without a slash at its end. regex: a group for each. ignores: what each says.
    """

    base: str
    regex: re.Pattern[str]
    ignores: tuple[bool, ...]


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
            found = rules.regex.match(path[len(rules.base) :].replace(os.sep, "/") + _FOLDER * is_folder)
            if found is not None and found.lastindex is not None:
                return rules.ignores[found.lastindex - 1]
        return False


_EVERYTHING = Ignored((_Rules("", re.compile("()"), (True,)),))


def repository(folder: str) -> Ignored | None:
    """The rules above a folder (a real path), whose own are read when it is walked; None outside of any repository."""
    above = [folder]
    while not os.path.exists(os.path.join(above[-1], ".git")):
        parent = os.path.dirname(above[-1])
        if parent == above[-1]:
            return None
        above.append(parent)
    top = above.pop()
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    outer = (_read(os.path.join(home, "git", "ignore"), top), _read(os.path.join(top, ".git", "info", "exclude"), top))
    rules = Ignored(tuple(one for one in outer if one is not None))
    around = top
    for one in reversed(above):
        rules = rules.below(around, True)
        if rules.ignores(one, is_folder=True):
            return _EVERYTHING
        around = one
    return rules


def _read(path: str, base: str) -> _Rules | None:
    try:
        with open(path, encoding="utf-8-sig", errors="surrogateescape") as file:
            lines = file.read().split("\n")
    except OSError:
        return None
    regexes, ignores = [], []
    for line in reversed(lines):
        pattern = line.removeprefix("!")
        regex = None if line.startswith("#") else _regex(pattern)
        if regex is not None:
            regexes.append(f"({regex})")
            ignores.append(pattern == line)
    return _Rules(base.rstrip(os.sep), re.compile("|".join(regexes)), tuple(ignores)) if regexes else None


def _regex(pattern: str) -> str | None:
    """What a pattern means, for paths that begin with a slash and end in _FOLDER where they are one.

    None if it matches nothing.
    """
    pattern = re.sub(r"(\\ )? *\Z", r"\1", pattern, count=1)
    rest = pattern.removesuffix("/")
    where, written = ("", "/" + rest.removeprefix("/")) if "/" in rest else ("/(?:.*/)?", rest)
    parts = [_part(part) for part in re.findall(_PART, written, re.DOTALL)]
    if not rest or None in parts:
        return None
    end = _FOLDER if rest != pattern else f"(?:{_FOLDER})?"
    return f"(?s:{where}{''.join(filter(None, parts))}{end}\\Z)"


def _part(part: str) -> str | None:
    if part in ("[", "\\"):  # nothing closes it, or follows it
        return None
    if part[0] == "*":
        return "(?:[^/]+/)*" if part[-1] == "/" else "[^/]*"
    if part[0] == "/" and part != "/":
        return "/[^/].*"
    if part[0] == "[":
        negated = part[1] in "!^"
        inside = "".join(map(_member, re.findall(_OF_A_SET, part[1 + negated : -1], re.DOTALL)))
        if negated:
            return f"[^/{inside}]"
        return f"(?!/)[{inside}]" if inside else None
    return "[^/]" if part == "?" else re.escape(part[-1])


def _member(member: str) -> str:
    if len(member) > 3 and member[:2] == "[:":
        return _CLASSES.get(member, "")
    bounds = re.sub(r"\\(.)", r"\1", member, flags=re.DOTALL)[::2]
    return "-".join(map(re.escape, bounds if bounds[0] <= bounds[-1] else bounds[0]))
