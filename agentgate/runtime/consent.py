"""A person's go-ahead for one command line."""

from __future__ import annotations

from . import answers, commandline, envelope, mode, stop, token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Consent", "ask", "require_consent"]

_asked: dict[str, int] = {}


class Consent:
    """A consent that was given. `token` is None when none was needed (no agent, or a dry run)."""

    __slots__ = ("assurance", "reasons", "token")

    def __init__(self, reasons: tuple[str, ...], token: str | None, assurance: str) -> None:
        self.reasons, self.token, self.assurance = reasons, token, assurance

    def __repr__(self) -> str:
        return f"Consent(reasons={self.reasons!r}, token={self.token!r}, assurance={self.assurance!r})"


def require_consent(
    reason: str | list[str] | tuple[str, ...],
    message: str | None = None,
    *,
    plan: object = None,
    dry_run: bool = False,
) -> Consent:
    """Let an agent's run go on only with a person's consent to exactly this question.

    reason: one or several short words (`delete`, `cloud:write`). message: one sentence for the person.
    plan: what the consent covers beyond the command line, as text or any JSON value; the token covers
    its digest and the envelope shows it. dry_run: nothing will be done, so nothing is asked.

    Call it in a handler before the effect. For a person, and unattended, it returns at once.
    Raises ActionRequired (exit code 3, `consent_required`) until a valid `--confirm TOKEN` is given.
    """
    reasons = (reason,) if isinstance(reason, str) else tuple(reason)
    if dry_run or not mode.agent_run():
        return Consent(reasons, None, "token")
    return ask(reasons, message or f"This needs a person's consent: {', '.join(reasons)}.", plan)


def ask(
    reasons: tuple[str, ...],
    message: str,
    plan: object = None,
    *,
    question: str | None = None,
    hint: str | None = None,
    inputs: list[dict[str, Any]] | None = None,
    decline: list[str] | None = None,
) -> Consent:
    """The consent itself, on an agent's run: a valid token for this question, or the stop.

    question: what tells this question from others in the same run (the message, if left out).
    hint: what else the envelope shall say. inputs: the question as an entry of `inputs`, when it is one that
    the program asks. decline: the options that answer it with a no.
    """
    stop.refuse_to_go_on()
    answers.load_environment()
    question = question or message
    ordinal = _asked[question] = _asked.get(question, 0) + 1
    expected = token.token(list(reasons), question, ordinal, token.digest_of_plan(plan))
    for given in answers.tokens:
        if token.matches(given, expected):
            if given not in answers.accepted:
                answers.accepted.append(given)
            return Consent(reasons, given, "token")
    stale = [given for given in answers.tokens if given not in answers.accepted]
    stop.stop(
        envelope.build(
            "action_required",
            exit_code=stop.EXIT_CODE,
            code="consent_required",
            reason=",".join(reasons),
            message=message,
            hint=" ".join(filter(None, (hint, _about(stale)))) or None,
            inputs=inputs,
            consent=_present(reasons=list(reasons), token=expected, assurance="token", plan=token.spelled(plan)),
            next=_next_steps(["--confirm", expected], decline),
        )
    )


def _next_steps(agree: list[str], decline: list[str] | None) -> list[dict[str, Any]]:
    params = _resend_params()
    steps = [
        envelope.next_step(commandline.next_argv(options=agree), "once a person has agreed to exactly this", params)
    ]
    if decline:
        steps.append(envelope.next_step(commandline.next_argv(options=decline), "if the person says no", params))
    return steps


def _about(stale: list[str]) -> str | None:
    if not stale:
        return None
    wrong = ", ".join(stale)
    return f"{wrong} is not the token of this question: the command line, an earlier answer or the plan differs."


def _resend_params() -> dict[str, Any] | None:
    """What has to be sent on stdin again, because it may not stand on a command line."""
    return {
        name: {"description": f"the same answer to {name} as before, in the JSON object of --answers", "required": True}
        for name in answers.private_names()
    } or None


def _present(**parts: object) -> dict[str, object]:
    return {key: value for key, value in parts.items() if value is not None}
