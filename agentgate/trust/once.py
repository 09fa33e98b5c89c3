"""Assurance `once`: a random token that works a single time, for this user, until it expires.

It is taken in the transaction that writes the row of its use, before the consent returns: of many processes that
come with it one finds it unused, and a process that is killed has either not taken it or left the row.
"""

from __future__ import annotations

import secrets

from ..runtime import settling
from ..runtime.asked import Asked, Verdict
from . import clock, keyed, ledger, policy, record, standing
from .ledger import Row, Transaction

__all__ = ["alive", "settle"]

_BYTES = 6  # 12 hex characters; each try is a run, and each wrong one a row


def settle(asked: Asked, policies: tuple[policy.Policy, ...]) -> Verdict:
    """Take a token that was given for this question, or record it with a new one. Raises LedgerError, OSError."""
    body = record.describe(asked, "once")
    ttl = policy.ttl(policies)
    with ledger.writing(durable=True) as transaction:
        now = transaction.moment
        subject = standing.subject(asked)
        given = settling.unaccepted()
        hints = []
        for token in given:
            question = _question(transaction, token)
            why = _refusal(transaction, question, subject, asked, now)
            if question is not None and why is None:
                transaction.append("used", ref=question.seq, subject=subject, by="token", **body)
                return Verdict(True, "once", token)
            if why is not None:
                hints.append(f"{token[:40]} {why}.")
                ref = question.seq if question else None
                transaction.append("refused", ref=ref, subject=subject, why=why, **body)
        token = secrets.token_hex(_BYTES)
        transaction.append("asked", subject=subject, key=_key(token), ttl=ttl, **body)
        others = alive(transaction, given, subject)
    return Verdict(
        False,
        "once",
        token,
        hint=" ".join(hints) or None,
        consent={"expires_at": clock.stamp(now.wall + ttl)},
        alive=tuple(others),
    )


def alive(transaction: Transaction, given: list[str], subject: str | None) -> list[str]:
    """Those of the tokens that are still good, for other questions of this run."""
    now = transaction.moment
    found = []
    for token in given:
        question = _question(transaction, token)
        if question is None or question.subject == subject:
            continue
        if standing.of(transaction, question, now).state == "pending":
            found.append(token)
    return found


def _question(transaction: Transaction, token: str) -> Row | None:
    for row in transaction.rows("key = ? AND event = 'asked'", (_key(token),)):
        return row
    return None


def _refusal(
    transaction: Transaction, question: Row | None, subject: str, asked: Asked, now: clock.Moment
) -> str | None:
    """Why a token does not count, in a clause; None when it does, or when it may be meant for another question."""
    if question is None:
        return "is no token that was issued for a single use"
    found = standing.of(transaction, question, now)
    if found.state == "used":
        return f"was used already, at {found.since.body['time'] if found.since else 'another time'}"
    if found.state == "expired":
        if found.since is None:
            transaction.append("expired", ref=question.seq, subject=question.subject, why=found.why)
        return f"has {found.why}" if found.why == "expired" or found.why is None else f"is {found.why}"
    if question.subject == subject:
        return None
    return f"is not the token of this question: {record.difference(question, asked) or 'it was asked elsewhere'}"


def _key(token: str) -> str:
    return keyed.digest(f"once {token}")
