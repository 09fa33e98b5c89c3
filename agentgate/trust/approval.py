"""A person's answers to questions that wait: found, approved, denied, each as a row of the ledger."""

from __future__ import annotations

from typing import Any, NamedTuple

from . import ledger, record, standing
from .ledger import Row, Transaction

__all__ = ["NotWaiting", "Waiting", "approve", "deny", "find", "waiting"]


class NotWaiting(Exception):
    """There is no question of this ID, or none that waits; the text says which."""


class Waiting(NamedTuple):
    """A question that waits for a person, and until when. answered_by: whose answer made the state."""

    row: Row
    state: str
    expires_at: str
    answered_by: str


def waiting() -> list[Waiting]:
    """All questions that wait for this user. Raises LedgerError."""
    found = []
    with ledger.writing() as transaction:
        now = transaction.moment
        for row in list(transaction.rows("event = 'asked'")):
            if row.body.get("assurance") != "person" or row.body["user"]["uid"] != record.user()["uid"]:
                continue
            there = standing.of(transaction, row, now)
            if there.state == "expired" and there.since is None:
                transaction.append("expired", ref=row.seq, subject=row.subject, why=there.why)
            if there.state in ("pending", "denied", "approved"):
                found.append(_waiting(row, there))
    return found


def find(name: str) -> Waiting:
    """The question of an ID, if it can still be answered. Raises NotWaiting, LedgerError."""
    with ledger.writing() as transaction:
        return _find(transaction, name)


def approve(name: str, **by: Any) -> None:
    """Write down that the person agrees. by: who, and where. Raises NotWaiting, LedgerError."""
    _answer("approved", name, by)


def deny(name: str, **by: Any) -> None:
    """Write down that the person says no. Raises NotWaiting, LedgerError."""
    _answer("denied", name, by)


def _answer(event: str, name: str, by: dict[str, Any]) -> None:
    with ledger.writing(durable=True) as transaction:
        row = _find(transaction, name).row
        transaction.append(event, ref=row.seq, subject=row.subject, key=name, by={**record.user(), **by})


def _find(transaction: Transaction, name: str) -> Waiting:
    for row in transaction.rows("key = ? AND event = 'asked'", (name,)):
        if row.body.get("assurance") != "person" or row.body["user"]["uid"] != record.user()["uid"]:
            continue
        there = standing.of(transaction, row, transaction.moment)
        if there.state in ("used", "expired"):
            when = f" at {there.since.body['time']}" if there.since is not None else ""
            raise NotWaiting(f"the consent {name} {'was used' if there.state == 'used' else 'has expired'}{when}")
        return _waiting(row, there)
    raise NotWaiting(f"no question {name!r} waits for you")


def _waiting(row: Row, there: standing.Standing) -> Waiting:
    return Waiting(row, there.state, standing.expires_at(row, row.body["ttl"]), standing.who(there.since))
