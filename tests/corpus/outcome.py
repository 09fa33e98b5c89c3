"""Run one program the way an agent runs its children, and tell how it ended."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

STDINS = ("null", "pipe", "socket", "closed")
ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07]*\x07|[@-_])")
TAIL = 16_384


class Outcome(NamedTuple):
    """`code` is None where the program was still running at the limit and had to be ended."""

    code: int | None
    seconds: float
    size: int
    last_line: str


@contextlib.contextmanager
def standard_input(kind: str) -> Iterator[int | None]:
    """The descriptor to give to a child: /dev/null, an open silent pipe, a silent socket, or none."""
    if kind == "null":
        with Path(os.devnull).open("rb") as null:
            yield null.fileno()
    elif kind == "pipe":
        reading, writing = os.pipe()
        try:
            yield reading
        finally:
            os.close(reading)
            os.close(writing)
    elif kind == "socket":
        ours, theirs = socket.socketpair()
        with ours, theirs:
            yield theirs.fileno()
    else:
        yield None


def outcome(program: str, argv: Sequence[str], work: Path, env: Mapping[str, str], stdin: str, limit: float) -> Outcome:
    """Run `program` as `argv` in `work`. It has no terminal at all: its session is its own."""
    with tempfile.TemporaryFile() as out, standard_input(stdin) as descriptor:
        line: list[str] = list(argv)
        if descriptor is None:
            # subprocess cannot close a child's stdin; this one closes its own and becomes the program.
            close = "import os, sys; os.close(0); os.execv(sys.argv[1], sys.argv[2:])"
            line, program = [sys.executable, "-c", close, program, *line], sys.executable
        start = time.monotonic()
        child = subprocess.Popen(
            line,
            executable=program,
            cwd=work,
            env=dict(env),
            stdin=descriptor if descriptor is not None else subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        code: int | None
        try:
            code = child.wait(limit)
        except subprocess.TimeoutExpired:
            code = None
            # Before it is waited for, so that the number is still its own.
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        return Outcome(code, time.monotonic() - start, out.seek(0, os.SEEK_END), last_line(out))


def last_line(out: BinaryIO) -> str:
    out.seek(max(0, out.seek(0, os.SEEK_END) - TAIL))
    text = ESCAPES.sub("", out.read().decode(errors="replace"))
    lines = [line.strip() for line in re.split(r"[\r\n]+", text)]
    return next((line for line in reversed(lines) if line), "")
