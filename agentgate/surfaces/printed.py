"""What a program and its child processes print while stdout is a stream, line by line."""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Callable

__all__ = ["Children", "Lines"]


class Lines(io.TextIOBase):
    """In the place of `sys.stdout`: each line goes to `tell`, at the moment that it ends."""

    encoding = "utf-8"
    errors = "replace"

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._rest = ""
        self._lock = threading.RLock()

    def writable(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() takes a string, not {type(text).__name__}")
        with self._lock:
            *lines, self._rest = (self._rest + text).split("\n")
        for line in lines:
            self._tell(line.rstrip("\r"))
        return len(text)

    def end(self) -> None:
        """A last line that has no end."""
        if self._rest:
            self.write("\n")


class Children:
    """In the place of the descriptor: what child processes write, and whatever else goes past `sys.stdout`."""

    PATIENCE = 0.5  # seconds for the rest of it; a child that goes on holds the pipe open

    @classmethod
    def take_stdout(cls, tell: Callable[[str], None]) -> Children | None:
        """Put a pipe in the place of stdout, which stays where `streams` writes; None where stdout is no file."""
        own = sys.__stdout__
        if own is None or sys.stdout is not own:
            return None
        own.flush()
        read, write = os.pipe()
        number = own.fileno()
        sys.__stdout__ = os.fdopen(os.dup(number), "w", closefd=False)  # type: ignore[misc]
        os.dup2(write, number)
        os.close(write)
        return cls(number, read, tell)

    def __init__(self, number: int, read: int, tell: Callable[[str], None]) -> None:
        self._number = number
        self._reader = threading.Thread(target=self._read, args=(read, tell), daemon=True)
        self._reader.start()

    def _read(self, read: int, tell: Callable[[str], None]) -> None:
        with open(read, encoding="utf-8", errors="replace") as lines:  # closed when nobody reads, as a child will see
            for line in lines:
                tell(line.rstrip("\r\n"))

    def end(self) -> None:
        """Wait for what was written; what still comes goes to stderr."""
        error = sys.__stderr__
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(error.fileno() if error is not None else nowhere, self._number)
        os.close(nowhere)
        self._reader.join(self.PATIENCE)
