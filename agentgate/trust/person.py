"""Assurance `person`: given in the person's own terminal with `agentgate approve ID`, and good for one run.

The envelope holds nothing that an agent could send back. The agent runs the same command line again; what lets
it pass is the person's row in the ledger, which that run takes.
"""

from __future__ import annotations

import secrets

from ..runtime import commandline, settling
from ..runtime.asked import Asked, Verdict
from . import clock, ledger, notify, once, policy, record, standing
from .ledger import Row, Transaction

__all__ = ["approve_command", "settle"]

_BYTES = 4


def settle(asked: Asked, policies: tuple[policy.Policy, ...]) -> Verdict:
    """Take the person's approval of this question, or see that it waits for one. Raises LedgerError, OSError."""
    body = record.describe(asked, "person")
    ttl = policy.ttl(policies)
    with ledger.writing(durable=True) as transaction:
        now = transaction.moment
        subject = standing.subject(asked)
        waiting = None
        # a new question is only asked when the one before is done with, so the last one is the one that counts
        for question in list(transaction.rows("subject = ? AND event = 'asked'", (subject,)))[-1:]:
            found = standing.of(transaction, question, now)
            if found.state == "approved" and found.since is not None:
                by = found.since.body["by"]
                transaction.append("used", ref=question.seq, subject=subject, by=by, **body)
                return Verdict(True, "person")
            if found.state == "expired" and found.since is None:
                transaction.append("expired", ref=question.seq, subject=subject, why=found.why)
            if found.state in ("pending", "denied"):
                waiting = question, found
        if waiting is None:
            name = _new_id(transaction)
            changed = _changed_since_the_approval(transaction, asked, now)
            transaction.append("asked", subject=subject, key=name, ttl=ttl, **body)
        given = settling.unaccepted()
        others = once.alive(transaction, given, subject)
        for _ in set(given) - set(others):
            transaction.append("refused", subject=subject, why="no token stands for a person", **body)
    if waiting is None:
        notify.tell(policy.notify_command(policies), name)
        return _asks(name, clock.stamp(now.wall + ttl), others, changed=changed)
    question, found = waiting
    return _asks(question.key, standing.expires_at(question, question.body["ttl"]), others, denied=found.since)


def approve_command(name: str) -> list[str]:
    """The command line for the person."""
    return [*commandline.launcher()[:-1], "approve", name]


def _asks(
    name: str, expires_at: str, others: list[str], *, denied: Row | None = None, changed: str | None = None
) -> Verdict:
    hint = "Only a person can give this consent, in a terminal of their own: no token or answer stands for it."
    if denied is not None:
        hint = f"{standing.who(denied)} said no to this at {denied.body['time']}. Ask before you try it again. {hint}"
    if changed is not None:
        hint = f"{changed} {hint}"
    return Verdict(
        False,
        "person",
        hint=hint,
        consent={"id": name, "expires_at": expires_at},
        approve=approve_command(name),
        when="for the person, in their own terminal: ask them to run this",
        alive=tuple(others),
    )


def _changed_since_the_approval(transaction: Transaction, asked: Asked, now: clock.Moment) -> str | None:
    """What a person has approved of the same command line, where nothing but the plan is another; in a sentence."""
    for approval in reversed(list(transaction.rows("event = 'approved'"))):
        question = next(transaction.rows("seq = ?", (approval.ref,)))
        state = standing.of(transaction, question, now).state
        if state == "expired":
            break  # and so are all before it
        differences = record.differences(question, asked)
        if state == "approved" and list(differences) == ["plan"]:
            return f"The approval of {question.key} is not for this: {differences['plan']}."
    return None


def _new_id(transaction: Transaction) -> str:
    while True:
        name = secrets.token_hex(_BYTES)
        if not any(transaction.rows("key = ?", (name,))):
            return name
