"""Whether the ledger is what was written: every row, every link of the chain, its end, its plans, every byte.

The chain covers what stands in the rows. The rest of the file (its header, the borders of pages, the gaps between
rows) follows from the rows, because the table only grows: a second ledger is made of the same rows, and the two
files are compared.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from contextlib import closing
from typing import NamedTuple

from . import database, files, plans
from .head import START, End, HeadError
from .ledger import EVENTS, Ledger, chained

__all__ = ["Report", "verify"]

_TYPES = ((int,), (str,), (int, type(None)), (str,), (str,), (str,), (str,))
_FORMAT = slice(18, 20)  # 2 for a file with a write-ahead log, 1 for one in memory
_COUNTER, _VALID_FOR, _VERSION = slice(24, 28), slice(92, 96), slice(96, 100)
_MOST = 20  # problems that are listed


class Report(NamedTuple):
    """rows: how many there are. problems: what is wrong, in one sentence each; empty when all is well."""

    rows: int
    problems: tuple[str, ...]


def verify() -> Report:
    """Look at everything while nobody writes. Raises Unavailable."""
    path, _ = database.paths()
    if not os.path.lexists(path):
        return _without_a_ledger()
    problems: list[str] = []
    rows: list[tuple[object, ...]] = []
    try:
        ledger = Ledger.opened(durable=True)
        connection = ledger.connection
        connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")  # the chain finds it
        try:
            _settle_the_log(connection)
            connection.execute("BEGIN IMMEDIATE")
            rows = connection.execute("SELECT * FROM ledger ORDER BY seq").fetchall()
            problems += _chain(rows)
            problems += _end(ledger, End(*ledger.last()))
            problems += _plans(rows)
            problems += _structure(connection)
            problems += [] if problems else _bytes(path, rows)
        finally:
            connection.close()
    except database.Damaged as error:
        problems.append(f"{error}")
    except sqlite3.Error as error:
        failed = database.failure(error)
        # a header that was changed makes a file read-only too
        if isinstance(failed, database.Unavailable) and not ("readonly" in str(error) and os.access(path, os.W_OK)):
            raise failed from None
        problems.append(str(failed))
    return Report(len(rows), tuple(problems[:_MOST]))


def _without_a_ledger() -> Report:
    _, head = database.paths()
    if os.path.lexists(head):
        return Report(0, ("the ledger is gone, and the record of its end is not",))
    return Report(0, ())


def _settle_the_log(connection: sqlite3.Connection) -> None:
    """Bring what is in the write-ahead log into the file itself."""
    busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise database.Unavailable("the ledger is being written: try again")


def _chain(rows: list[tuple[object, ...]]) -> list[str]:
    problems = []
    before, uses = START.hash, Counter[object]()
    for number, row in enumerate(rows, 1):
        if row[0] != number:
            problems.append(f"row {number} is missing: row {row[0]} stands in its place")
            break
        if not all(isinstance(value, types) for value, types in zip(row, _TYPES, strict=True)):
            problems.append(f"row {number} holds values of another type")
        elif row[6] != chained(before, row[:6]):
            problems.append(f"row {number} is not what was written, or does not follow the one before")
        elif row[1] not in EVENTS:
            problems.append(f"row {number} is no event of a ledger: {row[1]}")
        before = str(row[6])
        if row[1] == "used" and row[2] is not None:
            uses[row[2]] += 1
    problems += [f"the consent of row {ref} was used {times} times" for ref, times in uses.items() if times > 1]
    return problems


def _end(ledger: Ledger, last: End) -> list[str]:
    try:
        ledger.head.check(last)
    except HeadError as error:
        return [str(error)]
    return []


def _plans(rows: list[tuple[object, ...]]) -> list[str]:
    problems = []
    for digest in dict.fromkeys(filter(None, map(_plan, rows))):
        try:
            plans.load(digest)
        except plans.Changed as error:
            problems.append(str(error))
    return problems


def _plan(row: tuple[object, ...]) -> str | None:
    try:
        body = json.loads(str(row[5]))
    except ValueError:
        return None  # the chain says so
    return body.get("plan_shown") if isinstance(body, dict) else None


def _structure(connection: sqlite3.Connection) -> list[str]:
    said = [text for (text,) in connection.execute("PRAGMA integrity_check")]
    problems = [f"the file is damaged: {text}" for text in said if text != "ok"]
    if connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall() != [
        ("table", "ledger", database.TABLE)
    ]:
        problems.append("the ledger's table is not what was made")
    return problems


def _bytes(path: str, rows: list[tuple[object, ...]]) -> list[str]:
    """The file against one made of the same rows."""
    files.check(path)
    with open(path, "rb") as file:
        found = file.read()
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as copy:
        database.create_in(copy)
        try:
            copy.executemany("INSERT INTO ledger VALUES (?,?,?,?,?,?,?)", rows)
        except sqlite3.Error as error:
            return [f"the rows cannot be written again: {error}"]
        made = copy.serialize()
    if len(found) != len(made):
        return [f"the file is {len(found)} bytes long, and its rows take {len(made)}"]
    problems = []
    if found[_FORMAT] != b"\x02\x02" or found[_COUNTER] != found[_VALID_FOR] or not _is_a_version(found, rows):
        problems.append("the file's header was changed")
    if _plain(found) != _plain(made):
        at = next(at for at, (one, other) in enumerate(zip(_plain(found), _plain(made), strict=True)) if one != other)
        problems.append(f"the file was changed at byte {at}, outside of its rows")
    return problems


def _is_a_version(found: bytes, rows: list[tuple[object, ...]]) -> bool:
    """Whether the header names a version of SQLite that wrote a row (or made the empty file)."""
    named = int.from_bytes(found[_VERSION])
    return not rows or any(f'"sqlite": {named},' in str(row[5]) for row in rows)


def _plain(data: bytes) -> bytes:
    """The file without those bytes of its header that count its changes."""
    header = bytearray(data[:100])
    for part in (_FORMAT, _COUNTER, _VALID_FOR, _VERSION):
        header[part] = bytes(part.stop - part.start)
    return bytes(header) + data[100:]
