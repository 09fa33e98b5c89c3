"""How a consent is proven, and what the stop says that asks for it.

The only door from the runtime to `agentgate.trust`, which knows the policy and the ledger. A vendored copy has
no such package: there a `token` works as it does without a ledger, and more cannot be proven.
"""

from __future__ import annotations

from . import answers, commandline, envelope, plan, token
from .asked import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    from .asked import Asked

__all__ = ["by_token", "document", "settle", "trust", "unaccepted"]


def settle(asked: Asked) -> Verdict:
    """Whether this question's consent was given, by the proof that the program and the policy want."""
    trusted = trust()
    if trusted is not None:
        verdict: Verdict = trusted.settle(asked)
        return verdict
    if asked.assurance == "token":
        return by_token(asked)
    return Verdict(
        False,
        asked.assurance,
        code="assurance_unavailable",
        message=f"A consent of assurance `{asked.assurance}` needs the installed agentgate: this is a vendored copy.",
        when="once the program runs with the installed agentgate",
    )


def trust() -> ModuleType | None:
    """The package that knows the policy and the ledger; None in a vendored copy."""
    try:
        from ..trust import settle as module
    except ModuleNotFoundError as missing:
        if missing.name != f"{__package__.rpartition('.')[0]}.trust":
            raise
        return None
    return module


def by_token(asked: Asked) -> Verdict:
    """The consent that needs no memory: a token given ahead that fits this question exactly."""
    for given in answers.tokens:
        if token.matches(given, asked.token):
            if given not in answers.accepted:
                answers.accepted.append(given)
            return Verdict(True, "token", given)
    return Verdict(False, "token", asked.token)


def unaccepted() -> list[str]:
    """The tokens given ahead that no question of this run has taken."""
    return [given for given in answers.tokens if given not in answers.accepted]


def document(
    asked: Asked,
    verdict: Verdict,
    *,
    hint: str | None = None,
    inputs: list[dict[str, Any]] | None = None,
    decline: list[str] | None = None,
) -> dict[str, Any]:
    """The envelope of a run that stops for want of this consent."""
    hint = " ".join(filter(None, (hint, verdict.hint or _about(unaccepted()))))
    answers.accepted.extend(one for one in verdict.alive if one not in answers.accepted)
    consent, truncated = _consent(asked, verdict)
    needed = verdict.code == "consent_required"
    return envelope.build(
        "action_required",
        code=verdict.code,
        reason=",".join(asked.reasons),
        message=verdict.message or asked.message,
        hint=hint or None,
        inputs=inputs if needed else None,
        consent=consent if needed else None,
        next=_next_steps(verdict, decline if needed else None),
        meta={"truncated": ["consent.plan"]} if truncated and needed else None,
    )


def _consent(asked: Asked, verdict: Verdict) -> tuple[dict[str, Any], bool]:
    shown, is_cut = plan.cut(asked.plan)
    parts = {"reasons": list(asked.reasons), "token": verdict.token, "assurance": verdict.assurance, "plan": shown}
    if is_cut:
        parts.update(plan_digest=asked.plan_digest, plan_file=verdict.consent.get("plan_file") or _file_of(asked.plan))
    parts.update(verdict.consent if is_cut else {k: v for k, v in verdict.consent.items() if k != "plan_file"})
    return {key: value for key, value in parts.items() if value is not None}, is_cut


def _file_of(whole: Any) -> str | None:
    """The whole plan in a file of its own, where there is no ledger to keep it."""
    import json
    import os
    import tempfile

    try:
        descriptor, path = tempfile.mkstemp(prefix="agentgate-plan-", suffix=".json")
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            json.dump(envelope.without_secrets(whole, "plan"), file, indent=1)
    except OSError:
        return None
    return path


def _next_steps(verdict: Verdict, decline: list[str] | None) -> list[dict[str, Any]]:
    params = {
        # what has to be sent on stdin again, because it may not stand on a command line
        name: {"description": f"the same answer to {name} as before, in the JSON object of --answers", "required": True}
        for name in answers.private_names()
    } or None
    steps = [envelope.next_step(verdict.approve, verdict.when)] if verdict.approve else []
    if verdict.code == "policy_denied":
        return steps
    when = "once a person has agreed to exactly this"
    if verdict.approve:
        when = "once the person has approved it: the same command line again"
    elif not verdict.token:
        when = verdict.when
    agree = ["--confirm", verdict.token] if verdict.token else []
    steps.append(envelope.next_step(commandline.next_argv(options=agree), when, params))
    if decline:
        steps.append(envelope.next_step(commandline.next_argv(options=decline), "if the person says no", params))
    return steps


def _about(stale: list[str]) -> str | None:
    if not stale:
        return None
    wrong = ", ".join(stale)
    return f"{wrong} is not the token of this question: the command line, an earlier answer or the plan differs."
