"""Assurance `token`: bound to the command line, with no memory of its own. The ledger only keeps record."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ..runtime import settling
from ..runtime.asked import Asked, Verdict
from . import ledger, once, record

__all__ = ["settle"]

T = TypeVar("T")


def settle(asked: Asked, remember: Callable[[Callable[[], str | None]], str | None]) -> Verdict:
    """The verdict of the token alone, once it is recorded (if that can be done)."""
    verdict = settling.by_token(asked)
    if verdict.given:
        remember(lambda: _record_use(asked))
        return verdict
    stale = settling.unaccepted()
    alive: list[str] = []
    verdict.hint = remember(lambda: _record_question(asked, stale, alive))
    verdict.alive = tuple(alive)
    return verdict


def _record_use(asked: Asked) -> None:
    body = record.describe(asked, "token")
    with ledger.writing() as transaction:
        transaction.append("used", subject=asked.digest, key=asked.token, by="token", **body)


def _record_question(asked: Asked, stale: list[str], alive: list[str]) -> str | None:
    """Record that it was asked, and which tokens were refused; what is wrong with those, in a sentence."""
    body = record.describe(asked, "token")
    hints = []
    with ledger.writing() as transaction:
        alive[:] = once.alive(transaction, stale, None) if stale else []
        for given in stale:
            if given in alive:
                continue
            known = list(transaction.rows("key = ? AND event = 'asked'", (given,)))
            why = record.difference(known[-1], asked) if known else None
            hints.append(f"{given} is not the token of this question: {why}." if why else "")
            why = why or "it is no token of this question"
            transaction.append("refused", subject=asked.digest, key=given[:40], why=why, **body)
        transaction.append("asked", subject=asked.digest, key=asked.token, **body)
    return " ".join(filter(None, hints)) or None
