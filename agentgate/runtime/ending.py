"""How a process that has stopped ends with the exit code of a stop, whatever became of the stop."""

from __future__ import annotations

import os
import sys
from _thread import allocate_lock

from . import state, streams, workers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

__all__ = ["end_after", "end_at_once", "end_hard", "end_with_this_thread", "force_the_exit_code", "leave"]

PATIENCE = 1.0  # seconds that cleanup at exit may take when the process has to be ended
THREAD_PATIENCE = 0.5  # seconds that other threads have, and a thread's own cleanup
LEAVING_PATIENCE = 10.0  # seconds that Python waits for the threads that still work when it exits by itself
FLUSH_PATIENCE = 0.25

writing = allocate_lock()  # held while the envelope is written: nothing ends the process in between


def end_hard() -> NoReturn:
    """End the process now: cleanup at exit runs, but cannot hold it up."""
    try:
        state.ending = True
        end_after(PATIENCE)
        writing.acquire(timeout=PATIENCE)
        if in_main_thread():
            _run_exit_functions()
    finally:
        end_at_once()


def end_at_once() -> NoReturn:
    """End the process without any more cleanup than writing out what is written."""
    try:
        workers.end_workers()
        streams.flush_all()
        streams.print_waiting()
    finally:
        os._exit(state.exit_code)


def force_the_exit_code() -> None:
    """Whatever exit the program comes to, its code is that of the stop."""
    import atexit

    atexit.register(_at_exit)  # registered last, so it runs first


def leave() -> None:
    """The stop reached the top and Python exits with its code: the ordinary end runs its course."""
    state.leaving = True
    threading = sys.modules.get("threading")
    if threading is not None and any(
        not one.daemon and one is not threading.main_thread() for one in threading.enumerate()
    ):
        end_after(LEAVING_PATIENCE)


def end_with_this_thread() -> None:
    """A thread drops a SystemExit: end the process when it arrives there, or after a moment."""
    import threading

    from .stop import ActionRequired

    previous = threading.excepthook

    def hook(args: threading.ExceptHookArgs, /) -> None:
        if issubclass(args.exc_type, ActionRequired):
            end_hard()
        previous(args)

    threading.excepthook = hook
    end_after(THREAD_PATIENCE)


def end_after(seconds: float) -> None:
    """End the process in a while, whatever hangs until then."""
    import threading
    import time

    def flush() -> None:
        streams.print_waiting()
        workers.end_workers()
        streams.flush_all()
        os._exit(state.exit_code)

    def wait() -> None:
        time.sleep(seconds)
        try:  # another thread may hold a file for ever, so flushing has a thread of its own
            threading.Thread(target=flush, daemon=True).start()
            time.sleep(FLUSH_PATIENCE)
        finally:
            os._exit(state.exit_code)

    try:
        threading.Thread(target=wait, daemon=True).start()
    except RuntimeError:  # Python is past starting threads, though not past exit functions (3.12)
        _end_by_alarm(seconds)


def _end_by_alarm(seconds: float) -> None:
    import signal

    if hasattr(signal, "setitimer") and in_main_thread():
        signal.signal(signal.SIGALRM, lambda *_: end_at_once())
        signal.setitimer(signal.ITIMER_REAL, seconds)


def in_main_thread() -> bool:
    """Whether this is the main thread."""
    threading = sys.modules.get("threading")
    return threading is None or threading.current_thread() is threading.main_thread()


def _at_exit() -> None:
    if state.ending:
        return
    if not state.leaving:
        end_hard()
    writing.acquire(timeout=PATIENCE)
    _run_exit_functions()
    streams.settle()
    streams.print_waiting()


def _run_exit_functions() -> None:
    import atexit

    atexit.unregister(_at_exit)
    atexit._run_exitfuncs()
