"""Long lists and logs are cut at a limit; all of it goes to a file that only this user can read.

A handler cuts its own with `limited`. On an agent's run `cut` does it for whatever is too long still: an agent pays for
each line that it reads. A person who asks for JSON gets all of it.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from functools import cache
from typing import Any

from ..runtime import envelope

__all__ = ["ENTRIES", "LIMIT", "LINES", "cut", "limited"]

LIMIT = 20  # entries that `limited` shows
ENTRIES = 200  # of a list, and
LINES = 400  # of a text, above which an agent's document is cut


def limited(entries: Sequence[Any], limit: int = LIMIT, *, last: bool = False) -> dict[str, Any]:
    """A list or log with what a reader needs to know of it.

    limit: how many entries to show. last: the last ones instead of the first, as of a log. Gives `lines` (how many are
    shown), `total`, `truncated`, `full_output` (the path to all of them, when there are more), and `entries`.
    """
    shown = list(entries)
    total = len(shown)
    path = _kept(shown) if total > limit else None
    if path is not None:
        shown = _part(shown, limit, last=last)
    told = {"lines": len(shown), "total": total, "truncated": path is not None, "full_output": path, "entries": shown}
    return {key: value for key, value in told.items() if value is not None}


def cut(data: Any) -> tuple[Any, dict[str, Any] | None]:
    """Data in which no list has more than ENTRIES entries and no text more than LINES lines.

    The first entries of a list stay, and the last lines of a text. Returns it with what is told of the cut
    (`meta.truncated`): the `total` of entries and lines in what was cut, how many of them are `shown`, and the path of
    the `full_output`; None when nothing had to be cut, or the rest cannot be kept.
    """
    counts = [0, 0]
    shorter = _cut(data, counts)
    if not counts[0]:
        return data, None
    path = _kept(data)
    if path is None:
        return data, None
    return shorter, {"total": counts[0], "shown": counts[1], "full_output": path}


def _cut(value: Any, counts: list[int]) -> Any:
    if isinstance(value, dict):
        return {key: _cut(one, counts) for key, one in value.items()}
    if isinstance(value, list):
        if len(value) > ENTRIES:
            _count(counts, len(value), ENTRIES)
        return [_cut(one, counts) for one in value[:ENTRIES]]
    if isinstance(value, str) and value.count("\n") >= LINES:
        lines = value.split("\n")
        total = len(lines) - (lines[-1] == "")
        if total > LINES:
            _count(counts, total, LINES)
            return "\n".join(lines[total - LINES :])
    return value


def _count(counts: list[int], total: int, shown: int) -> None:
    counts[0] += total
    counts[1] += shown


def _part(entries: list[Any], limit: int, *, last: bool) -> list[Any]:
    return entries[len(entries) - limit :] if last else entries[:limit]


def _kept(whole: Any) -> str | None:
    """The path of a file that holds all of it: lines as text, everything else as JSON; None when there can be none."""
    whole = envelope.without_secrets(whole, "data")
    text = whole["text"] if isinstance(whole, dict) and list(whole) == ["text"] else whole
    if isinstance(text, list) and text and all(isinstance(one, str) and "\n" not in one for one in text):
        text = "\n".join(text) + "\n"
    is_text = isinstance(text, str)
    try:
        descriptor, path = tempfile.mkstemp(dir=_folder(), prefix="output-", suffix=".txt" if is_text else ".json")
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            if is_text:
                file.write(text)
            else:
                json.dump(whole, file, indent=1, default=str)
    except (OSError, UnicodeError):
        return None
    return path


@cache
def _folder() -> str:
    """This process's own folder, which nobody else can look into."""
    return tempfile.mkdtemp(prefix="agentgate-")
