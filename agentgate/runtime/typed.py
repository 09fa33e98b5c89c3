"""Answers for the prompts of prompt_toolkit that wait in the call itself: Enter is typed on an answer put in ahead.

The library's own validation decides; what it says about an answer ends up in the envelope's message.
"""

from __future__ import annotations

import sys

from .. import label as labels
from . import question, replies
from .prompt_toolkit import ENTER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from .identity import Found

__all__ = ["typed"]


def typed(prompt: Any, found: Found, asked: question.Question, args: Any, kwargs: Any) -> Any:
    """Run the prompt on the replies to its question (a coroutine, where the prompt is one)."""
    session: Any = getattr(prompt, "__self__", None)
    if _is_driven(session):
        return prompt(*args, **kwargs)
    if not asked.label and hasattr(session, "message"):
        # said once for all of the session's prompts
        asked.label = labels.clean(question.text_of(session.message))
        asked.name = labels.slug(asked.label) or asked.name
    tries = _tries(session, asked, found.prompt.default, kwargs)
    if sys.modules["inspect"].iscoroutinefunction(prompt):
        return _awaited(prompt, tries, args)
    for filled in tries:
        try:
            with filled:
                return prompt(*args, **filled.kwargs)
        except EOFError:  # all keys were read and it still waits
            pass
    raise AssertionError("a reply or a stop ends the tries")


async def _awaited(prompt: Callable[..., Any], tries: Iterator[_Filled], args: Any) -> Any:
    for filled in tries:
        try:
            with filled:
                return await prompt(*args, **filled.kwargs)
        except EOFError:
            pass
    raise AssertionError("a reply or a stop ends the tries")


def _tries(session: Any, asked: question.Question, default: str | None, kwargs: dict[str, Any]) -> Iterator[_Filled]:
    complaint = ""
    while True:
        text = replies.reply(asked, complaint).text()
        if default is None:  # a single key answers, as in a yes/no question
            yield _Filled(session, text, kwargs)
        else:
            multiline = kwargs.get("multiline", getattr(session, "multiline", False))
            several = multiline() if callable(multiline) else multiline
            filled = {**kwargs, default: text} if text else kwargs
            yield _Filled(session, "\x1b" + ENTER if several else ENTER, filled)
        complaint = _complaint(session, text, kwargs)
        replies.refused(asked)


def _is_driven(session: Any) -> bool:
    """A test types on a pipe of its own: nobody can be made to wait."""
    from prompt_toolkit.application.current import get_app_session
    from prompt_toolkit.input import DummyInput, PipeInput

    typing = session.app.input if session is not None else get_app_session()._input
    return isinstance(typing, (PipeInput, DummyInput)) and (session is not None or typing is not None)


def _complaint(session: Any, text: str, kwargs: dict[str, Any]) -> str:
    """What the prompt's validator says about an answer."""
    from prompt_toolkit.document import Document

    validator = kwargs.get("validator") or getattr(session, "validator", None)
    try:
        if validator is not None:
            validator.validate(Document(text))
    except Exception as error:
        return str(getattr(error, "message", error))
    return "the answer was not accepted"


class _Filled:
    """A prompt with its answer put in and these keys typed, and an output that shows nothing.

    kwargs: the arguments to call it with.
    """

    def __init__(self, session: Any, keys: str, kwargs: dict[str, Any]) -> None:
        self._session = session
        self._keys = keys
        self._open: list[Any] = []
        self.kwargs = kwargs

    def __enter__(self) -> None:
        from prompt_toolkit.application import create_app_session
        from prompt_toolkit.input import create_pipe_input
        from prompt_toolkit.output import DummyOutput

        context = create_pipe_input()
        pipe, screen = context.__enter__(), DummyOutput()
        app_session = create_app_session(input=pipe, output=screen)
        app_session.__enter__()
        self._open = [app_session, context]
        pipe.send_text(self._keys)
        pipe.close()
        if self._session is not None:
            app = self._session.app
            self._before = app.input, app.output, app.renderer.output
            app.input, app.output, app.renderer.output = pipe, screen, screen

    def __exit__(self, *error: object) -> None:
        if self._session is not None:
            app = self._session.app
            app.input, app.output, app.renderer.output = self._before
        for context in self._open:
            context.__exit__(None, None, None)
