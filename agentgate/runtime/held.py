"""Prompts of a run that an agent asked to be taken for a person's (`--agent no`): what holds all the same.

A yes/no question that the policy leaves to a person alone, or denies, is not the agent's to answer. Every other
prompt is the program's own again.
"""

from __future__ import annotations

from . import ask, identity, question, settling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["held"]

_REASONS = {"confirm": "confirm", "pause": "proceed"}


def held(prompt: Any, hints: dict[str, Any]) -> Any:
    """The prompt itself where no policy says more; else one that stops where the policy does."""
    trusted = settling.trust()
    found = identity.find(prompt)
    if trusted is None or found is None:
        return prompt
    usual = (hints["reason"],) if hints.get("reason") else tuple(_REASONS.values())
    if not any(trusted.cannot_be_waived((reason,), "token") for reason in usual):
        return prompt
    gated = ask.gated(prompt, hints)

    def decide(*args: Any, **kwargs: Any) -> Any:
        asked = question.of_call(found.prompt, hints, found.args + args, {**found.kwargs, **kwargs})
        reason = asked.reason or _REASONS.get(asked.kind)
        if asked.kind in _REASONS and reason and trusted.cannot_be_waived((reason,), "token"):
            return gated(*args, **kwargs)
        return prompt(*args, **kwargs)

    decide.__name__ = getattr(prompt, "__name__", "prompt")
    decide.__wrapped__ = prompt  # type: ignore[attr-defined]
    return decide
