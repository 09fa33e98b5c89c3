"""Whether a consent was given: the policy says which proof it takes, and the ledger remembers.

What the runtime calls. Without a ledger `token` consents still work, with one warning; `once` and `person` refuse.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ..runtime import commandline, streams
from ..runtime.asked import Asked, Verdict
from . import database, files, ledger, policy, policy_files, record

__all__ = ["anything_cannot_be_waived", "cannot_be_waived", "policy_command", "refusal_of_the_unattended", "settle"]

T = TypeVar("T")
NOT_WAIVED = ("person", "deny")  # by `--agent no`

_warned: list[str] = []


def settle(asked: Asked) -> Verdict:
    """Whether this question's consent was given, or what the stop has to say."""
    try:
        policies = policy_files.load()
    except policy_files.PolicyError as error:
        return _denied(asked, f"{error}. Until it is mended, nothing is allowed.", None)
    ruling = _ruling(policies, asked.reasons, asked.assurance)
    if ruling.require == "deny":
        words = ", ".join(asked.reasons)
        return _denied(asked, f"The policy does not allow this ({words}): {ruling.source}.", ruling.source)
    if ruling.require == "allow":
        _remember(lambda: _note("allowed", asked, "allow", by=ruling.source))
        return Verdict(True, "allow")
    if ruling.require == "token":
        from . import tokens

        return tokens.settle(asked, _remember)
    from . import once, person

    prove = once.settle if ruling.require == "once" else person.settle
    try:
        return prove(asked, policies)
    except ledger.Damaged as error:
        return _refused(asked, ruling.require, f"{error}{_moved(error)}")
    except (ledger.LedgerError, files.Unsafe, OSError) as error:
        return _refused(asked, ruling.require, str(error))


def cannot_be_waived(reasons: tuple[str, ...], assurance: str) -> bool:
    """Whether `--agent no` does not help an agent past this consent: a person's own, or one that is denied."""
    try:
        policies = policy_files.load()
    except policy_files.PolicyError:
        return True
    return _ruling(policies, reasons, assurance).require in NOT_WAIVED


def anything_cannot_be_waived() -> bool:
    """Whether some policy asks for that at all, of whatever consent."""
    try:
        policies = policy_files.load()
    except policy_files.PolicyError:
        return True
    return any(one.default in NOT_WAIVED or any(rule.require in NOT_WAIVED for rule in one.rules) for one in policies)


def refusal_of_the_unattended(reasons: tuple[str, ...]) -> str | None:
    """Why a run with nobody there may not pass a consent, None when it may."""
    try:
        ruling = policy.unattended(policy_files.load())
    except policy_files.PolicyError as error:
        return f"{error}. Until it is mended, nothing is allowed."
    if ruling.require == "allow":
        return None
    return f"Nobody is there to agree to this ({', '.join(reasons)}), and {ruling.source} says unattended = deny."


def policy_command() -> list[str]:
    """The command that shows the policies."""
    return [*commandline.launcher()[:-1], "policy", "show"]


def _ruling(policies: tuple[policy.Policy, ...], reasons: tuple[str, ...], assurance: str) -> policy.Ruling:
    return policy.decide(policies, reasons, commandline.program_name(), record.agents(), assurance)


def _denied(asked: Asked, message: str, source: str | None) -> Verdict:
    _remember(lambda: _note("forbidden", asked, "deny", by=source))
    return Verdict(
        False,
        "deny",
        code="policy_denied",
        message=message,
        approve=policy_command(),
        when="to see the policies; only a person can change them",
    )


def _refused(asked: Asked, require: str, problem: str) -> Verdict:
    return Verdict(
        False,
        require,
        code="ledger_unavailable",
        message=f"A consent of assurance `{require}` needs the ledger: {problem}.",
        when="once the ledger can be used",
    )


def _note(event: str, asked: Asked, assurance: str, **more: object) -> None:
    body = record.describe(asked, assurance)
    with ledger.writing() as transaction:
        transaction.append(event, subject=asked.digest, **{**body, **more})


def _remember(write: Callable[[], T]) -> T | None:
    """Write into the ledger if that can be done; else one warning, for the consent does not depend on it."""
    for _ in range(2):
        try:
            return write()
        except ledger.Damaged as error:
            _warn(f"{error}{_moved(error)}")
        except (ledger.LedgerError, files.Unsafe, OSError) as error:
            _warn(str(error))
            break
    return None


def _moved(error: ledger.Damaged) -> str:
    """Move a damaged ledger aside and begin a new one; where it is now, in a clause."""
    try:
        aside = database.move_aside(str(error))
        if aside is None:
            return ""
        with ledger.writing() as transaction:
            transaction.append("started", subject="", after=aside, why=str(error))
    except ledger.LedgerError as again:
        return f", and {again}"
    return f"; it was moved to {aside}, and a new one begun"


def _warn(problem: str) -> None:
    if _warned:
        return
    _warned.append(problem)
    streams.say(f"agentgate: warning: this is not recorded: {problem}\n")
