"""From findings to insertions: the callee is wrapped, its text and its arguments are never touched."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from agentgate.lint.check import Site
from agentgate.lint.hints import Written

__all__ = ["Edit", "applied", "wraps"]


class Edit(NamedTuple):
    """Put `text` in place of the characters from start to end (an insertion, when they are the same)."""

    start: int
    end: int
    text: str


def wraps(sites: Iterable[Site], gate: str, encoding: str) -> list[Edit]:
    """The edits that wrap these places in a gate of this name. encoding: the file's own."""
    edits: list[Edit] = []
    for site in sites:
        verb = f"{gate}.later" if site.reference else gate
        hints = "".join(
            f", {name}={value if isinstance(value, Written) else _quoted(value, encoding)}"
            for name, value in site.hints
        )
        edits += [Edit(site.start, site.start, f"{verb}("), Edit(site.end, site.end, f"{hints})")]
    return edits


def applied(text: str, edits: Iterable[Edit]) -> str:
    """The text with these edits made; those at one place in the order given."""
    parts: list[str] = []
    done = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        parts += [text[done : edit.start], edit.text]
        done = edit.end
    return "".join([*parts, text[done:]])


def _quoted(value: str, encoding: str) -> str:
    """A string literal in double quotes, with escapes for what cannot be seen, or that the encoding cannot hold."""
    return f'"{"".join(_character(one, encoding) for one in value)}"'


def _character(one: str, encoding: str) -> str:
    if one in '"\\':
        return f"\\{one}"
    return one if one.isprintable() and one.encode(encoding, "ignore") else ascii(one)[1:-1]
