"""What a question is answered with: an answer given ahead, a valid consent, or else the stop."""

from __future__ import annotations

from .. import label as labels
from . import answers, commandline, consent, envelope, settling, state, stop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, NoReturn

    from .question import Question

__all__ = ["NO_WORDS", "is_given", "missing", "refused", "reply"]

NO_WORDS = frozenset(("n", "no", "false", "0", "off"))


def reply(asked: Question, complaint: str = "", coming: Callable[[], Iterable[Question]] = tuple) -> answers.Answer:
    """The reply to a question, or the stop when there is none.

    complaint: what the library said about the previous reply. coming: the questions that are known to
    follow, asked for only when the run stops. Raises ActionRequired.
    """
    leaving = asked.kind == "pause" and labels.is_leaving(asked.label)
    if leaving and (state.stopped is None or stop.in_cleanup()):
        return answers.Answer("", private=False)
    stop.refuse_to_go_on()
    if asked.reason is not None:
        return _go_ahead(asked, asked.reason)
    answer = answers.take(asked.name, several=asked.kind == "choices", secret=asked.secret)
    if answer is None:
        missing([asked, *coming()], complaint)
    return answer


def _go_ahead(asked: Question, reason: str) -> answers.Answer:
    """A "no" is taken from an answer; a "yes" only from a person, by a token."""
    hint = None
    given = answers.take(asked.name) if asked.kind == "confirm" else None
    if given is not None:
        if _means_no(given, asked):
            return answers.Answer(asked.no, private=False)
        answers.reject(asked.name)
        hint = f"The answer to {asked.name} was not used: an answer can say no, a yes takes a person's consent."
    message = asked.label or "The program asks for a yes or no."
    consent.ask(
        (reason,),
        message,
        question=f"{asked.name}: {message}",
        hint=hint,
        inputs=[_input(asked)],
        decline=["--answer", f"{asked.name}={asked.no}"] if asked.kind == "confirm" else None,
    )
    return answers.Answer("" if asked.kind == "pause" else asked.yes, private=False)


def _means_no(given: answers.Answer, asked: Question) -> bool:
    """Whether an answer declines; nothing typed is Enter, which takes the default."""
    text = given.text().strip().lower()
    return text in {*NO_WORDS, asked.no.lower()} or (not text and asked.default is False)


def refused(asked: Question) -> None:
    """The library would not take the last answer to this question: no later run needs it."""
    if asked.reason is None:
        answers.reject(asked.name)


def is_given(asked: Question) -> bool:
    """Whether an answer that will do is waiting for this question."""
    waiting = answers.waiting(asked.name)
    if waiting is None:
        return False
    return waiting.private if asked.secret else asked.kind != "confirm" or _means_no(waiting, asked)


def missing(asked: list[Question], complaint: str = "") -> NoReturn:
    """Stop the run for want of answers: all of them are listed, the first one gives the code."""
    first = asked[0]
    for one in asked:
        if one.secret:
            answers.withhold(one.name)
    wanted = [one for one in asked if one.code != "consent_required"]
    extra = [word for one in wanted if one.flag and not one.secret for word in (one.flag, f"<{one.name}>")]
    options = [
        word for one in wanted if not one.flag and not one.secret for word in ("--answer", f"{one.name}=<{one.name}>")
    ]
    carried = answers.carried()
    if any(one.secret for one in wanted) and "--answers" not in carried:
        options += ["--answers", "-"]
    for token in settling.unaccepted():  # its question may come after this one
        options += ["--confirm", token]
    params = {one.name: _param(one) for one in wanted}
    for name in answers.private_names():
        params.setdefault(name, {"description": f"the same answer to {name} as before", "required": True})
    stop.stop(
        envelope.build(
            "action_required",
            code=first.code,
            message=_message(first, complaint),
            hint=_hint(asked),
            inputs=[_input(one) for one in asked],
            next=[envelope.next_step(commandline.next_argv(extra=extra, options=options), _when(wanted), params)],
        )
    )


def _message(first: Question, complaint: str) -> str:
    what = f'"{first.label}"' if first.label else f'A question without a label, named "{first.name}",'
    if first.secret:
        text = f"{what} asks for a secret, which only a person can give."
    else:
        text = f"{what} needs an answer."
    if not complaint or (first.secret and _repeats_a_secret(complaint)):
        return text
    return f"{text} The program said: {complaint}"


def _repeats_a_secret(complaint: str) -> bool:
    heard = complaint.lower()
    return any(word in heard for secret in answers.secrets for word in secret.lower().split())


def _hint(asked: list[Question]) -> str | None:
    unused = [name for name in answers.unused_names() if name not in {one.name for one in asked}]
    parts = []
    if unused:
        parts.append(f"No question so far is named {', '.join(unused)}.")
    for name in dict.fromkeys(answers.withheld):
        parts.append(
            f"What was given for {name} was not used: on a command line or in the environment it is no secret."
        )
    if any(one.secret for one in asked):
        names = ", ".join(f'"{one.name}": "<{one.name}>"' for one in asked if one.secret)
        parts.append(f"Send {{{names}}} as JSON on stdin: a secret is not taken from a command line.")
    return " ".join(parts) or None


def _when(wanted: list[Question]) -> str:
    parts = ["a value in place of each <…>"] if any(not one.secret for one in wanted) else []
    if any(one.kind == "choices" for one in wanted):
        parts.append("an --answer of its own for each of several choices")
    if any(one.secret for one in wanted):
        parts.append("the secrets as a JSON object on stdin")
    return f"with {', '.join(parts)}"


def _input(one: Question) -> dict[str, Any]:
    answer = {"confirm": "confirm", "pause": "confirm", "secret": "stdin"}.get(one.kind, "flag")
    args = {
        "confirm": [],
        "stdin": ["--answers", "-"],
        "flag": [one.flag, f"<{one.name}>"] if one.flag else ["--answer", f"{one.name}=<{one.name}>"],
    }[answer]
    entry = {
        "name": one.name,
        "label": one.label,
        "kind": one.kind,
        "default": one.default,
        "choices": one.choices,
        "secret": one.secret,
        "required": one.required,
        "answer": answer,
        # a flag that says yes is none to give: a yes is a person's
        "flag": None if answer == "confirm" else one.flag or ("--answer" if answer == "flag" else None),
        "args": args,
    }
    return {key: value for key, value in entry.items() if value is not None}


def _param(one: Question) -> dict[str, Any]:
    entry = {
        "description": one.label or one.name,
        "default": one.default,
        "enum": one.choices,
        "required": one.required,
    }
    return {key: value for key, value in entry.items() if value is not None}
