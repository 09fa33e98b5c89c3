"""The real prompt, replayed on an answer: its readers are swapped, its output is caught.

So the library's own conversion and validation decide what an answer is worth, and what it says about a
bad one ends up in the envelope's message.
"""

from __future__ import annotations

import sys
from contextvars import ContextVar

from . import replies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from .question import Question

__all__ = ["Answering", "Swapped", "replay", "serves", "stdin_in_memory"]

_answering: ContextVar[tuple[str, str] | None] = ContextVar("agentgate_answering", default=None)


class Answering:
    """While one of a library's prompts is answered here, which may be made of others with the same strategy."""

    def __init__(self, library: str, strategy: str) -> None:
        self._served = (library, strategy)

    def __enter__(self) -> None:
        self._before = _answering.set(self._served)

    def __exit__(self, *_: object) -> None:
        _answering.reset(self._before)


def serves(library: str, strategy: str) -> bool:
    """Whether a prompt is part of one that is being answered in this thread or task."""
    return _answering.get() == (library, strategy)


class _Exhausted(BaseException):
    """The prompt asked again and there is no reply left. Raised through the library, caught here."""


def replay(
    call: Callable[[], Any],
    asked: Question,
    readers: Sequence[str],
    coming: Callable[[], Iterable[Question]] = tuple,
) -> Any:
    """Run the real prompt on the replies to its question, and return what it makes of them.

    call: the real prompt with its arguments. readers: the `module:attribute` places it reads through.
    Raises ActionRequired when there is no reply (left); whatever the prompt itself raises passes.
    """
    import io
    from contextlib import redirect_stderr, redirect_stdout

    complaint = ""
    while True:
        said = io.StringIO()
        reply = replies.reply(asked, complaint, coming)
        lines = [reply.text()] * (2 if asked.repeat else 1)
        before: list[str] = []  # what the library had written at each reading

        def read(*_args: Any, _lines: list[str] = lines, _said: Any = said, _before: Any = before, **_kw: Any) -> str:
            _before.append(_said.getvalue())
            if not _lines:
                raise _Exhausted
            return _lines.pop(0)

        try:
            with Swapped(readers, read), redirect_stdout(said), redirect_stderr(said):
                return call()
        except _Exhausted:
            complaint = _complaint(before)
            replies.refused(asked)


class Swapped:
    """Put one reader in the place of several `module:attribute`s, for a while."""

    def __init__(self, places: Sequence[str], reader: Callable[..., Any]) -> None:
        self._places = places
        self._reader = reader
        self._before: list[tuple[dict[str, Any], str, list[Any]]] = []

    def __enter__(self) -> None:
        from importlib import import_module

        for place in self._places:
            module, _, attribute = place.partition(":")
            namespace = vars(import_module(module))
            self._before.append((namespace, attribute, [namespace[attribute]] if attribute in namespace else []))
            namespace[attribute] = self._reader

    def __exit__(self, *_: object) -> None:
        for namespace, attribute, value in reversed(self._before):
            if value:
                namespace[attribute] = value[0]
            else:
                namespace.pop(attribute, None)


def _complaint(written: list[str]) -> str:
    """The last line that the library wrote between the replies, without its question, asked again."""
    from ..label import clean

    question = written[0]
    since = written[-1][len(question) :].removesuffix(question)
    lines = [line for line in map(clean, since.splitlines()) if line]
    return lines[-1] if lines else ""


def stdin_in_memory() -> bool:
    """Whether stdin is a text buffer that a test put there, so that nobody can be made to wait.

    A missing or closed stdin is none: a prompt there is as stuck as on a terminal.
    """
    stdin = sys.stdin
    if stdin is None or getattr(stdin, "closed", False):
        return False
    try:
        stdin.fileno()
    except (AttributeError, OSError):  # io.UnsupportedOperation is an OSError
        return True
    except ValueError:
        return False
    return False
