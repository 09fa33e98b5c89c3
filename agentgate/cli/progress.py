"""A progress bar on stderr, for a person at a terminal and a run that takes a while."""

from __future__ import annotations

import os
import sys
import time
from types import TracebackType

__all__ = ["Progress"]

_PATIENCE = 0.7  # seconds without a bar
_PAUSE = 0.1  # between two looks of it
_WIDTH = 30


class Progress:
    """Call it with how many files are done, and of how many; leaving its context wipes the bar away."""

    def __init__(self) -> None:
        self._next = time.monotonic() + _PATIENCE
        self._shown = False
        self._wanted = sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if not self._wanted or now < self._next:
            return
        self._next = now + _PAUSE
        self._shown = True
        filled = _WIDTH * done // max(total, 1)
        bar = "=" * filled + " " * (_WIDTH - filled)
        sys.stderr.write(f"\r[{bar}] {done}/{total} files")
        sys.stderr.flush()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
