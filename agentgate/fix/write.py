"""Replaces a file's bytes in one step: whoever looks, and whatever happens, sees the old file or the new one."""

from __future__ import annotations

import os
import tempfile

__all__ = ["WriteError", "create", "replace"]


class WriteError(Exception):
    """A file was left as it is; the text says why."""


def replace(path: str, before: bytes, after: bytes) -> None:
    """Write `after` where `before` is. A link's target is written, and the link stays.

    Raises WriteError when the file is no longer `before`, or cannot be written; it is unharmed then.
    """
    target = os.path.realpath(path)
    temporary = None
    try:
        with open(target, "rb") as file:
            if file.read() != before:
                raise WriteError("changed since it was read")
        mode = os.stat(target)
        if not os.access(target, os.W_OK):
            raise WriteError("is read-only")
        descriptor, temporary = tempfile.mkstemp(prefix=".agentgate-", dir=os.path.dirname(target))
        _fill(descriptor, after)
        os.chmod(temporary, mode.st_mode & 0o7777)
        os.replace(temporary, target)
        temporary = None
    except OSError as error:
        raise WriteError(f"cannot be written: {error.strerror}") from None
    finally:
        if temporary is not None:
            os.unlink(temporary)


def create(path: str, data: bytes) -> None:
    """Write a file that is not there yet, with the folders above it. Raises WriteError; no part of it is left then."""
    temporary = None
    folder = os.path.dirname(os.path.abspath(path))
    try:
        os.makedirs(folder, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(prefix=".agentgate-", dir=folder)
        _fill(descriptor, data)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        if os.path.lexists(path):
            raise WriteError("is there by now")
        os.replace(temporary, path)
        temporary = None
    except OSError as error:
        raise WriteError(f"cannot be written: {error.strerror}") from None
    finally:
        if temporary is not None:
            os.unlink(temporary)


def _fill(descriptor: int, data: bytes) -> None:
    """Write all of a file, down to the disk, and close it."""
    with open(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
