"""A unified diff of bytes, as `patch -p1` and `git apply` read it."""

from __future__ import annotations

import difflib
import os
import re

__all__ = ["unified"]

_NO_END = b"\n\\ No newline at end of file\n"
# bytes that a name is quoted for
_QUOTED = re.compile(rb'[\x00-\x1f\x7f"\\]')


def unified(path: str, before: bytes, after: bytes, *, new: bool = False) -> bytes:
    """The diff of one file; empty when nothing changed. Lines end at line feeds, as these programs count.

    new: there is no such file yet.
    """
    name = os.fsencode(_relative(path))
    old = b"/dev/null" if new else _header(b"a/" + name)
    lines = difflib.diff_bytes(difflib.unified_diff, _lines(before), _lines(after), old, _header(b"b/" + name))
    return b"".join(line if line.endswith(b"\n") else line + _NO_END for line in lines)


def _header(name: bytes) -> bytes:
    """A name as git writes it: where it would not end with the line in quotes, and behind a blank with a tab."""
    if _QUOTED.search(name):
        return b'"' + _QUOTED.sub(lambda found: b"\\%03o" % found[0][0], name) + b'"'
    return name + b"\t" if b" " in name else name


def _lines(data: bytes) -> list[bytes]:
    parts = data.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _relative(path: str) -> str:
    """The path from here, with forward slashes; of one that lies elsewhere, all but its leading slash."""
    here = os.path.relpath(path)
    chosen = path.lstrip("/") if here.startswith(os.pardir) else here
    return chosen.replace(os.sep, "/")
