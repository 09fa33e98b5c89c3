"""Answers for menus: the chosen element of the choices, in the form in which the library returns it."""

from __future__ import annotations

from . import question, replies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .identity import Found

__all__ = ["choose"]


def choose(_prompt: Any, found: Found, asked: question.Question, args: Any, kwargs: Any) -> Any:
    """What the menu would return for the reply; another reply is asked for when it is none of the choices."""
    entry = found.prompt
    offered = found.given(args, kwargs).get(entry.choices or "") or ()
    listed = list(offered.items() if isinstance(offered, dict) else offered)
    wrong = ""
    while True:
        reply = replies.reply(asked, wrong)
        several = reply.value if isinstance(reply.value, list) else [reply.value]
        picked = [question.index_of(listed, str(one), entry.shown) for one in several]
        chosen = [(listed[at], at) for at in picked if at is not None]
        if len(chosen) == len(several) and (asked.kind == "choices" or len(chosen) == 1):
            found_all = [_given(choice, at, entry.gives, entry.shown) for choice, at in chosen]
            return found_all if asked.kind == "choices" else found_all[0]
        wrong = f"{reply.text()!r} is not one of {', '.join(asked.choices or [])}"
        replies.refused(asked)


def _given(choice: Any, at: int, gives: str | None, shown: int | None) -> Any:
    if gives == "index":
        return at
    if gives == "pair":
        return choice, at
    if gives == "value" and isinstance(choice, tuple):
        return choice[1 - (shown or 0)]
    return choice
