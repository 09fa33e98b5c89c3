"""File names in reports: any bytes may be in one, and no format may break on them."""

from __future__ import annotations

__all__ = ["printable"]


def printable(text: str) -> str:
    """The text without what a terminal, an XML parser or a strict UTF-8 reader would stumble over."""
    if text.isprintable():
        return text
    return "".join(char if char == "\t" or char.isprintable() else ascii(char)[1:-1] for char in text)
