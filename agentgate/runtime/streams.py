"""The process's own stdout and stderr at a stop: the envelope is written whole, and is the last line.

`sys.stdout` may be anything by then (a buffer of `redirect_stdout`, a live display); the envelope goes to
the descriptor that the process was started with.
"""

from __future__ import annotations

import errno
import os
import sys
from _thread import allocate_lock

from . import runners, state, wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "flush_all",
    "give_up",
    "print_envelope",
    "print_last",
    "print_waiting",
    "say",
    "send_stdout_to_stderr",
    "settle",
    "showable",
    "write",
]

CLEANUP = 0.5  # seconds that an envelope waits for cleanup to have its say, where both go to one place

# what a write ends with where nobody reads any more
_READER_GONE = frozenset({errno.EPIPE, errno.ESHUTDOWN, errno.EBADF, errno.EINVAL})

_waiting: list[dict[str, Any]] = []
_printing = allocate_lock()


def print_envelope(document: dict[str, Any]) -> int:
    """Write what stands for the envelope to stdout, on lines of its own, and return the exit code that goes with it."""
    lines, exit_code, text = wire.rendered(document)
    whole = "".join(f"{line}\n" for line in lines)
    if not state.silent_stdout:
        whole = "\n" + whole  # whatever the program left on its last line, this starts a new one
        say(text)
    return exit_code if write(whole) or sys.__stdout__ is None else exit_code or 1


def write(text: str) -> bool:
    """Write ASCII text to the process's own stdout, at once; False when it could not be written."""
    try:
        if runners.under_test():
            sys.stdout.write(text)
            sys.stdout.flush()
            return True
        _flush_stdout()
        descriptor = _descriptor(sys.__stdout__, sys.stdout)
        if descriptor is not None:
            _write_all(descriptor, text.encode("ascii"))
    except (AttributeError, OSError, ValueError) as error:
        give_up(error, sys.__stdout__, sys.stdout)
        return False
    return descriptor is not None


def _flush_stdout() -> None:
    """Let what was printed stand before what is written. Raises OSError where stdout itself cannot be written."""
    own: Any = sys.stdout
    is_stdout_itself = own is sys.__stdout__
    if own is None:
        return
    try:
        own.flush()
    except Exception:
        if is_stdout_itself and not own.closed:
            raise  # any other is the program's own, and may be closed or broken: that is no reason to be silent


def give_up(error: Exception, *streams: Any) -> None:
    """Take it that a stream (the first of these that has a descriptor) cannot be written: nothing else goes to it.

    That it is closed, or that its reader went away, is no error; anything else is said on stderr.
    """
    _silence(_descriptor(*streams))
    if isinstance(error, OSError) and error.errno not in _READER_GONE:
        state.unwritten = True
        say(f"agentgate: the output cannot be written: {error.strerror}\n")


def print_last(document: dict[str, Any]) -> None:
    """Write the envelope so that it stays the last line of stdout, whatever cleanup prints.

    Where stdout and stderr are one (a terminal, `2>&1`), sending the one to the other is no help: there the
    envelope waits for the end of the process, though not for long.
    """
    if not _are_one():
        print_envelope(document)
        send_stdout_to_stderr()
        return
    _waiting.append(document)
    import threading

    timer = threading.Timer(CLEANUP, print_waiting)
    timer.daemon = True
    try:
        timer.start()
    except RuntimeError:  # the interpreter is past starting threads
        print_waiting()


def print_waiting() -> None:
    """Write the envelope that `print_last` kept, once."""
    with _printing:
        if _waiting:
            print_envelope(_waiting.pop())


def say(text: str) -> None:
    """Write text to stderr, if there is one: where it is closed, `print` would take stdout in its place."""
    try:
        if text and sys.stderr is not None:
            sys.stderr.write(text)
            sys.stderr.flush()
    except (OSError, ValueError):
        pass


def showable(text: str) -> str:
    """The text with escapes for what stdout's encoding cannot hold."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def _are_one() -> bool:
    stdout, stderr = _descriptor(sys.__stdout__, sys.stdout), _descriptor(sys.__stderr__, sys.stderr)
    return stdout is not None and stderr is not None and os.path.sameopenfile(stdout, stderr)


def send_stdout_to_stderr() -> None:
    """Whatever cleanup prints from now on, the envelope stays the last line of stdout."""
    stdout, stderr = _descriptor(sys.__stdout__, sys.stdout), _descriptor(sys.__stderr__, sys.stderr)
    if stdout is None:
        return
    if stderr is None:
        _silence(stdout)
    else:
        os.dup2(stderr, stdout)


def settle() -> None:
    """Write out the standard streams; where that fails for good, an exit of Python's own would end with 120."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        try:
            stream.flush()
        except Exception:  # a program may have put anything there
            descriptor = _descriptor(stream)
            _silence(descriptor)
            if descriptor is None:
                setattr(sys, name, None)


def flush_all() -> None:
    """Write out what open files still hold, as an ordinary exit would."""
    import gc
    import io

    settle()
    # by type: the class that an object claims to have may be the work of a proxy that fails
    for kind in (io.TextIOWrapper, io.BufferedWriter, io.BufferedRandom):
        for file in [found for found in gc.get_objects() if issubclass(type(found), kind)]:
            try:
                file.flush()
            except (OSError, ValueError):
                pass


def _descriptor(*streams: Any) -> int | None:
    """The descriptor of the first stream that has one.

    None when the process was started without it: the number may be some file's by now.
    """
    if streams[0] is None:
        return None
    for stream in streams:
        try:
            number: int = stream.fileno()
            os.fstat(number)
        except (AttributeError, OSError, ValueError):  # detached, closed, or in memory
            continue
        return number
    return None


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        try:
            data = data[os.write(descriptor, data) :]
        except BlockingIOError:
            import select

            select.select([], [descriptor], [])


def _silence(descriptor: int | None) -> None:
    if descriptor is None:
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
