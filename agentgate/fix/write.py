"""Replaces a file's bytes in one step: whoever looks, and whatever happens, sees the old file or the new one."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress

__all__ = ["WriteError", "create", "put", "replace", "umask"]


class WriteError(Exception):
    """A file was left as it is; the text says why."""


def replace(path: str, before: bytes, after: bytes) -> None:
    """Write `after` where `before` is. A link's target is written, and the link stays.

    Raises WriteError when the file is no longer `before`, or cannot be written; it is unharmed then.
    """
    target = os.path.realpath(path)
    with _told():
        with open(target, "rb") as file:
            there = os.fstat(file.fileno())
            if file.read() != before:
                raise WriteError("changed since it was read")
        if not os.access(target, os.W_OK):
            raise WriteError("is read-only")
        with _beside(target, after, there) as temporary:
            os.replace(temporary, target)


def create(path: str, data: bytes) -> None:
    """Write a file that is not there yet, with the folders above it. Raises WriteError; no part of it is left then."""
    with _told():
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        with _beside(path, data) as temporary:
            if os.path.lexists(path):
                raise WriteError("is there by now")
            os.replace(temporary, path)


def put(path: str, data: bytes) -> None:
    """Write a file, whatever is there: another one gives way, a device, a pipe or a link is written to.

    Raises WriteError; a plain file is unharmed then.
    """
    with _told():
        there = os.lstat(path) if os.path.lexists(path) else None
        if there is not None and not stat.S_ISREG(there.st_mode):
            with open(path, "wb") as file:
                file.write(data)
            return
        with _beside(path, data, there) as temporary:
            os.replace(temporary, path)


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WriteError(f"cannot be written: {error.strerror}") from None


@contextmanager
def _beside(path: str, data: bytes, there: os.stat_result | None = None) -> Iterator[str]:
    """A file with all of this, down to the disk, to be moved to a path in the same folder; else it is removed.

    there: the file whose place it takes, whose owner (as far as we may) and mode it gets.
    """
    descriptor, temporary = tempfile.mkstemp(prefix=".agentgate-", dir=os.path.dirname(os.path.abspath(path)))
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if there is not None and hasattr(os, "chown"):
            with suppress(OSError):
                os.chown(temporary, there.st_uid, there.st_gid)
        os.chmod(temporary, stat.S_IMODE(there.st_mode) if there is not None else 0o666 & ~umask())
        yield temporary
    except BaseException:
        os.unlink(temporary)
        raise


def umask() -> int:
    """The permissions that this process gives to no new file."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
