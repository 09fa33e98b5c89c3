"""A consent on a run that is no agent's: a person's, nobody's, or that of an agent which was told to be none."""

from __future__ import annotations

import os
import sys

from . import consent, envelope, mode, settling, stop, streams

__all__ = ["at_terminal", "go_ahead"]

_YES = ("y", "yes")


def go_ahead(
    reasons: tuple[str, ...], message: str, plan: object, assurance: str, *, ask_person: bool
) -> consent.Consent:
    """The consent of a run without an agent. Raises as `require_consent` does."""
    if mode.current_agent() is not None:
        asked = consent.this_question(reasons, message, plan, assurance)
        if _holds_all_the_same(asked.assurance, reasons):
            verdict = settling.settle(asked)
            if verdict.given:
                return consent.Consent(reasons, verdict.token, verdict.assurance)
            stop.stop(settling.document(asked, verdict))
    elif not at_terminal():
        _refuse_where_policy_says(reasons)
        return consent.Consent(reasons, None, assurance)
    if ask_person:
        _ask(message, plan)
    return consent.Consent(reasons, None, assurance)


def at_terminal() -> bool:
    """Whether a person may be there: a standard stream is a terminal, or the process has a controlling one."""
    for descriptor in range(3):
        try:
            if os.isatty(descriptor):
                return True
        except OSError:
            pass
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | getattr(os, "O_NOCTTY", 0)))
    except OSError:
        return False
    return True


def _holds_all_the_same(assurance: str, reasons: tuple[str, ...]) -> bool:
    """`--agent no` does not waive what only a person can give, nor what the policy denies."""
    trusted = settling.trust()
    if trusted is None:
        return assurance == "person"
    return bool(trusted.cannot_be_waived(reasons, assurance))


def _refuse_where_policy_says(reasons: tuple[str, ...]) -> None:
    trusted = settling.trust()
    refusal = trusted.refusal_of_the_unattended(reasons) if trusted is not None else None
    if refusal is None:
        return
    streams.say(f"agentgate: {refusal}\n")
    stop.stop(
        envelope.build(
            "action_required",
            code="policy_denied",
            reason=",".join(reasons),
            message=refusal,
            next=[envelope.next_step(trusted.policy_command(), "to see which policy says so")] if trusted else None,
        )
    )


def _ask(message: str, plan: object) -> None:
    """Ask the person at the terminal; ends the run when the answer is not a yes."""
    from .plan import spelled
    from .visible import visible

    for line in _lines(spelled(plan)):
        streams.say(f"  {visible(line)}\n")
    streams.say(f"{visible(message)} [y/N] ")
    if _line_typed().strip().lower() in _YES:
        return
    streams.say("Nothing was done.\n")
    raise SystemExit(1)


def _line_typed() -> str:
    """What the person types: at the terminal, also where a pipe brings the program its data."""
    try:
        if os.isatty(0):
            return sys.stdin.readline() if sys.stdin is not None else ""
        with open("/dev/tty", encoding="utf-8", errors="replace") as terminal:
            return terminal.readline()
    except OSError:
        return ""


def _lines(plan: object) -> list[str]:
    if plan is None:
        return []
    if isinstance(plan, str):
        return plan.splitlines()
    if isinstance(plan, list):
        return [str(one) for one in plan]
    if isinstance(plan, dict):
        return [f"{name}: {value}" for name, value in plan.items()]
    return [str(plan)]
