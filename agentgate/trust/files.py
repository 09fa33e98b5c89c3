"""Files that only their owner may change: how they are made, and how it is checked before they are believed.

A folder is created with mode 0700 and a file with 0600; nothing is opened through a symbolic link; what somebody
else can write is refused. Inside such a folder nobody else can put anything in a file's place in between.
"""

from __future__ import annotations

import os
import stat

__all__ = ["Unsafe", "check", "own_folder", "read_small", "write_atomically", "write_new"]

LARGEST = 1 << 20
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_SHARED = stat.S_IWGRP | stat.S_IWOTH
_ROOT = 0


class Unsafe(Exception):
    """A file or folder is not to be believed or cannot be made; the text says which and why."""


def own_folder(path: str) -> str:
    """A folder of this user's alone, created when it is not there. Raises Unsafe."""
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        try:
            os.mkdir(path, 0o700)
        except FileExistsError:
            pass
        found = os.lstat(path)
    except OSError as error:
        raise Unsafe(f"{path} cannot be made: {error.strerror}") from None
    if stat.S_ISLNK(found.st_mode):
        raise Unsafe(f"{path} is a symbolic link")
    if not stat.S_ISDIR(found.st_mode):
        raise Unsafe(f"{path} is no folder")
    _refuse_if_shared(path, found, owners=(_me(),))
    return path


def check(path: str) -> None:
    """Raise Unsafe unless there is a plain file at this path that only this user can write."""
    try:
        found = os.lstat(path)
    except OSError as error:
        raise Unsafe(f"{path} cannot be read: {error.strerror}") from None
    _refuse_if_special(path, found)
    _refuse_if_shared(path, found, owners=(_me(),))


def read_small(path: str, *, strictly: bool = True) -> bytes:
    """The content of a file that is not to be trusted blindly. Raises Unsafe; FileNotFoundError when there is none.

    strictly: also refuse one that somebody else than this user or root can write, or that is a symbolic link.
    """
    try:
        found = os.lstat(path)
        if strictly:
            _refuse_if_special(path, found)
        # a pipe is not waited for
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | (_NOFOLLOW if strictly else 0))
    except FileNotFoundError:
        raise
    except NotADirectoryError:
        raise FileNotFoundError(path) from None
    except OSError as error:
        raise Unsafe(f"{path} cannot be read: {error.strerror}") from None
    try:
        opened = os.fstat(descriptor)
        _refuse_if_special(path, opened)
        if strictly:
            _refuse_if_shared(path, opened, owners=(_me(), _ROOT))
        data = b""
        while len(data) <= LARGEST and (more := os.read(descriptor, LARGEST + 1)):
            data += more
    except OSError as error:
        raise Unsafe(f"{path} cannot be read: {error.strerror}") from None
    finally:
        os.close(descriptor)
    if len(data) > LARGEST:
        raise Unsafe(f"{path} is larger than a megabyte")
    return data


def write_new(path: str, data: bytes) -> None:
    """Write a file that must not exist yet. Raises FileExistsError, OSError."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)


def write_atomically(path: str, data: bytes) -> None:
    """Put a whole file in the place of another. Raises Unsafe; the old one is unharmed then."""
    import secrets

    temporary = f"{path}.{secrets.token_hex(4)}"
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except OSError:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise Unsafe(f"{path} cannot be written: {error.strerror}") from None


def _refuse_if_special(path: str, found: os.stat_result) -> None:
    if stat.S_ISLNK(found.st_mode):
        raise Unsafe(f"{path} is a symbolic link")
    if stat.S_ISDIR(found.st_mode):
        raise Unsafe(f"{path} is a folder")
    if not stat.S_ISREG(found.st_mode):
        raise Unsafe(f"{path} is no plain file")


def _refuse_if_shared(path: str, found: os.stat_result, owners: tuple[int, ...]) -> None:
    if os.name == "nt":
        return  # the profile's access list protects it, and mode bits say nothing
    if found.st_uid not in owners:
        raise Unsafe(f"{path} belongs to another user")
    if found.st_mode & _SHARED:
        raise Unsafe(f"{path} can be written by others: chmod go-w {path}")


def _me() -> int:
    return os.getuid() if hasattr(os, "getuid") else 0
