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


def wraps(sites: Iterable[Site], gate: str) -> list[Edit]:
    """The edits that wrap these places in a gate of this name."""
    edits: list[Edit] = []
    for site in sites:
        verb = f"{gate}.later" if site.reference else gate
        hints = "".join(
            f", {name}={value if isinstance(value, Written) else _quoted(value)}" for name, value in site.hints
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


def _quoted(value: str) -> str:
    """A string literal in double quotes, which any encoding can hold."""
    plain = ascii(value)[1:-1].replace("\\'", "'").replace('"', '\\"') if not value.isprintable() else value
    return '"' + (plain if plain != value else value.replace("\\", "\\\\").replace('"', '\\"')) + '"'
