"""A unified diff of bytes, as `patch -p1` and `git apply` read it."""

from __future__ import annotations

import difflib
import os

__all__ = ["unified"]

_NO_END = b"\n\\ No newline at end of file\n"


def unified(path: str, before: bytes, after: bytes, *, new: bool = False) -> bytes:
    """The diff of one file; empty when nothing changed. Lines end at line feeds, as these programs count.

    new: there is no such file yet.
    """
    name = os.fsencode(_relative(path))
    old = b"/dev/null" if new else b"a/" + name
    lines = difflib.diff_bytes(difflib.unified_diff, _lines(before), _lines(after), old, b"b/" + name)
    return b"".join(line if line.endswith(b"\n") else line + _NO_END for line in lines)


def _lines(data: bytes) -> list[bytes]:
    parts = data.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _relative(path: str) -> str:
    """The path from here, with forward slashes; of one that lies elsewhere, all but its leading slash."""
    here = os.path.relpath(path)
    chosen = path.lstrip("/") if here.startswith(os.pardir) else here
    return chosen.replace(os.sep, "/")
