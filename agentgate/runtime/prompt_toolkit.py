"""Answers for prompts that prompt_toolkit draws: typed into a pipe that stands for the terminal.

Such a prompt is an object that waits in one of its methods (`asks`). It is built on a pipe and an
output that shows nothing, and its methods are replaced on that one object.
"""

from __future__ import annotations

import sys

from . import question, replay, replies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from . import answers
    from .identity import Found

__all__ = ["Asker", "asker_of", "deferred"]

ENTER = "\r"
PASTE = "\x1b[200~{}\x1b[201~"  # bracketed: no character of an answer acts as a key
MARK = "_agentgate_asker"


def deferred(prompt: Any, found: Found, asked: question.Question, args: Any, kwargs: Any) -> Any:
    """The prompt's own object, whose waiting methods answer or stop."""
    asker = Asker(prompt, found, asked, args, kwargs)
    return asker.object


def asker_of(candidate: object) -> Asker | None:
    """The asker behind an object that `deferred` made."""
    return getattr(candidate, MARK, None)


class Asker:
    """One deferred prompt: the object, its question, and how a reply is typed into it."""

    def __init__(self, prompt: Any, found: Found, asked: question.Question, args: Any, kwargs: Any) -> None:
        self.question = asked
        self._found = found
        self._build: Callable[[], Any] = lambda: prompt(*args, **kwargs)
        self.coming: Callable[[], Iterable[question.Question]] = tuple
        self._pipes: list[Any] = []
        self.object, self._pipe = self._fresh()
        self._plain = {name: getattr(self.object, name) for name in found.prompt.asks}
        self._inside = False
        setattr(self.object, MARK, self)
        for name in found.prompt.asks:
            setattr(self.object, name, self._waiting(name))

    @property
    def skips(self) -> bool:
        """Whether the object itself will not ask this time."""
        skipped = self._found.prompt.skipped
        return bool(skipped and getattr(self.object, skipped, False))

    def _fresh(self) -> tuple[Any, Any]:
        from prompt_toolkit.application import create_app_session
        from prompt_toolkit.input import create_pipe_input
        from prompt_toolkit.output import DummyOutput

        self._pipes.append(create_pipe_input())  # it closes the pipe when it is collected
        pipe = self._pipes[-1].__enter__()
        part = replay.Answering(self._found.library.name, self._found.prompt.strategy)
        with part, create_app_session(input=pipe, output=DummyOutput()):
            return self._build(), pipe

    def _waiting(self, name: str) -> Callable[..., Any]:
        plain = self._plain[name]
        if sys.modules["inspect"].iscoroutinefunction(plain):

            async def ask_async(*args: Any, **kwargs: Any) -> Any:
                if self._inside or self.skips:
                    return await plain(*args, **kwargs)
                complaint = ""
                while True:
                    method, refused = self._typed(name, complaint)
                    try:
                        return await self._alone_async(method, args, kwargs)
                    except EOFError:  # all keys were read and it still waits
                        complaint = refused()

            return ask_async

        def ask(*args: Any, **kwargs: Any) -> Any:
            if self._inside or self.skips:
                return plain(*args, **kwargs)
            complaint = ""
            while True:
                method, refused = self._typed(name, complaint)
                try:
                    return self._alone(method, args, kwargs)
                except EOFError:  # all keys were read and it still waits
                    complaint = refused()

        return ask

    def _alone(self, method: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """Call the plain method, which calls its siblings: those must not answer a second time."""
        self._inside = True
        try:
            return method(*args, **kwargs)
        finally:
            self._inside = False

    async def _alone_async(self, method: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        self._inside = True
        try:
            return await method(*args, **kwargs)
        finally:
            self._inside = False

    def _typed(self, name: str, complaint: str) -> tuple[Callable[..., Any], Callable[[], str]]:
        """Type the next reply into a (fresh) object; its method to call, and what it says if that is refused."""
        wrong = ""
        while True:
            reply = replies.reply(self.question, wrong or complaint, self.coming)
            target, pipe = (self.object, self._pipe) if not complaint else self._fresh()
            keys = self._keys(target, reply)
            if keys is not None:
                break
            wrong = f"{reply.text()!r} is not one of {', '.join(self.question.choices or [])}"
            replies.refused(self.question)
        pipe.send_text(keys)
        pipe.close()
        method = self._plain[name] if target is self.object else getattr(target, name)

        def refused() -> str:
            replies.refused(self.question)
            return _complaint(target)

        return method, refused

    def _keys(self, target: Any, reply: answers.Answer) -> str | None:
        """The keys that give the reply; None when it is none of the choices."""
        kind, text = self.question.kind, reply.text()
        if kind == "confirm":
            return text + ENTER
        if kind == "pause":
            return " "
        pointer, selected = self._found.prompt.pointer, self._found.prompt.selected
        control = _control(target, pointer) if pointer else None
        if control is None:
            buffer = target.application.current_buffer
            if text:
                buffer.reset()  # the default stands in it
            enter = "\x1b" + ENTER if buffer.multiline() else ENTER
            return (PASTE.format(text) if text else "") + enter
        if kind == "choices":
            if not isinstance(reply.value, list):
                return ENTER if not text else None
            picked = [_index(control.choices, str(one)) for one in reply.value]
            if None in picked:
                return None
            setattr(control, selected or "", [control.choices[at].value for at in picked if at is not None])
        elif text:
            at = _index(control.choices, text)
            if at is None:
                return None
            setattr(control, pointer or "", at)
        return ENTER


def _control(target: Any, pointer: str) -> Any:
    for window in target.application.layout.find_all_windows():
        if hasattr(window.content, pointer):
            return window.content
    return None


def _index(choices: list[Any], text: str) -> int | None:
    """The choice that a person would call by this text: its title, its value, or its shortcut."""
    usable = [(at, one) for at, one in enumerate(choices) if not one.disabled and one.value is not None]
    for names in (
        [question.text_of(one.title) for _, one in usable],
        [str(one.value) for _, one in usable],
        [str(one.shortcut_key) for _, one in usable],
    ):
        if text in names:
            return usable[names.index(text)][0]
    return None


def _complaint(target: Any) -> str:
    error = getattr(target.application.current_buffer, "validation_error", None)
    return str(error.message) if error is not None else "the answer was not accepted"
