"""Answers for a library that hands each of its questions to a renderer: ours gives the answer.

A question object has a `name`, a `kind`, a `message`, `choices`, a `default`, `ignore` and `validate`, which
raises what it has to say about an answer.
"""

from __future__ import annotations

from .. import label as labels
from . import question, replies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from . import answers
    from .identity import Found

__all__ = ["rendered"]


def rendered(prompt: Any, found: Found, asked: question.Question, args: Any, kwargs: Any) -> Any:
    """Call the prompt with a renderer that answers, or stops with all the questions that are known to come."""
    entry = found.prompt
    given = found.given(args, kwargs)
    theirs = given.get(entry.render or "")
    if theirs is not None and not type(theirs).__module__.startswith(found.library.name + "."):
        return prompt(*args, **kwargs)  # the program's own, or a test's
    listed = [asked]
    if entry.questions is not None:
        given[entry.questions] = listed = list(given.get(entry.questions) or ())
    given[entry.render or ""] = _Renderer(found, asked, listed)
    return found.called(**given)


class _Renderer:
    def __init__(self, found: Found, asked: question.Question, listed: list[Any]) -> None:
        self._kinds = dict(found.prompt.kinds)
        self._asked = None if found.prompt.questions else asked
        self._listed = listed

    def render(self, posed: Any, answers: dict[str, Any] | None = None) -> Any:
        """The answer to one of the library's questions."""
        posed.answers = answers or {}
        if posed.ignore:
            return posed.default
        asked = self._asked or self._question(posed)
        if not asked.choices:
            asked.choices = question.choices_of(posed.choices)
        complaint = ""
        while True:
            reply = replies.reply(asked, complaint, lambda: self._coming(posed))
            try:
                value = _value(posed, asked, reply)
                posed.validate(value)
                return value
            except Exception as error:
                complaint = str(getattr(error, "reason", None) or _refusal(posed, asked, reply))
            replies.refused(asked)

    def _coming(self, posed: Any) -> list[question.Question]:
        at = next((at for at, one in enumerate(self._listed) if one is posed), len(self._listed))
        asked = [self._question(one) for one in self._listed[at + 1 :]]
        return [one for one in asked if not replies.is_given(one)]

    def _question(self, posed: Any) -> question.Question:
        kind = self._kinds.get(posed.kind, "text")
        default, message, choices = (_soon(posed, name) for name in ("default", "message", "choices"))
        return question.Question(
            kind,
            labels.clean(question.text_of(message)),
            name=posed.name or None,
            default=None if kind == "secret" else question.plain(default),
            choices=question.choices_of(choices),
            required=_soon(posed, "ignore") is False,
        )


def _soon(posed: Any, name: str) -> Any:
    """What a question will say, as far as it can without the answers that are still missing."""
    try:
        return getattr(posed, name)
    except Exception:
        return None


def _value(posed: Any, asked: question.Question, reply: answers.Answer) -> Any:
    """The reply as the library's own renderer would return it. Raises ValueError when it is none of the choices."""
    text = reply.text()
    if asked.kind == "confirm":
        return text == asked.yes
    if asked.kind not in ("choice", "choices"):
        return text if text or posed.default is None else posed.default
    listed = list(posed.choices)
    if asked.kind == "choice":
        return _chosen(listed, text) if text else _enter(posed, listed)
    if not text and not isinstance(reply.value, list):
        return list(posed.default or ())
    wanted = reply.value if isinstance(reply.value, list) else [reply.value]
    values = [_chosen(listed, str(one)) for one in wanted]
    return values + [one for one in getattr(posed, "locked", None) or () if one not in values]


def _enter(posed: Any, listed: list[Any]) -> Any:
    chosen = posed.default if posed.default in listed else listed[0]
    return getattr(chosen, "value", chosen)


def _chosen(listed: list[Any], text: str) -> Any:
    at = question.index_of(listed, text)
    if at is None:
        raise ValueError(text)
    return getattr(listed[at], "value", listed[at])


def _refusal(posed: Any, asked: question.Question, reply: answers.Answer) -> str:
    if asked.choices:
        return f"{reply.text()!r} is not one of {', '.join(asked.choices)}"
    return "the answer is not valid" if asked.secret else f"{reply.text()!r} is not a valid {asked.name}"
