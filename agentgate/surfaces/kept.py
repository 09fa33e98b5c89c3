"""Stdout kept back while a program runs, so that one document can be all that is on it."""

from __future__ import annotations

import base64
import io
import json
import os
import sys
import tempfile
from contextlib import redirect_stdout
from typing import Any

__all__ = ["Kept", "keep_stdout"]


class Kept:
    """What was written to stdout, by the program or by its child processes."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def data(self) -> Any:
        """It as data: the JSON document that it is, else its text; None when nothing was written."""
        raw = self.read()
        try:
            text = raw.decode(getattr(sys.stdout, "encoding", None) or "utf-8")
        except UnicodeDecodeError:
            return {"base64": base64.b64encode(raw).decode("ascii")}
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return {"text": text} if text else None

    def read(self) -> bytes:
        """All of it so far."""
        if sys.stdout is not None and not sys.stdout.closed:
            sys.stdout.flush()
        self._file.seek(0)
        found: bytes = self._file.read()
        return found


def keep_stdout() -> Kept:
    """Keep back everything that is written to stdout until the process ends; the envelope still goes there."""
    own = sys.stdout
    if own is None:
        return Kept(io.BytesIO())
    own.flush()
    if sys.__stdout__ is None or own is not sys.__stdout__:  # somebody keeps it already, in memory
        kept = io.BytesIO()
        redirect_stdout(io.TextIOWrapper(kept, "utf-8", newline="")).__enter__()
        return Kept(kept)
    file = tempfile.TemporaryFile()  # noqa: SIM115 - it lasts as long as the process
    saved = os.dup(own.fileno())
    os.dup2(file.fileno(), own.fileno())
    # this is where the runtime writes an envelope, whatever became of sys.stdout
    sys.__stdout__ = os.fdopen(saved, "w", closefd=False)  # type: ignore[misc]
    return Kept(file)
