"""What one process knows about its run: given once, used up in order, never inherited.

Plain module variables: there is one run a process. Everything here is filled by `entry.run`, by the
launcher's environment, or by the stop itself.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .detection import Agent

__all__: list[str] = []

# how the mode was set: by `--agent` (True, False, or None for auto), and by which program's variable
forced: bool | None = None
mode_option: str | None = None
program: str | None = None

# `entry.run` took agentgate's options out of this program's own command line, so `next` may use them
owns_options = False
stripped_argv: list[str] | None = None

# the launcher gates a program that was not rewritten
gates_unmodified = False
launcher: list[str] | None = None

# nothing but the envelope goes to stdout in this run, so it needs no line of its own
silent_stdout = False
# an outcome was asked for as a document, so whoever runs this gets one
wants_document = False
# the wire format has a failure on stdout alone, so nobody's words about usage go to stderr beside a document
quiet = False

# something that was to go to stdout or stderr could not be written, and not because its reader went away
unwritten = False

# the stop that ended the run: its envelope, the thread it was raised in, and how often it was met again
stopped: dict[str, Any] | None = None
stopped_in: int | None = None
met_again = 0
# it reached the top of the main thread, so Python itself exits with its code; or the process is being ended
leaving = False
ending = False

# the exit code of a stop: the program's choice, or what another system's wire format makes of this stop
exit_code = 3
# that format (`wire`): an envelope as the lines that stand for it, its exit code, and a text form for stderr
render: Callable[[dict[str, Any]], tuple[list[str], int, str]] | None = None

# the agent of this run, once it was looked up
agent: Agent | None = None
