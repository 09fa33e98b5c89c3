"""File names in reports: any bytes may be in one, and no format may break on them."""

from __future__ import annotations

import os

from agentgate.lint.globs import relative

__all__ = ["printable", "uri"]


def printable(text: str) -> str:
    """The text without what a terminal, an XML parser or a strict UTF-8 reader would stumble over."""
    if text.isprintable():
        return text
    return "".join(char if char == "\t" or char.isprintable() else ascii(char)[1:-1] for char in text)


def uri(path: str) -> str:
    """The path as a URI reference: relative to the working directory where it lies in it, else absolute."""
    from urllib.parse import quote

    seen = relative(path, None)
    if seen == ".." or seen.startswith("../"):
        return "file://" + quote(os.fsencode(os.path.abspath(path).replace(os.sep, "/")))
    return quote(os.fsencode(seen))
