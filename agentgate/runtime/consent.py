"""A person's go-ahead for one command line."""

from __future__ import annotations

from . import answers, envelope, mode, plan, settling, stop, token
from .asked import LEVELS, Asked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Consent", "ask", "require_consent", "this_question"]

_asked: dict[str, int] = {}


class Consent:
    """A consent that was given. `token` is None when none was needed (no agent, a dry run, a policy's `allow`)."""

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
    assurance: str = "token",
    dry_run: bool = False,
    ask_person: bool = False,
) -> Consent:
    """Let an agent's run go on only with a person's consent to exactly this question.

    reason: one or several short words (`delete`, `cloud:write`). message: one sentence for the person.
    plan: what the consent covers beyond the command line, as text, lines or any JSON value; a path object in
    it stands for the content that is there. The token covers its digest and the envelope shows it.
    assurance: how the consent is proven: `token` (bound to the command line), `once` (works a single time and
    expires) or `person` (given in the person's own terminal). A policy may ask for more.
    dry_run: nothing will be done, so nothing is asked. ask_person: ask a person at a terminal too.

    Call it in a handler before the effect. For a person it returns at once, and unattended unless the policy
    refuses that. Raises ActionRequired (exit code 3) until the consent is there; SystemExit (exit code 1) when
    a person who was asked says no; ValueError for an unknown assurance.
    """
    reasons = (reason,) if isinstance(reason, str) else tuple(reason)
    if assurance not in LEVELS:
        raise ValueError(f"assurance is {assurance!r}: use token, once or person")
    if dry_run:
        return Consent(reasons, None, assurance)
    message = message or f"This needs a person's consent: {', '.join(reasons)}."
    if mode.agent_run():
        return ask(reasons, message, plan, assurance=assurance)
    from . import attended

    return attended.go_ahead(reasons, message, plan, assurance, ask_person=ask_person)


def ask(
    reasons: tuple[str, ...],
    message: str,
    plan: object = None,
    *,
    assurance: str = "token",
    question: str | None = None,
    hint: str | None = None,
    inputs: list[dict[str, Any]] | None = None,
    decline: list[str] | None = None,
) -> Consent:
    """The consent itself, on an agent's run: the proof of it for this question, or the stop.

    question: what tells this question from others in the same run (the message, if left out).
    hint: what else the envelope shall say. inputs: the question as an entry of `inputs`, when it is one that
    the program asks. decline: the options that answer it with a no.
    """
    stop.refuse_to_go_on()
    answers.load_environment()
    asked = this_question(reasons, message, plan, assurance, question)
    verdict = settling.settle(asked)
    if verdict.given:
        return Consent(reasons, verdict.token, verdict.assurance)
    stop.stop(settling.document(asked, verdict, hint=hint, inputs=inputs, decline=decline))


def this_question(
    reasons: tuple[str, ...], message: str, of: object, assurance: str, question: str | None = None
) -> Asked:
    """The question with what it is bound to; asked again in the same run, it is another one.

    No secret that the program put into its words is part of it; one in its plan is, as the plan is what counts.
    """
    message, question = envelope.without_secrets(message), envelope.without_secrets(question or message)
    ordinal = _asked[question] = _asked.get(question, 0) + 1
    spelled = plan.spelled(of)
    plan_digest = plan.digest_of_plan(spelled)
    digest = token.digest(list(reasons), question, ordinal, plan_digest)
    return Asked(
        reasons=reasons,
        message=message,
        plan=spelled,
        plan_digest=plan_digest,
        assurance=assurance,
        digest=digest,
        token=digest[: token.LENGTH],
    )
