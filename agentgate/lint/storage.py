"""Small files of our own in the user's cache folder: written whole or not at all, and checked when read.

Nothing here can fail a run. A folder that cannot be written gives one warning, in `problem`; a file that is missing,
of another version or damaged is as good as none. Concurrent runs each replace a file by a whole one.
"""

from __future__ import annotations

import marshal
import os
import sys
import zlib
from typing import Any

__all__ = ["configure", "folder", "load", "problem", "save"]

_MAGIC = b"agentgate-cache-2"
# marshal's data is that of one Python
_VERSION = f"py{sys.version_info[0]}{sys.version_info[1]}"

_folder: str | None = None
_off = False
problem: str | None = None


def configure(directory: str | None = None, *, off: bool = False) -> None:
    """Use this folder instead of the user's, or none at all."""
    global _folder, _off, problem
    _folder, _off, problem = directory, off, None


def folder() -> str:
    """The folder: the one that was configured, `AGENTGATE_CACHE_DIR`, or the platform's cache folder of the user."""
    global _folder
    if _folder is None:
        _folder = os.environ.get("AGENTGATE_CACHE_DIR") or _of_the_user()
    return os.path.join(_folder, _VERSION)


def _of_the_user() -> str:
    if sys.platform == "linux":  # as platformdirs says, whose import would take longer than a small run
        caches = os.environ.get("XDG_CACHE_HOME", "")
        return os.path.join(caches if caches.strip() else os.path.expanduser("~/.cache"), "agentgate")
    from platformdirs import user_cache_dir

    return user_cache_dir("agentgate", appauthor=False)


def load(name: str, *, of_the_program: bool = False) -> object:
    """What was saved under this name; None when there is nothing, or nothing whole.

    of_the_program: it says nothing of any file that was looked at, so it may be used without a cache as well.
    """
    if _off and not of_the_program:
        return None
    try:
        with open(os.path.join(folder(), name), "rb") as file:
            data = file.read()
    except OSError:
        return None
    head = len(_MAGIC) + 4
    content = memoryview(data)[head:]
    if data[:head] != _head(content):
        return None
    try:
        found: object = marshal.loads(content)
    except (EOFError, ValueError, TypeError):
        return None
    return found


def _head(content: bytes | memoryview) -> bytes:
    return _MAGIC + zlib.crc32(content).to_bytes(4, "big")


def save(name: str, value: Any) -> None:
    """Keep a value of plain types under this name, as far as the folder lets us."""
    global problem
    if _off or problem is not None:
        return
    import tempfile

    content = marshal.dumps(value)
    path = os.path.join(folder(), name)
    temporary = None
    try:
        _make(os.path.dirname(path))
        handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".new-")
        with os.fdopen(handle, "wb") as file:
            file.write(_head(content) + content)
        os.replace(temporary, path)
    except OSError as error:
        problem = f"the cache in {folder()} cannot be written ({error.strerror}): this run keeps nothing"
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)


def _make(directory: str) -> None:
    if os.path.isdir(directory):
        return
    os.makedirs(directory, mode=0o700, exist_ok=True)
    # so that no backup and no repository takes it in (https://bford.info/cachedir/)
    top = os.path.dirname(folder())
    for name, text in (
        ("CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n# made by agentgate\n"),
        (".gitignore", "*\n"),
    ):
        tag = os.path.join(top, name)
        if not os.path.exists(tag):
            with open(tag, "w", encoding="ascii") as file:
                file.write(text)
