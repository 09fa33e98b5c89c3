"""One consent question as this run puts it, and how it was settled."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["LEVELS", "Asked", "Verdict"]

LEVELS = ("token", "once", "person")


class Asked:
    """A consent question: what the person agrees to, and the proof that the program wants.

    plan: spelled as JSON. digest: of everything that the consent is bound to; the token is its beginning.
    assurance: what the program asks for; a policy may ask for more.
    """

    __slots__ = ("assurance", "digest", "message", "plan", "plan_digest", "reasons", "token")

    def __init__(
        self,
        *,
        reasons: tuple[str, ...],
        message: str,
        plan: Any,
        plan_digest: str | None,
        assurance: str,
        digest: str,
        token: str,
    ) -> None:
        self.reasons, self.message, self.assurance = reasons, message, assurance
        self.plan, self.plan_digest = plan, plan_digest
        self.digest, self.token = digest, token


class Verdict:
    """How a question was settled: the consent was given, or the run stops.

    given: whether the run may go on. assurance: how the consent was or has to be proven. token: the one that
    was accepted, or the one to send. code: the error code of a stop; message: what it says instead of the
    question. consent: what else the envelope's `consent` holds. approve: the command for the person. alive:
    tokens for other questions that the next run must carry.
    """

    __slots__ = ("alive", "approve", "assurance", "code", "consent", "given", "hint", "message", "token", "when")

    def __init__(
        self,
        given: bool,
        assurance: str,
        token: str | None = None,
        *,
        code: str = "consent_required",
        message: str | None = None,
        hint: str | None = None,
        consent: dict[str, Any] | None = None,
        approve: list[str] | None = None,
        when: str = "",
        alive: tuple[str, ...] = (),
    ) -> None:
        self.given, self.assurance, self.token = given, assurance, token
        self.code, self.message, self.hint = code, message, hint
        self.consent, self.approve, self.when, self.alive = consent or {}, approve, when, alive
