"""The stops for whatever else only a person can do or give."""

from __future__ import annotations

from . import answers, commandline, envelope, mode, stop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

__all__ = ["action_required", "require_auth", "stop_for"]


def action_required(
    code: str,
    message: str,
    *,
    next: list[list[str]] | tuple[list[str], ...] = (),
    when: str = "once a person has done what the message says",
    hint: str | None = None,
) -> None:
    """Stop an agent's run for something that only a person can do or give; returns at once for a person.

    code: a stable word that the agent can branch on. next: command lines, as arrays, that go on from
    there; left out, the same command line is run again.
    Raises ActionRequired (exit code 3).
    """
    if mode.agent_run():
        stop_for(code, message, next=list(next), when=when, hint=hint)


def require_auth(message: str, login: list[str] | str | None = None) -> None:
    """Stop an agent's run because a person has to log in first; returns at once for a person.

    login: the command with which the person logs in.
    Raises ActionRequired (exit code 3, `auth_required`).
    """
    if mode.agent_run():
        from shlex import split

        argv = split(login) if isinstance(login, str) else login
        stop_for("auth_required", message, next=[argv] if argv else [], when="for a person to log in")


def stop_for(code: str, message: str, *, next: list[list[str]], when: str, hint: str | None = None) -> NoReturn:
    """The stop of `action_required`, on an agent's run."""
    stop.refuse_to_go_on()
    answers.load_environment()
    stop.stop(
        envelope.build(
            "action_required",
            code=code,
            message=message,
            hint=hint,
            next=[envelope.next_step(argv, when) for argv in next or [commandline.next_argv()]],
        )
    )
