"""A declared option that would prompt, on an agent's run."""

from __future__ import annotations

from . import held, identity, question, replay, replies, stop
from .declaration import MARK
from .mode import agent_run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..catalog import OptionHook

__all__ = ["ask", "refuse_placeholder"]


class _Collected(BaseException):
    """A sibling option would prompt too: carries its question out of the framework."""

    def __init__(self, found: question.Question) -> None:
        self.question = found


_collecting: list[bool] = []


def ask(option: Any, plain: Callable[..., Any], context: Any, library: str, hints: dict[str, Any]) -> Any:
    """Answer the option from what was given, or stop with everything that its command is missing."""
    described = identity.library_of(library)
    hook = described.option if described else None
    if hook is None or not all(map(identity.is_genuine, hook.readers)):
        return plain(context)  # a test runner answers
    asked = question.of_option(option, hook, context, hints)
    if _collecting:
        raise _Collected(asked)
    if not agent_run() and not held.is_held(asked):
        return plain(context)
    if not asked.secret and replay.stdin_in_memory():
        return plain(context)
    return replay.replay(lambda: plain(context), asked, hook.readers, coming=lambda: _siblings(option, context, hook))


def refuse_placeholder(option: Any, parsed: dict[str, Any]) -> None:
    """Refuse a `next` command that was sent back without a value in its `<name>`."""
    if parsed.get(option.name) == f"<{option.name}>":
        stop.usage_error(f"{option.name} is still the placeholder <{option.name}>: put a value in its place")


def _siblings(option: Any, context: Any, hook: OptionHook) -> list[question.Question]:
    """The other options of the command that would prompt in this run: the framework itself is asked which."""
    parameters: Any = context
    for name in hook.siblings.split("."):
        parameters = getattr(parameters, name, ())
    found = []
    _collecting.append(True)
    try:
        for other in parameters:
            if other is option or not getattr(other, MARK, False) or other.name in context.params:
                continue
            try:
                getattr(other, hook.consume)(context, context._agentgate_parsed)
            except _Collected as collected:
                found.append(collected.question)
            except Exception:  # it fails for a reason of its own, which the framework will report in time
                pass
    finally:
        _collecting.pop()
    return [one for one in found if not replies.is_given(one)]
