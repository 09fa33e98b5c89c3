"""Answers for prompt_toolkit's dialogs: the keys that a person would press in them."""

from __future__ import annotations

from . import question
from .prompt_toolkit import ENTER, PASTE, Asker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from . import answers
    from .identity import Found

__all__ = ["deferred"]

TAB, UP, DOWN, TICK = "\t", "\x1b[A", "\x1b[B", " "


def deferred(prompt: Any, found: Found, asked: question.Question, args: Any, kwargs: Any) -> Any:
    """The dialog's own application, whose `run` methods answer or stop."""
    return _DialogAsker(prompt, found, asked, args, kwargs).object


class _DialogAsker(Asker):
    def __init__(self, prompt: Any, found: Found, asked: question.Question, args: Any, kwargs: Any) -> None:
        self._given = found.given(args, kwargs)
        super().__init__(prompt, found, asked, args, kwargs)

    def _fresh(self) -> tuple[Any, Any]:
        dialog, pipe = super()._fresh()
        dialog.application = dialog  # as a question that holds one would have it
        return dialog, pipe

    def _keys(self, target: Any, reply: answers.Answer) -> str | None:
        """The keys that give the reply and press the right button; None when it is none of the choices."""
        kind, text, entry = self.question.kind, reply.text(), self._found.prompt
        if kind == "confirm":
            return (ENTER if text == self.question.yes else TAB + ENTER) if text else ENTER
        if kind == "pause":
            return ENTER
        if kind in ("text", "secret"):
            if text:
                target.current_buffer.reset()  # the default stands in it
            return (PASTE.format(text) if text else "") + ENTER * 2
        listed = list(self._given.get(entry.choices or "") or ())
        if kind == "choices":
            return self._ticked(listed, reply)
        at = question.index_of(listed, text, entry.shown)
        if at is None:
            return None
        if entry.default is None:  # the choices are buttons
            return TAB * at + ENTER
        return UP * len(listed) + DOWN * at + ENTER + TAB + ENTER

    def _ticked(self, listed: list[Any], reply: answers.Answer) -> str | None:
        wanted = reply.value if isinstance(reply.value, list) else [reply.value] if reply.text() else []
        picked = [question.index_of(listed, str(one), self._found.prompt.shown) for one in wanted]
        if None in picked:
            return None
        before = self._given.get(self._found.prompt.default or "") or ()
        steps = [TICK if (choice[0] in before) != (at in picked) else "" for at, choice in enumerate(listed)]
        return UP * len(listed) + DOWN.join(steps) + TAB + ENTER
