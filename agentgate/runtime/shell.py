"""A shell that reads one command after another: an agent's commands are answers, run in the order they were given.

Behind the last one the shell is left, as a person leaves it. It is not stopped for more: the next run would do again
what the commands so far have done.
"""

from __future__ import annotations

import sys

from . import replay, replies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .identity import Found
    from .question import Question

__all__ = ["commands"]

_READS_LINES = ("use_rawinput", "completekey")


class _Left(Exception):
    """No command is left. Raised by the reader, caught around the loop."""


def commands(prompt: Any, found: Found, asked: Question, args: Any, kwargs: Any) -> Any:
    """Run the shell's loop on the commands that were given ahead. Raises ActionRequired when there is none."""
    shell = getattr(getattr(prompt, "func", prompt), "__self__", None) or args[0]  # a partial, a method, a function
    if not shell.use_rawinput and shell.stdin is not sys.stdin:
        return prompt(*args, **kwargs)  # it reads a script of its own
    waiting = [replies.reply(asked).text()]

    def read(*_: Any) -> str:
        if not waiting and not replies.is_given(asked):
            raise _Left
        return waiting.pop() if waiting else replies.reply(asked).text()

    before = {name: vars(shell)[name] for name in _READS_LINES if name in vars(shell)}
    shell.use_rawinput, shell.completekey = True, None
    try:
        with replay.Swapped(found.prompt.readers, read):
            return prompt(*args, **kwargs)
    except _Left:
        return shell.postloop()
    finally:
        for name in _READS_LINES:
            delattr(shell, name)
        vars(shell).update(before)
