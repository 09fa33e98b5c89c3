"""Where a recorded question stands: what the rows that refer to it say, and the clock."""

from __future__ import annotations

import os
from typing import NamedTuple

from ..runtime import answers
from ..runtime.asked import Asked
from ..runtime.plan import canonical
from . import clock, database, keyed, record
from .ledger import Row, Transaction

__all__ = ["Standing", "expires_at", "of", "subject", "who"]


class Standing(NamedTuple):
    """state: `pending`, `approved`, `denied`, `used` or `expired`. since: the row that made it so, if one did."""

    state: str
    since: Row | None
    why: str | None = None


def of(transaction: Transaction, question: Row, now: clock.Moment) -> Standing:
    """Where a question of assurance `once` or `person` stands."""
    answered = None
    for row in transaction.rows("ref = ?", (question.seq,)):
        if row.event in ("used", "expired"):
            return Standing(row.event, row)
        if row.event in ("approved", "denied"):
            answered = row
    # an approval lasts as long as a question, from when it was given
    began = answered if answered is not None and answered.event == "approved" else question
    over = clock.is_over(clock.Moment(*began.body["moment"]), question.body["ttl"], now)
    if over:
        return Standing("expired", None, over)
    return Standing(answered.event if answered else "pending", answered)


def expires_at(row: Row, ttl: int) -> str:
    """When what began with a row ends."""
    return clock.stamp(row.body["moment"][0] + ttl)


def who(answer: Row | None) -> str:
    """Who gave an answer: `agentgate approve --deny` is open to an agent too."""
    return "An agent" if answer is not None and answer.body["by"].get("agent") else "A person"


def subject(asked: Asked) -> str:
    """The digest of all that a consent of assurance `once` or `person` is bound to.

    Besides the question itself: the secrets that were used before it, the user, and this very ledger, so that
    a copy of it proves nothing. Raises Unavailable.
    """
    from hashlib import sha256

    path, _ = database.paths()
    try:
        found = os.stat(path)
    except OSError as error:
        raise database.Unavailable(f"the ledger cannot be used: {error.strerror}") from None
    bound = [asked.digest, keyed.digest(canonical(answers.secrets)), record.user()["uid"], found.st_dev, found.st_ino]
    return sha256(canonical(bound).encode("ascii")).hexdigest()
