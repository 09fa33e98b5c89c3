"""How far the ledger goes, written down outside of it: a last row that was removed is missed.

The record is announced before a row is committed and settled after it. So whatever moment a process is killed at,
the ledger ends either where the record says it does, or where it says it was about to.
"""

from __future__ import annotations

import os
from hashlib import sha256
from typing import NamedTuple

from . import files

__all__ = ["START", "End", "Head", "HeadError"]


class HeadError(Exception):
    """The record of the ledger's end is missing, damaged, or says something else than the ledger."""


class End(NamedTuple):
    """Where a ledger ends: its last row's number and hash."""

    seq: int
    hash: str


START = End(0, "0" * 64)


class Head:
    """The record beside a ledger. Only to be used while the ledger is locked for writing."""

    def __init__(self, path: str) -> None:
        self.path = path

    def read(self) -> tuple[End, End]:
        """Where the ledger ends for certain, and where it may end. Raises HeadError."""
        try:
            files.check(self.path)
            with open(self.path, "rb") as file:
                data = file.read(1000)
        except (OSError, files.Unsafe) as error:
            raise HeadError(f"the record of the ledger's end cannot be used: {error}") from None
        words = data.decode("ascii", "replace").split("\n")
        if len(words) != 4 or data != _written(*(ends := [_end(words[0]), _end(words[1])])):
            raise HeadError("the record of the ledger's end is damaged")
        return ends[0], ends[1]

    def check(self, last: End) -> None:
        """Raise HeadError unless the ledger's last row is one that was written last."""
        if last == START and not os.path.lexists(self.path):
            self.write(START, START)
        settled, announced = self.read()
        if last not in (settled, announced):
            raise HeadError(f"the ledger ends with row {last.seq}, and its record says row {settled.seq}")

    def write(self, settled: End, announced: End) -> None:
        """Write the record, in one step as far as a killed process goes. Raises OSError."""
        flags = os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        descriptor = os.open(self.path, flags, 0o600)
        try:
            os.write(descriptor, _written(settled, announced))
        finally:
            os.close(descriptor)


def _written(settled: End, announced: End) -> bytes:
    lines = "".join(f"{end.seq:012d} {end.hash}\n" for end in (settled, announced))
    return f"{lines}{sha256(lines.encode()).hexdigest()}\n".encode()


def _end(line: str) -> End:
    seq, _, digest = line.partition(" ")
    return End(int(seq) if seq.isascii() and seq.isdigit() else -1, digest)
