"""The ledger: every question, consent, refusal and use, in rows that are chained by their hashes."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, NamedTuple

from . import clock, database
from .database import Damaged, LedgerError, Unavailable
from .head import START, End, Head, HeadError

__all__ = ["EVENTS", "Damaged", "Ledger", "LedgerError", "Row", "Transaction", "Unavailable", "chained"]

EVENTS = ("started", "asked", "approved", "denied", "used", "refused", "expired", "forbidden", "allowed")
PATIENCE = 5.0  # seconds that another writer is waited for
DURABLE_PATIENCE = 60.0
SQLITE = sum(part * unit for part, unit in zip(sqlite3.sqlite_version_info, (1_000_000, 1000, 1), strict=True))


class Row(NamedTuple):
    """One row. ref: the question it is about, None for a question itself. subject: the digest of all that the
    question is bound to. key: how it is found again (a token's digest, or the ID that a person types). body: the
    rest. hash: over all of it and the row before.
    """

    seq: int
    event: str
    ref: int | None
    subject: str
    key: str
    body: dict[str, Any]
    hash: str


class Transaction:
    """The ledger while nobody else can write it."""

    def __init__(self, connection: sqlite3.Connection, last: End) -> None:
        self._connection = connection
        self.last = last
        self.moment = clock.moment()  # of all that it does

    def append(self, event: str, *, ref: int | None = None, subject: str, key: str = "", **body: Any) -> int:
        """Add a row; its number. It is there when the transaction has ended well."""
        written = {"time": clock.stamp(self.moment.wall), "moment": list(self.moment), "sqlite": SQLITE}
        body = {**written, **body}
        text = json.dumps(body, ensure_ascii=True, sort_keys=True)
        values = (self.last.seq + 1, event, ref, subject, key, text)
        digest = chained(self.last.hash, values)
        self._connection.execute("INSERT INTO ledger VALUES (?,?,?,?,?,?,?)", (*values, digest))
        self.last = End(values[0], digest)
        return values[0]

    def rows(self, condition: str = "1", values: tuple[object, ...] = ()) -> Iterator[Row]:
        """The rows that meet a condition, in order."""
        for found in self._connection.execute(f"SELECT * FROM ledger WHERE {condition} ORDER BY seq", values):
            try:
                yield Row._make((*found[:5], json.loads(found[5]), found[6]))
            except (ValueError, TypeError) as error:
                raise Damaged(f"the ledger is damaged: row {found[0]}: {error}") from None


class Ledger:
    """An open ledger."""

    def __init__(self, connection: sqlite3.Connection, head: Head) -> None:
        self.connection, self.head = connection, head

    @classmethod
    def opened(cls, *, durable: bool = False) -> Ledger:
        """The user's ledger, created when there is none. Raises Unavailable, Damaged."""
        connection = database.open_database(DURABLE_PATIENCE if durable else PATIENCE, durable=durable)
        return cls(connection, Head(database.paths()[1]))

    @contextmanager
    def writing(self) -> Iterator[Transaction]:
        """A transaction, and then the end of this connection. Raises Unavailable, Damaged; nothing is written then."""
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            before = self.last()
            self.head.check(before)
            transaction = Transaction(self.connection, before)
            yield transaction
            if transaction.last != before:
                self.head.write(before, transaction.last)
                self.connection.execute("COMMIT")
                self._settle(transaction.last)
        except HeadError as error:
            raise Damaged(str(error)) from None
        except sqlite3.Error as error:
            raise database.failure(error) from None
        except OSError as error:
            raise Unavailable(f"the ledger cannot be written: {error.strerror}") from None
        finally:
            self.connection.close()

    def _settle(self, last: End) -> None:
        """Write down that the ledger ends here, unless somebody has gone on: then it is theirs to write."""
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            if self.last() == last:
                self.head.write(last, last)
            self.connection.execute("ROLLBACK")
        except (sqlite3.Error, OSError):
            pass  # the rows are there and were announced, which is enough for whoever comes next

    def last(self) -> End:
        """Where the ledger ends."""
        found = self.connection.execute("SELECT seq, hash FROM ledger ORDER BY seq DESC LIMIT 1").fetchone()
        return End(*found) if found else START


@contextmanager
def writing(*, durable: bool = False) -> Iterator[Transaction]:
    """A transaction of the user's ledger. Raises Unavailable, Damaged; nothing is written then."""
    with Ledger.opened(durable=durable).writing() as transaction:
        yield transaction


def chained(before: str, values: tuple[object, ...]) -> str:
    """The hash of a row: over the hash of the one before and all of its own values."""
    return sha256(json.dumps([before, *values], ensure_ascii=True).encode()).hexdigest()


def exists() -> bool:
    """Whether there is a ledger at all."""
    return os.path.lexists(database.paths()[0])
