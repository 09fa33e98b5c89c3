"""Stops in worker processes: the parent has to end for them.

A forked worker tells its parent through a socket that was made before the fork, on which a thread of the
parent waits. A spawned one has no such way: what a pool carries back as an exception ends the parent; a
bare `Process` prints its envelope and exits with 3, and it is up to the parent to look at its exit code.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["carries_exceptions", "is_worker", "tell_parent", "watch_forks"]

POOLS = ("multiprocessing.pool", "concurrent.futures.process")

_ends: tuple[Any, Any] | None = None  # the parent's and the children's
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


def _before() -> None:
    global _ends
    if _ends is not None or "multiprocessing.process" not in sys.modules:
        return
    from .mode import agent_run

    if agent_run():
        import socket

        _ends = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)


def _in_child() -> None:
    global _forked
    _forked = True


def _in_parent() -> None:
    global _watching
    if _ends is None or _watching or _forked:
        return
    _watching = True
    import threading

    threading.Thread(target=_watch, daemon=True).start()


def _watch() -> None:
    import json

    from . import stop

    if _ends is not None:
        try:
            stop.arrive(json.loads(_ends[0].recv(1 << 20)))
        except (OSError, ValueError):  # the process is ending
            pass
