"""Stops in worker processes: the parent has to end for them.

A forked worker tells its parent through a socket that was made before the fork, on which a thread of the
parent waits. A spawned one has no such way: what a pool carries back as an exception ends the parent; a
bare `Process` prints its envelope and exits with 3, and it is up to the parent to look at its exit code.
"""

from __future__ import annotations

import os
import sys
from _thread import allocate_lock

from . import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "carries_exceptions",
    "end_workers",
    "hand_down",
    "handed_down",
    "is_worker",
    "tell_parent",
    "watch_forks",
]

FORMAT = "agentgate_envelope"
POOLS = ("multiprocessing.pool", "concurrent.futures.process")

_ends: tuple[Any, Any] | None = None  # the parent's and the children's
_taking = allocate_lock()
_watching = False
_forked = False


def watch_forks() -> None:
    """Have every fork of an agent's run, where `multiprocessing` is in use, watched for a stop of the child."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=_before, after_in_child=_in_child, after_in_parent=_in_parent)


def is_worker() -> bool:
    """Whether this process is a worker of `multiprocessing`."""
    process = sys.modules.get("multiprocessing.process")
    return process is not None and process.parent_process() is not None


def carries_exceptions() -> bool:
    """Whether a pool runs this worker, which brings an exception back to the parent."""
    frame = sys._getframe()
    while frame is not None:
        if frame.f_globals.get("__name__") in POOLS:
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False


def tell_parent(document: dict[str, Any]) -> bool:
    """Hand a stop's envelope to the process that forked this one; False when there is no way."""
    if not _forked or _ends is None:
        return False
    from . import envelope

    try:
        _ends[1].send(envelope.dumps(document).encode("ascii"))
    except OSError:  # the parent is gone, or the envelope is too long for one message
        return False
    return True


def hand_down(name: str) -> None:
    """Let the workers of this process know its wire format, also those that start anew."""
    from multiprocessing import process

    process.current_process()._config[FORMAT] = name  # type: ignore[attr-defined]  # what a worker inherits


def handed_down() -> str | None:
    """The wire format of the process that started this worker."""
    process = sys.modules.get("multiprocessing.process")
    return process.current_process()._config.get(FORMAT) if process is not None else None


def end_workers() -> None:
    """End the workers of this process, which would outlive it and hold its stdout open."""
    process = sys.modules.get("multiprocessing.process")
    if process is None:
        return
    import time

    process.BaseProcess.start = _wait_for_the_end  # a pool replaces what it loses
    for _ in range(3):  # one may be about to start
        for child in process.active_children():
            try:
                child.terminate()
            except (AttributeError, OSError, ValueError):
                pass
        time.sleep(0.01)


def _wait_for_the_end(_process: object) -> None:
    import time

    time.sleep(60)


def _before() -> None:
    global _ends
    if _ends is not None or "multiprocessing.process" not in sys.modules:
        return
    from .mode import agent_run

    if agent_run():
        import socket

        _ends = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        _ends[0].setblocking(False)


def _in_child() -> None:
    global _forked
    _forked = True


def _in_parent() -> None:
    global _watching
    if _ends is None or _watching or _forked:
        return
    _watching = True
    import atexit
    import threading

    atexit.register(_at_exit)
    threading.Thread(target=_watch, daemon=True).start()


def _watch() -> None:
    import select

    if _ends is not None:
        select.select([_ends[0]], [], [])
        _take_message()


def _at_exit() -> None:
    """A worker may have stopped just before its parent came to its end."""
    if not _forked:
        _take_message()
        if state.stopped is not None and not state.leaving and not state.ending:
            from . import ending

            ending.end_hard()


def _take_message() -> None:
    import json

    from . import stop

    with _taking:
        try:
            message = _ends[0].recv(1 << 20) if _ends is not None else b""
        except OSError:
            return
        if message:
            stop.arrive(json.loads(message))
