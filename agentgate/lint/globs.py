"""File patterns as users of ruff and git write them.

A pattern without a slash speaks of any file or folder of that name; one with a slash of the path from the
configuration file's folder. `*` stops at a slash, `**` does not. What lies in a folder that matches matches too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

__all__ = ["Globs", "relative"]

_SPECIAL = r"\*\*/|/\*\*$|\*\*|\*|\?|\[!?[^\]]+\]|."


def relative(path: str, root: str | None) -> str:
    """A path as seen from a folder (the working directory by default), with slashes."""
    try:
        seen = os.path.relpath(path, root)
    except ValueError:  # another drive
        seen = path
    return seen.replace(os.sep, "/")


class Globs:
    """Some patterns, ready to be used. names: those that are plain names."""

    def __init__(self, patterns: Sequence[str]) -> None:
        cleaned = [pattern.removeprefix("./").rstrip("/") for pattern in patterns]
        self.names = frozenset(one for one in cleaned if not set("/*?[") & set(one))
        rest = [_regex(one) for one in cleaned if one not in self.names and one]
        self._rest = re.compile("|".join(f"(?:{one})" for one in rest)) if rest else None

    @property
    def only_names(self) -> bool:
        """No path has to be looked at."""
        return self._rest is None

    def matches(self, path: str) -> bool:
        """Whether a path (relative, with slashes), or a folder on the way to it, matches."""
        if not self.names.isdisjoint(path.split("/")):
            return True
        return self.matches_path(path)

    def matches_path(self, path: str) -> bool:
        """The same, for a path whose names have been looked at already."""
        return self._rest is not None and self._rest.match(path) is not None


def _regex(pattern: str) -> str:
    parts = []
    for found in re.finditer(_SPECIAL, pattern.lstrip("/"), re.DOTALL):
        part = found[0]
        if part == "**/":
            parts.append("(?:.*/)?")
        elif part in ("/**", "**"):
            parts.append("(?:/.*)?" if part == "/**" else ".*")
        elif part == "*":
            parts.append("[^/]*")
        elif part == "?":
            parts.append("[^/]")
        elif part.startswith("[") and len(part) > 1:
            parts.append(_one_of(part))
        else:
            parts.append(re.escape(part))
    anywhere = "" if "/" in pattern else "(?:.*/)?"
    return f"{anywhere}{''.join(parts)}(?:/.*)?\\Z"


def _one_of(part: str) -> str:
    """`[a-c]` or `[!a]` as a regex; what is no such set is its own text."""
    inside = re.sub(r"[\\\[&~|]", r"\\\g<0>", part[1:-1])
    regex = f"[^{inside[1:]}]" if inside.startswith("!") else f"[{inside}]"
    try:
        re.compile(regex)
    except re.error:
        return re.escape(part)
    return regex
