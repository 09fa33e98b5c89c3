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
    "give_raw",
    "give_token",
    "given",
    "load_environment",
    "parse",
    "private_names",
    "reject",
    "secrets",
    "sources",
    "take",
    "tokens",
    "unused_names",
    "used",
    "waiting",
    "withheld",
    "withhold",
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
        if isinstance(self.value, (list, dict)):
            from json import dumps

            return ",".join(map(str, self.value)) if isinstance(self.value, list) else dumps(self.value)
        return str(self.value)


tokens: list[str] = []
accepted: list[str] = []  # tokens that were good in this run
used: list[tuple[str, str | None]] = []  # in order; a secret's value is not kept
secrets: list[str] = []  # the values of those, so that no message repeats them
withheld: list[str] = []  # names of secrets that were given in the open
_waiting: dict[str, list[Answer]] = {}
_given: list[tuple[str, Answer]] = []
_taken: dict[str, list[Answer]] = {}  # the last one of each name
_sources: list[str] = []  # where the private answers came from: paths, or - for stdin
_raw: list[str] = []  # names of answers that came on stdin by themselves
_loaded = False


def give(pairs: Mapping[str, object] | Iterable[tuple[str, object]], *, source: str | None = None) -> None:
    """Add answers by name. source: the file (or `-`) that they came from, which makes them private.

    A list is several answers: for each time the question is asked, or the choices of one question.
    """
    for name, value in list(pairs.items() if hasattr(pairs, "items") else pairs):
        for one in value if isinstance(value, list) and value else [value]:
            answer = Answer(one, source is not None)
            _refuse_placeholder(name, answer)
            _given.append((name, answer))
            _waiting.setdefault(name, []).append(answer)
    if source is not None and source not in _sources:
        _sources.append(source)


def give_raw(name: str, text: str) -> None:
    """Add an answer that came on stdin by itself: private, until a question that asks for no secret takes it."""
    give({name: text}, source="-")
    _raw.append(name)


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
    if secret:
        withhold(name)
    waiting = _waiting.get(name)
    if not waiting:
        return None
    if several and not isinstance(waiting[0].value, list):
        _taken[name] = list(waiting)
        chosen = [one.value for one in waiting if one.value != ""]
        answer = Answer(chosen or "", waiting[0].private)
        waiting.clear()
    else:
        answer = waiting.pop(0)
        _taken[name] = [answer]
    if name in _raw and not secret:
        _raw.remove(name)
        _sources.remove("-")
        for one in _taken[name]:
            one.private = False
    used.append((name, None if secret else answer.text()))
    if secret:
        secrets.append(answer.text())
    return answer


def reject(name: str) -> None:
    """Forget the last answer taken for a question: it was refused, so no later run needs it."""
    _forget(_taken.pop(name, []))
    for at in range(len(used) - 1, -1, -1):
        if used[at][0] == name:
            del used[at]
            break


def withhold(name: str) -> None:
    """Drop what was given in the open for a secret: it is not used, and not repeated."""
    public = [one for one in _waiting.get(name, ()) if not one.private]
    if public:
        withheld.append(name)
        _waiting[name] = [one for one in _waiting[name] if one.private]
        _forget(public)


def _forget(dropped: list[Answer]) -> None:
    _given[:] = [(name, answer) for name, answer in _given if not any(answer is one for one in dropped)]


def waiting(name: str) -> Answer | None:
    """The answer that the next question of this name will get."""
    load_environment()
    return next(iter(_waiting.get(name, ())), None)


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
    for source in _sources:
        options += ["--answers", source]
    for token in accepted:
        options += ["--confirm", token]
    return options


def given() -> list[tuple[str, Answer]]:
    """All answers as they were given, in order."""
    return list(_given)


def sources() -> list[str]:
    """Where the private answers came from: paths, or `-`."""
    return list(_sources)


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
        # what an option says counts before it, and is not offered a second time
        give([(name, value) for name, value in parse(text, ANSWERS).items() if name not in _waiting])
    if descriptor:
        from .launch import handed_over

        sources, private = handed_over(descriptor)
        _sources.extend(sources)
        give(private, source=_sources[0])


def parse(text: str, where: str) -> dict[str, object]:
    """A JSON object of answers; ends the run with a usage error when it is not one."""
    import json

    from .stop import usage_error

    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        usage_error(f"{where} is not JSON: {error}")
    if not isinstance(document, dict):
        usage_error(f'{where} must be a JSON object of answers by name, such as {{"name": "demo"}}')
    return document


def _refuse_placeholder(name: str, answer: Answer) -> None:
    if answer.value == f"<{name}>":
        from .stop import usage_error

        usage_error(f"the answer to {name} is still the placeholder <{name}>: put a value in its place")
