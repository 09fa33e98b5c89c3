"""Prompts of a run that an agent asked to be taken for a person's (`--agent no`): what holds all the same.

A yes/no question that the policy leaves to a person alone, or denies, is not the agent's to answer. Every other
prompt is the program's own again.
"""

from __future__ import annotations

import sys

from . import ask, identity, question, settling, stdin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["anything_is_held", "held", "is_held"]


def held(prompt: Any, hints: dict[str, Any]) -> Any:
    """The prompt itself where no policy says more; else one that stops where the policy does."""
    if not anything_is_held():
        return prompt
    if prompt is sys.stdin:
        return ask.gated(prompt, hints) if is_held(stdin.asked(hints)) else prompt
    found = identity.find(prompt)
    if found is None and hints.get("kind") is None:
        return prompt
    gated = ask.gated(prompt, hints)

    def decide(*args: Any, **kwargs: Any) -> Any:
        # of several questions in one call, the library alone knows what each one asks
        several = found is not None and found.prompt.questions is not None
        if several or is_held(question.of_call(found, hints, args, kwargs)):
            return gated(*args, **kwargs)
        return prompt(*args, **kwargs)

    decide.__name__ = getattr(prompt, "__name__", "prompt")
    decide.__wrapped__ = prompt  # type: ignore[attr-defined]
    return decide


def is_held(asked: question.Question) -> bool:
    """Whether the policy leaves this question to a person alone, or denies it."""
    trusted = settling.trust()
    if trusted is None or asked.reason is None:
        return False
    return bool(trusted.cannot_be_waived((asked.reason,), "token"))


def anything_is_held() -> bool:
    """Whether the policy says so of any question at all."""
    trusted = settling.trust()
    return trusted is not None and bool(trusted.anything_cannot_be_waived())
