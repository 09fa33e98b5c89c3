"""What a handler may add to the outcome of its run; nothing of it changes what a person sees.

from agentgate import outcome

outcome.changed(True)
outcome.then("ship status", "to see what is deployed")
outcome.failed("not_found", "There is no release 2.", fix="ship releases lists them.")
"""

from __future__ import annotations

import shlex
from typing import Any, NoReturn

from ..runtime import envelope

__all__ = ["Failed", "changed", "failed", "has_changed", "steps", "then"]

_changed: list[bool] = []
_steps: list[dict[str, Any]] = []


class Failed(SystemExit):
    """The run failed, in a way that the program knows: a person sees its sentence, an agent the envelope."""

    def __init__(self, error: str, message: str, hint: str | None, fix: str | None) -> None:
        super().__init__("\n".join(filter(None, [f"Error: {message}", hint, fix])))
        self.error, self.message, self.hint, self.fix = error, message, hint, fix


def changed(value: bool) -> None:
    """Say whether this run changed anything, which an idempotent command tells (`meta.changed`)."""
    _changed.append(value)


def then(command: str | list[str], when: str, params: dict[str, dict[str, Any]] | None = None) -> None:
    """Say what can be done now (`next`).

    command: a command line, or its words; `<name>` stands where a value goes, which params describe by name
    (`description`, and `value`, `default`, `enum`, `required` where they apply). when: in which case to run it.
    """
    argv = shlex.split(command) if isinstance(command, str) else list(command)
    _steps.append(envelope.next_step(argv, when, params))


def failed(code: str, message: str, *, hint: str | None = None, fix: str | None = None) -> NoReturn:
    """End the run as failed, with exit code 1.

    code: a stable word that an agent can branch on. message: one sentence. hint: what may be the reason.
    fix: what repairs it. Raises Failed.
    """
    raise Failed(code, message, hint, fix)


def has_changed() -> bool | None:
    """Whether anything was changed; None when the handler did not say."""
    return any(_changed) if _changed else None


def steps() -> list[dict[str, Any]]:
    """What the handler said can be done now."""
    return list(_steps)
