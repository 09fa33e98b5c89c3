"""The stop: how a run ends where only a person could go on (DESIGN section 2, "A stop cannot be lost").

A stop is an exception, so cleanup runs. Whatever becomes of it, the process ends with exit code 3 (or the
one that the program or its wire format has in its place):

- it reaches the top: Python itself takes up its code;
- it is thrown away (`except: pass`, `suppress`): its destruction ends the process there;
- it is stored, or replaced by another exit: the exit code is forced when the process ends;
- another gate is reached all the same: that ends the process at once;
- it is raised in a thread: the process ends as soon as that thread's own cleanup is done;
- it is raised in a worker process: the parent ends (`workers`).
"""

from __future__ import annotations

import sys
from _thread import allocate_lock, get_ident

from . import ending, envelope, runners, state, streams, wire
from .ending import end_hard
from .streams import print_envelope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

__all__ = ["ActionRequired", "Told", "arrive", "print_envelope", "refuse_to_go_on", "stop", "usage_error"]

MOST_REPEATS = 50  # times that the stop's own cleanup may ask before it counts as a retry loop

# each is taken once, by the first stop of the process and by the first that a pool brings, and never released
_claimed = allocate_lock()
_carried = allocate_lock()


class ActionRequired(SystemExit):
    """A person is needed: the run ends with exit code 3 and the envelope that says for what.

    `envelope` is the document that was printed.
    """

    def __init__(self, document: dict[str, Any], *, must_end: bool = False) -> None:
        super().__init__(state.exit_code)
        self.envelope = document
        self._must_end = must_end
        self._taken_up = False

    @property
    def code(self) -> int:
        """The exit code of a stop, 3 by default. Reading it counts as taking the stop up."""
        self._taken_up = True
        if state.stopped is not None and _called_by_the_interpreter():
            ending.leave()
        return state.exit_code

    @code.setter
    def code(self, value: object) -> None:
        pass  # a stop cannot be given another code

    def __str__(self) -> str:
        return str(self.envelope.get("message") or self.envelope.get("reason") or "")

    def __reduce__(self) -> tuple[Any, ...]:
        self._taken_up = True  # pickled: it is on its way to another process
        return _arrived, (self.envelope,)

    def __del__(self) -> None:
        if self._must_end and not self._taken_up and not state.ending:
            end_hard()


class Told(SystemExit):
    """The run is over, and whoever runs it has been told why."""


class WorkerActionRequired(ActionRequired, Exception):
    """A stop in a worker of a pool that carries nothing but an `Exception` to its parent."""


def stop(document: dict[str, Any]) -> NoReturn:
    """End the run with this envelope: print it and raise ActionRequired.

    Under a test runner it is an ordinary exception. In a process that has stopped before, this ends it.
    """
    problem = wire.choose()
    if problem is not None:  # no less a stop: what follows the question must not run
        document = envelope.build("failed", exit_code=2, code="usage", message=problem)
    if runners.under_test():
        wire.settle(document)
        print_envelope(document)
        raise ActionRequired(document)
    if not _claimed.acquire(blocking=False):
        _go_no_further()
    # no local name may hold the exception: its traceback holds this frame, and a cycle would delay __del__
    raise _begin(document)(document, must_end=True)


def refuse_to_go_on() -> None:
    """End the process if its stop was swallowed: called by every gate and consent."""
    if state.stopped is not None:
        _go_no_further()


def in_cleanup() -> bool:
    """Whether the stop is just being handled here (`finally`, `except`, `__exit__`)."""
    handled = sys.exception()
    while handled is not None:
        if isinstance(handled, ActionRequired):
            return True
        handled = handled.__context__
    return False


def usage_error(message: str) -> NoReturn:
    """End the run with exit code 2 and one sentence; an envelope for an agent or where one is asked for.

    Raises Told.
    """
    wire.choose()
    if not (state.quiet and state.silent_stdout):
        streams.say(f"agentgate: {message}\n")
    from .detection import detect_agent

    if state.wants_document or state.forced or (state.forced is None and detect_agent() is not None):
        print_envelope(envelope.build("failed", exit_code=2, code="usage", message=message))
    raise Told(2)


def arrive(document: dict[str, Any]) -> None:
    """A worker process has stopped, so this one ends for it (once)."""
    wire.choose()
    if runners.under_test():
        print_envelope(document)
    elif _claimed.acquire(blocking=False):
        _begin(document)
        ending.end_after(ending.THREAD_PATIENCE)
    else:
        with ending.writing:
            pass  # it is being written


def _begin(document: dict[str, Any]) -> type[ActionRequired]:
    """All that a stop does besides being raised; the class to raise."""
    from . import workers

    with ending.writing:
        wire.settle(document)
        state.stopped, state.stopped_in = document, get_ident()
        in_pool = workers.is_worker() and workers.carries_exceptions()
        if not workers.is_worker():
            streams.print_last(document)
        else:
            if not workers.tell_parent(document) and not in_pool:
                print_envelope(document)  # at once: a worker has no cleanup at exit
            streams.send_stdout_to_stderr()
    ending.force_the_exit_code()
    if not ending.in_main_thread():
        ending.end_with_this_thread()
    return WorkerActionRequired if in_pool else ActionRequired


def _go_no_further() -> NoReturn:
    """The process has stopped before and comes to another gate: again the stop, without a second envelope."""
    state.met_again += 1
    document = state.stopped or {}
    if state.met_again > MOST_REPEATS:
        ending.end_at_once()
    if state.ending or in_cleanup():
        raise ActionRequired(document)
    if state.stopped_in != get_ident():
        ending.end_after(ending.THREAD_PATIENCE)
        raise ActionRequired(document)
    end_hard()


def _called_by_the_interpreter() -> bool:
    """Whether the code is read from C, with no Python frame above: by the interpreter on its way out."""
    try:
        sys._getframe(2)
    except ValueError:
        return ending.in_main_thread()
    return False


def _arrived(document: dict[str, Any]) -> ActionRequired:
    """A stop that comes out of a worker process: this process has to end for it."""
    arrive(document)
    first = state.stopped is not None and _carried.acquire(blocking=False)
    return ActionRequired(document, must_end=first)
