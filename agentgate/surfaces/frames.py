"""What a surface draws: views of a few kinds, made by a handler or derived from its data."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..runtime.envelope import present

__all__ = ["Action", "View", "card", "checks", "derived", "error", "prompt", "qr", "table", "text"]

MOST_COLUMNS = 6
STATES = ("ok", "wait", "failed", "unknown")


class Action(NamedTuple):
    """What a surface may offer beside a view: a label, the command behind it, and what to call it with."""

    label: str
    tool: str
    input: Any = None

    def document(self) -> dict[str, Any]:
        """As a frame carries it."""
        return present({"label": self.label, "tool": self.tool, "input": self.input})


class View(NamedTuple):
    """One view. kind: `table`, `card`, `text`, `qr`, `checks`, `prompt` or `error`. parts: what that kind shows."""

    kind: str
    parts: Mapping[str, Any]
    actions: tuple[Action, ...] = ()

    def document(self) -> dict[str, Any]:
        """As a frame carries it."""
        offered = [one.document() for one in self.actions]
        return {"kind": self.kind, **present(dict(self.parts)), **({"actions": offered} if offered else {})}


def table(
    rows: Iterable[Mapping[str, Any]],
    columns: Mapping[str, str] | Sequence[str] | None = None,
    *,
    title: str | None = None,
    empty: str | None = None,
    actions: Iterable[Action] = (),
) -> View:
    """Rows of cells. columns: their keys, with labels or without; left out, the rows' first six. empty: what to say
    where there are no rows."""
    listed = [dict(row) for row in rows]
    if columns is None:
        columns = list(dict.fromkeys(str(key) for row in listed for key in row))[:MOST_COLUMNS]
    labels = columns if isinstance(columns, Mapping) else {key: _label(key) for key in columns}
    cells = [{key: _cell(row[key]) for key in labels if key in row} for row in listed]
    shown = [{"key": key, "label": label} for key, label in labels.items()]
    return View("table", {"columns": shown, "rows": cells, "title": title, "empty": empty}, tuple(actions))


def card(
    fields: Mapping[str, Any], *, title: str | None = None, state: str | None = None, actions: Iterable[Action] = ()
) -> View:
    """One thing. fields: its labels with their values. state: how it is, in a word."""
    shown = [{"label": label, "value": _cell(value)} for label, value in fields.items()]
    return View("card", {"title": title, "fields": shown, "state": state}, tuple(actions))


def text(lines: str | Iterable[str], *, actions: Iterable[Action] = ()) -> View:
    """Words, as lines."""
    listed = lines.splitlines() if isinstance(lines, str) else [str(line) for line in lines]
    return View("text", {"lines": listed}, tuple(actions))


def qr(text: str, *, caption: str | None = None, actions: Iterable[Action] = ()) -> View:
    """A code to scan."""
    return View("qr", {"text": text, "caption": caption}, tuple(actions))


def checks(
    items: Iterable[tuple[str, str] | tuple[str, str, str]],
    *,
    title: str | None = None,
    actions: Iterable[Action] = (),
) -> View:
    """Things that are looked at: each a label, a state (`ok`, `wait`, `failed`, `unknown`), and a note.

    Raises ValueError for another state.
    """
    shown = []
    for label, state, *note in items:
        if state not in STATES:
            raise ValueError(f"a check is {', '.join(STATES)}, not {state!r}")
        noted = {"note": note[0]} if note else {}
        shown.append({"id": _identifier(label), "label": label, "state": state, **noted})
    return View("checks", {"items": shown, "title": title}, tuple(actions))


def prompt(
    name: str,
    label: str,
    args: Sequence[str],
    answer: str,
    *,
    flag: str | None = None,
    choices: Sequence[str] | None = None,
    secret: bool = False,
) -> View:
    """A question. args: the arguments to run again with the answer. answer: how it goes to them: `word`, `flag`,
    `stdin` or `confirm`. flag: without its dashes."""
    parts = {"name": name, "label": label, "args": list(args), "answer": answer, "flag": flag}
    return View("prompt", {**parts, "choices": list(choices) if choices else None, "secret": secret or None})


def error(code: str, message: str, *, next: str | None = None) -> View:
    """A failure. next: the command that goes on."""
    return View("error", {"code": code, "message": message, "next": next})


def derived(data: Any) -> View:
    """The view of what a command returned, where it chose none."""
    if isinstance(data, dict):
        return _of_object(data)
    if isinstance(data, list) and all(isinstance(one, dict) for one in data):
        return table(data)
    if isinstance(data, list):
        return text(_cell(one) if isinstance(one, str) else json.dumps(one, default=str) for one in data)
    return text("" if data is None else data if isinstance(data, str) else json.dumps(data, default=str))


def _of_object(data: dict[str, Any]) -> View:
    if list(data) == ["text"] and isinstance(data["text"], str):
        return text(data["text"])
    lists = [(key, value) for key, value in data.items() if isinstance(value, list)]
    if len(lists) == 1:
        (key, rows), alone = lists[0], len(data) == 1
        if all(isinstance(one, dict) for one in rows) and (rows or alone):
            return table(rows, title=_label(key))
        if alone:
            return table([{"value": one} for one in rows], {"value": _label(key)}, title=_label(key))
    return card({_label(key): value for key, value in data.items()})


def _cell(value: Any) -> Any:
    """A value as a cell shows it: what is nested is spelled as JSON."""
    return value if value is None or isinstance(value, (str, int, float, bool)) else json.dumps(value, default=str)


def _label(key: str) -> str:
    words = str(key).replace("_", " ").replace("-", " ").strip()
    return words[:1].upper() + words[1:] or str(key)


def _identifier(label: str) -> str:
    return "-".join("".join(one if one.isalnum() else " " for one in label.lower()).split()) or label
