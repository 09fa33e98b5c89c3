"""The ledger's SQLite file: one table that only grows, without an index.

So every byte of the file is the content of a row, follows from the rows, or is zero, and `verify` can look at all
of them. Created whole under another name and linked into place: of two hundred processes one wins.
"""

from __future__ import annotations

import os
import sqlite3
import sys

from . import files, places

__all__ = ["APPLICATION", "Damaged", "LedgerError", "Unavailable", "create_in", "move_aside", "open_database", "paths"]

APPLICATION = 0x61677431  # "agt1": what `file` and SQLite call the format by
PAGE = 4096
# errors that say nothing about what stands in the file
_PASSING = ("locked", "full", "readonly", "unable to open", "disk I/O", "out of memory", "interrupted")
TABLE = (
    "CREATE TABLE ledger (seq INTEGER PRIMARY KEY, event TEXT NOT NULL, ref INTEGER, subject TEXT NOT NULL, "
    "key TEXT NOT NULL, body TEXT NOT NULL, hash TEXT NOT NULL)"
)


class LedgerError(Exception):
    """The ledger cannot be used; the text says why, in one clause."""


class Unavailable(LedgerError):
    """It cannot be opened or written (a read-only home, a full disk, a lock that is never released)."""


class Damaged(LedgerError):
    """It is not what was written. It can be moved aside."""


def paths() -> tuple[str, str]:
    """The ledger's file, and the record of its end. Their folder is created. Raises Unavailable."""
    try:
        folder = files.own_folder(places.state_folder())
    except files.Unsafe as error:
        raise Unavailable(str(error)) from None
    return os.path.join(folder, "ledger.sqlite3"), os.path.join(folder, "ledger.head")


def open_database(patience: float, *, durable: bool) -> sqlite3.Connection:
    """A connection to the ledger, which is created when there is none.

    durable: what is committed also survives the machine's sudden end. Raises Unavailable, Damaged.
    """
    path, _ = paths()
    if not os.path.lexists(path):
        _create(path)
    try:
        files.check(path)
    except files.Unsafe as error:
        raise Unavailable(str(error)) from None
    try:
        connection = sqlite3.connect(
            f"file:{_quoted(path)}?mode=rw", uri=True, timeout=patience, isolation_level=None, check_same_thread=False
        )
        try:
            if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
                raise Damaged("the ledger is no ledger")
            connection.execute(f"PRAGMA synchronous={'FULL' if durable else 'OFF'}")
        except BaseException:
            # left to the garbage collector it would take away the log of a ledger that has its name by then
            connection.close()
            raise
    except sqlite3.Error as error:
        raise failure(error) from None
    if not durable and sys.version_info >= (3, 12):  # no wait for the disk when it is closed
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, True)
        connection.execute("PRAGMA synchronous=NORMAL")
    return connection


def _quoted(path: str) -> str:
    """A path as SQLite reads it in an address; `urllib` would cost more than the rest of a row."""
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def failure(error: sqlite3.Error) -> LedgerError:
    """What an error of SQLite means for the ledger."""
    text = str(error)[:200].partition(" with text ")[0]
    passing = isinstance(error, sqlite3.OperationalError) and any(word in text for word in _PASSING)
    return Unavailable(f"the ledger cannot be used: {text}") if passing else Damaged(f"the ledger is damaged: {text}")


def create_in(connection: sqlite3.Connection) -> None:
    """Make an empty ledger in an empty database."""
    connection.execute(f"PRAGMA page_size={PAGE}")
    connection.execute("PRAGMA auto_vacuum=NONE")
    connection.execute(f"PRAGMA application_id={APPLICATION}")
    connection.execute(TABLE)


def move_aside(problem: str) -> str | None:
    """Give a damaged ledger another name, with everything that belongs to it; the name, None if it was mended.

    It is never deleted. Of several processes that find the damage one moves it. Raises Unavailable.
    """
    import time

    path, head = paths()
    lock = _locked(os.path.dirname(path))
    try:
        from .verify import verify

        if not verify().problems:
            return None
        suffix = f".damaged-{time.strftime('%Y%m%dT%H%M%S')}-{os.getpid()}"
        for one in (path, path + "-wal", path + "-shm", head):
            if os.path.lexists(one):
                os.rename(one, one + suffix)
        return path + suffix
    except OSError as error:
        raise Unavailable(f"{problem}, and cannot be moved aside: {error.strerror}") from None
    finally:
        os.close(lock)


def _locked(folder: str) -> int:
    descriptor = os.open(
        os.path.join(folder, "ledger.lock"), os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600
    )
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except ImportError:  # Windows: two that move it aside at once find it gone
        pass
    return descriptor


def _create(path: str) -> None:
    import secrets

    fresh = f"{path}.{secrets.token_hex(4)}"
    try:
        files.write_new(fresh, b"")
        connection = sqlite3.connect(fresh, isolation_level=None)
        try:
            create_in(connection)
            connection.execute("PRAGMA journal_mode=WAL")
        finally:
            connection.close()
        try:
            os.link(fresh, path)
        except FileExistsError:
            pass
    except sqlite3.Error as error:
        raise failure(error) from None
    except OSError as error:
        raise Unavailable(f"the ledger cannot be created: {error.strerror}") from None
    finally:
        for leftover in (fresh, fresh + "-wal", fresh + "-shm", fresh + "-journal"):
            if os.path.lexists(leftover):
                os.unlink(leftover)
