"""Answers and consent tokens given ahead (DESIGN section 5): taken in order, never twice."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = [
    "Answer",
    "accepted",
    "carried",
    "give",
    "give_token",
    "given",
    "load_environment",
    "parse",
    "private_names",
    "source",
    "take",
    "tokens",
    "unused_names",
    "used",
]

ANSWERS = "AGENTGATE_ANSWERS"
TOKENS = "AGENTGATE_CONFIRM"
PRIVATE_FD = "AGENTGATE_PRIVATE_FD"


class Answer:
    """One answer: its value (a JSON value), and whether it may be written down again.

    What came by `--answers` is private: it may be a secret, so it is never put on a command line.
    """

    __slots__ = ("private", "value")

    def __init__(self, value: object, private: bool) -> None:
        self.value, self.private = value, private

    def text(self) -> str:
        """The answer as it would have been typed."""
        if self.value is None:
            return ""
        if isinstance(self.value, bool):
            return "yes" if self.value else "no"
        if isinstance(self.value, list):
            return ",".join(map(str, self.value))
        return str(self.value)


tokens: list[str] = []
accepted: list[str] = []  # tokens that were good in this run
used: list[tuple[str, str | None]] = []  # in order; a secret's value is not kept
_waiting: dict[str, list[Answer]] = {}
_given: list[tuple[str, Answer]] = []
_source: str | None = None  # where the private answers came from: a path, or - for stdin
_loaded = False


def give(pairs: Mapping[str, object] | Iterable[tuple[str, object]], *, source: str | None = None) -> None:
    """Add answers by name. source: the file (or `-`) that they came from, which makes them private.

    A list is several answers: for each time the question is asked, or the choices of one question.
    """
    global _source
    for name, value in list(pairs.items() if hasattr(pairs, "items") else pairs):
        for one in value if isinstance(value, list) and value else [value]:
            answer = Answer(one, source is not None)
            _refuse_placeholder(name, answer)
            _given.append((name, answer))
            _waiting.setdefault(name, []).append(answer)
    _source = source or _source


def give_token(token: str) -> None:
    """Add a consent token."""
    if token not in tokens:
        tokens.append(token)


def take(name: str, *, several: bool = False, secret: bool = False) -> Answer | None:
    """The next answer to a question, None when there is none left.

    several: the question takes several choices at once, so a list is one answer. secret: only a private
    answer will do, for what stood on a command line is no secret.
    """
    load_environment()
    waiting = _waiting.get(name)
    if not waiting or (secret and not waiting[0].private):
        return None
    if several:
        answer = Answer([one.value for one in waiting if one.value not in ([], "")], waiting[0].private)
        waiting.clear()
    else:
        answer = waiting.pop(0)
    used.append((name, None if secret else answer.text()))
    return answer


def reject(name: str) -> None:
    """Forget the last answer taken for a question: the library refused it, so no later run needs it."""
    for taken in (used, _given):
        for at in range(len(taken) - 1, -1, -1):
            if taken[at][0] == name:
                del taken[at]
                break


def unused_names() -> list[str]:
    """Names that answers were given for and nothing has asked for yet."""
    return [name for name, waiting in _waiting.items() if waiting]


def carried() -> list[str]:
    """The options that hand all answers and tokens of this run to the next one."""
    load_environment()
    options: list[str] = []
    for name, answer in _given:
        if not answer.private:
            options += ["--answer", f"{name}={answer.text()}"]
    if _source is not None:
        options += ["--answers", _source]
    for token in accepted:
        options += ["--confirm", token]
    return options


def given() -> list[tuple[str, Answer]]:
    """All answers as they were given, in order."""
    return list(_given)


def source() -> str:
    """Where the private answers came from: a path, or `-`."""
    return _source or "-"


def private_names() -> list[str]:
    """The names of the answers that the next run must be sent again."""
    return list(dict.fromkeys(name for name, answer in _given if answer.private))


def load_environment() -> None:
    """Take over what the launcher (or the caller) put into the environment, and take it out of there."""
    global _loaded
    if _loaded:
        return
    _loaded = True
    text, given, descriptor = (os.environ.pop(name, None) for name in (ANSWERS, TOKENS, PRIVATE_FD))
    for token in (given or "").split():
        give_token(token)
    if text:
        give(parse(text, ANSWERS))
    if descriptor:
        with os.fdopen(int(descriptor), encoding="utf-8") as file:
            source, _, document = file.read().partition("\n")
        give(parse(document, source), source=source)


def parse(text: str, where: str) -> dict[str, object]:
    """A JSON object of answers; ends the run with a usage error when it is not one."""
    import json

    from .stop import usage_error

    try:
        document = json.loads(text)
    except ValueError as error:
        usage_error(f"{where} is not JSON: {error}")
    if not isinstance(document, dict):
        usage_error(f'{where} must be a JSON object of answers by name, such as {{"name": "demo"}}')
    return document


def _refuse_placeholder(name: str, answer: Answer) -> None:
    if answer.value == f"<{name}>":
        from .stop import usage_error

        usage_error(f"the answer to {name} is still the placeholder <{name}>: put a value in its place")
