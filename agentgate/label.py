"""What a prompt's own words tell: its answer's name, a yes/no question, a pause.

Below both sides, like the catalog: the linter reads labels from source, the runtime from the call,
and both must come to the same name and the same kind.
"""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["YesNo", "clean", "is_leaving", "is_pause", "slug", "visible", "yes_no"]

NAME_LIMIT = 48

_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\-_]"  # terminal sequences
    r"|[\x00-\x08\x0b-\x1f\x7f\x9b]"  # control characters
    r"|[\u200e\u200f\u202a-\u202e\u2066-\u2069]"  # marks that reverse what is shown
)
# rich reads a tag as markup when it starts with a letter, `#`, `/` or `@`, and is not escaped
_MARKUP = re.compile(r"(?<!\\)\[/?(?:[a-z#@/][^\[\]]*)?\]")
_COUNTER = re.compile(r"[\[(]\s*\d+\s*/\s*\d+\s*[\])]")
_ASIDE = re.compile(r"\[[^\[\]]*\]|\((?:default|y\s*/\s*n|yes\s*/\s*no)\b[^()]*\)", re.IGNORECASE)
# [y/N], (yes/no), <Y|n>, y/n, yes/[no]: a word border, then both literals, each perhaps in brackets
_YES_NO = re.compile(
    r"(?<![\w/])[\[(<{]*\s*(?P<yes>yes|y|ye|ja|j|oui|o|si|s)\s*[\])>}]?\s*[/|,]\s*"
    r"[\[(<{]?\s*(?P<no>no|n|nein|non)\s*[\])>}]?\s*(?:[/|,]\s*\w+\s*)*[\])>}]?(?![\w/])",
    re.IGNORECASE,
)
# "Type 'yes' to continue, or 'no' to cancel": only the one word goes on
_TYPE_YES = re.compile(
    r"\b(?:type|enter|write|say|answer)\s+(?:in\s+)?(?P<quote>['\"`]?)(?P<yes>yes|y)(?P=quote)(?!\w)", re.IGNORECASE
)
_PAUSE = re.compile(
    r"^\W*(?:please\s+)?(?:press|hit|push|strike|tap)\b.{0,24}?\b(?:enter|return|key|space|button)\b(?P<rest>.*)$"
    r"|^\W*(?:<?(?:enter|return)>?)\s+to\s+continue\b",
    re.IGNORECASE | re.DOTALL,
)
_PAUSE_FOR_A_VALUE = re.compile(r"\b(?:default|accept|skip|keep|use|select|choose|none|empty)\b", re.IGNORECASE)
_LEAVING = re.compile(r"\b(?:exit|quit|close|leave|finish|end|terminate)\b", re.IGNORECASE)


class YesNo(NamedTuple):
    """The literals of a yes/no question, as its label writes them (those of `[Y/n]` in lower case)."""

    yes: str
    no: str


def clean(text: str, *, markup: bool = False) -> str:
    """A label as a person would read it aloud: no escape codes, no markup, one line, no trailing colon.

    markup: the text is in rich's markup, whose tags nobody sees.
    """
    return " ".join(visible(text, markup=markup).split()).lstrip("> ").rstrip(" :>…").strip()


def visible(text: str, *, markup: bool = False) -> str:
    """A label without what does not show: escape codes, and rich's markup where it is `markup`."""
    text = _ESCAPES.sub("", text)
    return _MARKUP.sub("", text).replace("\\[", "[") if markup else text


def slug(label: str) -> str:
    """The name of an answer: `Project name [demo]: ` becomes `project_name`; empty when nothing is left.

    Of a label of several lines (a menu with its question) the first one that says something counts.
    """
    text = _ASIDE.sub(" ", _YES_NO.sub(" ", _COUNTER.sub(" ", _ESCAPES.sub("", label))))
    lines = ("".join(c if c.isalnum() else " " for c in line).split() for line in text.lower().splitlines())
    name = ""
    for word in next(filter(None, lines), []):
        if name and len(name) + len(word) >= NAME_LIMIT:
            break
        name = f"{name}_{word}" if name else word[:NAME_LIMIT]
    return name


def yes_no(label: str) -> YesNo | None:
    """The literals of a yes/no question (`Delete it? [y/N]`), None when the label asks something else."""
    found = _YES_NO.search(label)
    if found is not None:
        return YesNo(found["yes"].lower(), found["no"].lower())
    typed = _TYPE_YES.search(label)
    return YesNo(typed["yes"], "no") if typed else None


def is_pause(label: str) -> bool:
    """The label only asks for Enter or a key (`Press Enter to continue...`), not for a value."""
    found = _PAUSE.search(clean(label))
    return found is not None and not _PAUSE_FOR_A_VALUE.search(found["rest"] or "")


def is_leaving(label: str) -> bool:
    """The pause only holds the window before the program ends (`Press Enter to exit`)."""
    return bool(_LEAVING.search(label))
