"""What a person sees: a command in a pseudo-terminal, typed to as packages.toml says."""

import fcntl
import itertools
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from commands import Command

LIMIT = 60.0
ROWS, COLUMNS = 40, 120
# A terminal is asked where its cursor is by prompt_toolkit, which waits for the answer.
WHERE_IS_THE_CURSOR, CURSOR_IS_HERE = b"\x1b[6n", b"\x1b[1;1R"
# What differs from run to run whatever the program: clocks, durations, and the names of commits, links and memory.
VOLATILE = re.compile(
    rb"\d\d:\d\d(?::\d\d)?(?:\.\d+)?|\d+\.\d+ ?s\b|\b[0-9a-f]{40}\b|\b0x[0-9a-f]+\b|(?<=\x1b\]8;)id=\d+"
)
# Where a line is drawn anew; and what is not its text: escape codes, spaces, and how far a progress bar has come.
LINES = re.compile(rb"[\r\n]+|\x1b\[2K")
MOVES = re.compile(rb"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-_])|\s+|[\d.]+%")
BARS = "━╸╺".encode()


class Transcript(NamedTuple):
    """All that came out of the terminal, normalised; `code` is None where it had to be ended."""

    output: bytes
    code: int | None
    untyped: int

    def text(self) -> bytes:
        """Without the escape codes, of which a line editor sends more or fewer as time allows, and each line once
        however often it was drawn."""
        lines = [MOVES.sub(b"", line).translate(None, BARS) for line in LINES.split(self.output)]
        return b"\n".join(line for line, _ in itertools.groupby(filter(None, lines)))


def record(command: Command, typed: Sequence[str], quiet: float) -> Transcript:
    """Run the command in a terminal; each text is typed once nothing new has come for `quiet` seconds."""
    child, terminal = pty.fork()
    if child == 0:
        try:
            os.chdir(command.work)
            os.execve(command.program, list(command.argv), command.env | {"TERM": "xterm"})
        finally:
            os._exit(127)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    todo, output, ended = list(typed), b"", False
    start = last = time.monotonic()
    while not ended and time.monotonic() - start < LIMIT:
        if select.select([terminal], [], [], 0.1)[0]:
            new = _read(terminal)
            ended = not new
            output += new
            last = time.monotonic()
            if WHERE_IS_THE_CURSOR in new:
                os.write(terminal, CURSOR_IS_HERE)
        elif todo and output and time.monotonic() - last > quiet:
            os.write(terminal, todo.pop(0).encode())
            last = time.monotonic()
    if not ended:
        os.kill(child, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.close(terminal)
    output = output.replace(str(command.work.parent).encode(), b"<folder>")
    return Transcript(VOLATILE.sub(b"<volatile>", output), code if ended else None, len(todo))


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux's word for the end of a terminal
        return b""


def differ(before: Callable[[], Command], after: Callable[[], Command], typed: Sequence[str]) -> str:
    """How a person's two transcripts compare, in a few words; a slow machine gets more, slower tries."""
    said = ""
    for quiet in (1.0, 3.0, 5.0):
        first, second = record(before(), typed, quiet), record(after(), typed, quiet)
        if first.code is None or first.untyped:
            said = f"not comparable: today it does not come to its end as typed ({first.untyped} left)"
        elif first == second:
            return f"the same {len(first.output)} bytes, exit {first.code}"
        elif (first.text(), first.code) == (second.text(), second.code):
            said = f"the same text, exit {first.code}; escape codes differ"
        else:
            said = f"DIFFERS: exit {first.code} → exit {second.code}, {_first_difference(first, second)}"
    return said


def _first_difference(first: Transcript, second: Transcript) -> str:
    pairs = itertools.zip_longest(first.text().split(b"\n"), second.text().split(b"\n"))
    return next((f"{one!r} → {other!r}" for one, other in pairs if one != other), "nothing but escape codes")
