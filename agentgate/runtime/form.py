"""Several questions in one call: they are answered one by one, and listed together when some are missing."""

from __future__ import annotations

import sys

from . import identity, question, replay, replies
from .prompt_toolkit import Asker, asker_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

__all__ = ["of_descriptions", "of_questions"]


def of_questions(prompt: Any, found: identity.Found, args: Any, kwargs: Any) -> Any:
    """A form made of questions that are gated themselves, each under its field's name."""
    askers = []
    for name, value in kwargs.items():
        asker = asker_of(value)
        if asker is not None:
            asker.question.name = name
            askers.append(asker)
    for at, asker in enumerate(askers):
        asker.coming = _unanswered(askers[at + 1 :])
    return prompt(*args, **kwargs)


def _unanswered(askers: list[Asker]) -> Callable[[], list[question.Question]]:
    return lambda: [one.question for one in askers if not one.skips and not replies.is_given(one.question)]


def of_descriptions(found: identity.Found, args: Any, kwargs: Any) -> Any:
    """A list of question descriptions (`{"type": …, "name": …}`), which the library turns into prompts.

    The library's own maker is swapped for one that makes gated prompts; the name of a question is told
    by where the library stands in the list.
    """
    entry = found.prompt
    given = found.given(args, kwargs)
    listed = given.pop(entry.questions or "", ())
    descriptions: list[Any] = [listed] if isinstance(listed, dict) else list(listed)
    place = entry.maker or ""
    plain_maker = identity.resolve(place)
    at = -1

    def walk() -> Iterator[Any]:
        nonlocal at
        for at, description in enumerate(descriptions):  # noqa: B007
            yield description

    def maker(kind: str) -> Any:
        made = plain_maker(kind)
        inner = identity.find(made)
        if inner is None:
            return made

        def make(*make_args: Any, **make_kwargs: Any) -> Any:
            asked = question.of_call(inner, {"name": descriptions[at].get("name")}, make_args, make_kwargs)
            asker = Asker(made, inner, asked, make_args, make_kwargs)
            asker.coming = lambda: _described(descriptions[at + 1 :], plain_maker)
            return asker.object

        make.__wrapped__ = made  # type: ignore[attr-defined]  # the library looks at the signature
        return make

    namespace, attribute = vars(sys.modules[place.partition(":")[0]]), place.partition(":")[2]
    namespace[attribute] = maker
    try:
        with replay.Answering(found.library.name, entry.strategy):
            return found.called(**{entry.questions or "": walk()}, **given)
    finally:
        namespace[attribute] = plain_maker


def _described(descriptions: Iterable[Any], maker: Callable[[str], Any]) -> list[question.Question]:
    """The questions that are still to come; one with a condition may not be asked, so it is not required."""
    coming = []
    for description in descriptions:
        inner = identity.find(maker(description.get("type")))
        if inner is None:
            continue
        asked = question.of_call(inner, {"name": description.get("name")}, (), description)
        asked.required = not description.get("when")
        if not replies.is_given(asked):
            coming.append(asked)
    return coming
