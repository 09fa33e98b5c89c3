"""`gate(prompt)`: the same prompt, which an agent cannot fall into (DESIGN section 2)."""

from __future__ import annotations

from . import declaration, workers
from .mode import agent_run, waived

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeVar

    F = TypeVar("F")

__all__ = ["Gate", "gate"]

HINTS = ("name", "label", "flag", "kind", "yes", "reason", "choices", "secret")


class Gate:
    """The type of `gate`, so that `gate.later` can stand beside the call."""

    __slots__ = ()

    def __call__(
        self,
        prompt: F,
        /,
        *,
        name: str | None = None,
        label: str | None = None,
        flag: str | None = None,
        kind: str | None = None,
        yes: str | None = None,
        reason: str | None = None,
        choices: Sequence[str] | None = None,
        secret: bool | None = None,
    ) -> F:
        """The prompt itself for a person, and unattended; for an agent one that answers from what was given, or stops.

        prompt: a prompt of the catalog, or `sys.stdin` for a line that answers a printed question and for the
        test whether anybody can be asked; anything else (a test double) is returned as it is, unless `kind`
        says that it is one. name: the answer's name (the label as a slug, if left out). label: what is asked,
        where the call does not say. flag: the program's own option for this value. kind: what it asks for. yes:
        the literal that counts as yes. reason: the consent's reason. choices, secret: what the call does not tell.

        The returned callable raises ActionRequired (exit code 3) where a person would be asked and no
        answer, or no valid consent, was given.
        """
        told_otherwise = False
        if not agent_run() and not declaration.declares(prompt):
            told_otherwise = waived()
            if not told_otherwise:
                return prompt
        hints = _hints(name, label, flag, kind, yes, reason, choices, secret)
        if declaration.declares(prompt):
            return declaration.wrapped(prompt, hints)  # type: ignore[arg-type, return-value]
        from . import ask, held

        gated: F = held.held(prompt, hints) if told_otherwise else ask.gated(prompt, hints)
        return gated

    def later(
        self,
        prompt: F,
        /,
        *,
        name: str | None = None,
        label: str | None = None,
        flag: str | None = None,
        kind: str | None = None,
        yes: str | None = None,
        reason: str | None = None,
        choices: Sequence[str] | None = None,
        secret: bool | None = None,
    ) -> F:
        """A gate for a prompt that is stored or passed on (`reader=gate.later(input)`): it decides at each call."""

        from .later import later

        hints = _hints(name, label, flag, kind, yes, reason, choices, secret)
        return later(prompt, hints)  # type: ignore[return-value]

    def consented(self, flag: F, /) -> F | bool:
        """A program's own `--yes`, where it takes the place of a yes/no question.

        flag: the option's value. For a person, and unattended, it is returned as it is. An agent that types it is
        not a person who agrees: there it counts as not given, so that the question is asked and becomes a consent.
        So it does on an agent's run with `--agent no`, where the policy has consents that this does not waive.
        """
        if not agent_run():
            if not waived():
                return flag
            from .held import anything_is_held

            if not anything_is_held():
                return flag
        from .runners import under_test

        return flag if under_test() else False


def _hints(*given: object) -> dict[str, object]:
    return dict(zip(HINTS, given, strict=True))


gate = Gate()
workers.watch_forks()
