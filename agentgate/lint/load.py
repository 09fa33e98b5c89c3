"""A file's bytes, or why it cannot be read."""

from __future__ import annotations

import os
import stat

__all__ = ["Unreadable", "load"]


class Unreadable(Exception):
    """A file that cannot be read, decoded or parsed: where (from 1), and why."""

    def __init__(self, reason: str, line: int = 1, column: int = 1) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.column = column


def load(path: str, problem: str | None = None) -> bytes:
    """A file's bytes. Raises Unreadable, also for a problem that is known before it is opened."""
    if problem is not None:
        raise Unreadable(problem)
    try:
        # where a file is expected may be a pipe by now, which must not be waited for
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except OSError as error:
        raise Unreadable(f"cannot be read: {error.strerror}") from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable("is not a regular file")
        data = os.read(descriptor, status.st_size + 1)
        while len(data) != status.st_size and (more := os.read(descriptor, 1 << 20)):
            data += more
        return data
    except OSError as error:
        raise Unreadable(f"cannot be read: {error.strerror}") from None
    finally:
        os.close(descriptor)
