"""Whether a person sits at this terminal: there is one, and no agent stands behind this process.

An agent announces itself in its environment, which its children inherit. A child can clear its own; what its
parents were started with can still be read (`/proc` on Linux, `ps` elsewhere, as far as the system lets us).
"""

from __future__ import annotations

import os
import subprocess
from typing import NamedTuple

from ..runtime import detection

__all__ = ["Seen", "agent_behind", "is_foreground", "open_terminal"]

_MOST_PARENTS = 64


class Seen(NamedTuple):
    """An agent that was found: its name, the variable that told, and where that stands."""

    agent: str
    signal: str
    where: str


def open_terminal() -> int | None:
    """A descriptor of the controlling terminal; None without one."""
    try:
        descriptor = os.open("/dev/tty", os.O_RDWR | getattr(os, "O_NOCTTY", 0))
    except OSError:
        return None
    if os.isatty(descriptor):
        return descriptor
    os.close(descriptor)
    return None


def is_foreground(terminal: int) -> bool:
    """Whether what is typed at the terminal comes to this process."""
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False


def agent_behind() -> Seen | None:
    """The agent in this process's environment, or in that of a process above it."""
    found = _in(dict(os.environ), "in the environment of this command")
    if found is not None:
        return found
    for number in _parents():
        found = _in(_environment_of(number), f"in the environment of process {number}, which started this one")
        if found is not None:
            return found
    return None


def _in(environ: dict[str, str], where: str) -> Seen | None:
    # a terminal inside an editor is a person's, though the editor announces itself in it
    agent = detection.detect_agent(environ, stdout_is_tty=True)
    return Seen(agent.name, agent.signal, where) if agent is not None else None


def _parents() -> list[int]:
    """The processes above this one, and the leader of its session, which may be none of them any more."""
    numbers: list[int] = []
    number = os.getppid()
    while number > 1 and number not in numbers and len(numbers) < _MOST_PARENTS:
        numbers.append(number)
        number = _parent_of(number)
    leader = os.getsid(0) if hasattr(os, "getsid") else 0
    return numbers if leader in (0, os.getpid(), *numbers) else [*numbers, leader]


def _parent_of(number: int) -> int:
    try:
        with open(f"/proc/{number}/stat", encoding="utf-8", errors="replace") as file:
            return int(file.read().rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        words = _ps(number, "ppid=").split()
        return int(words[0]) if words and words[0].isdigit() else 0


def _environment_of(number: int) -> dict[str, str]:
    try:
        with open(f"/proc/{number}/environ", "rb") as file:
            pairs = file.read().decode("utf-8", "surrogateescape").split("\0")
    except FileNotFoundError:
        pairs = [] if os.path.isdir("/proc/self") else _ps(number, "command=", "-E").split()
    except OSError:  # another user's: sshd, login, sudo
        return {}
    return dict(pair.split("=", 1) for pair in pairs if "=" in pair)


def _ps(number: int, what: str, *options: str) -> str:
    try:
        done = subprocess.run(
            ["ps", *options, "-o", what, "-p", str(number)], capture_output=True, text=True, timeout=5
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout
