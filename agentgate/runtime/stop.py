"""The stop: how a run ends where only a person could go on (DESIGN section 2, "A stop cannot be lost").

A stop is an exception, so cleanup runs. Whatever becomes of it, the process ends with exit code 3:

- it reaches the top: Python itself takes up its code;
- it is thrown away (`except: pass`, `suppress`): its destruction ends the process there;
- it is stored, or replaced by another exit: the exit code is forced when the process ends;
- another gate is reached all the same: that ends the process at once;
- it is raised in a thread: the process ends as soon as that thread's own cleanup is done.
"""

from __future__ import annotations

import os
import sys

from . import envelope, state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, NoReturn

__all__ = ["EXIT_CODE", "ActionRequired", "print_envelope", "refuse_to_go_on", "stop", "usage_error"]

EXIT_CODE = 3
PATIENCE = 1.0  # seconds that cleanup may take when the process has to be ended
THREAD_PATIENCE = 0.25  # seconds that a thread's own cleanup may take
TEST_RUNNERS = ("unittest.", "_pytest.", "pytest.", "twisted.trial.")


class ActionRequired(SystemExit):
    """A person is needed: the run ends with exit code 3 and the envelope that says for what.

    `envelope` is the document that was printed.
    """

    def __init__(self, document: dict[str, Any], *, must_end: bool = False) -> None:
        super().__init__(EXIT_CODE)
        self.envelope = document
        self._must_end = must_end
        self._taken_up = False

    @property
    def code(self) -> int:
        """Always 3. Reading it counts as taking the stop up."""
        self._taken_up = True
        if self._must_end and _called_by_the_interpreter():
            _leaving_with_three()
        return EXIT_CODE

    @code.setter
    def code(self, value: object) -> None:
        pass  # a stop cannot be given another code

    def __str__(self) -> str:
        return str(self.envelope.get("message") or self.envelope.get("reason") or "")

    def __reduce__(self) -> tuple[Any, ...]:
        return _arrived, (self.envelope,)

    def __del__(self) -> None:
        if self._must_end and not self._taken_up:
            end_hard()


def stop(document: dict[str, Any]) -> NoReturn:
    """End the run with this envelope: print it and raise ActionRequired.

    Under a test runner it is an ordinary exception. In a process that has stopped before, this ends it.
    """
    if under_test():
        print_envelope(document)
        raise ActionRequired(document)
    refuse_to_go_on()
    state.stopped = True
    print_envelope(document)
    _send_stdout_to_stderr()
    _force_the_exit_code()
    if not _in_main_thread():
        _end_with_this_thread()
    # no local name may hold the exception: its traceback holds this frame, and a cycle would delay __del__
    raise ActionRequired(document, must_end=True)


def refuse_to_go_on() -> None:
    """End the process if its stop was swallowed: called by every gate and consent."""
    if state.stopped:
        end_hard()


def usage_error(message: str) -> NoReturn:
    """End the run with exit code 2 and one sentence; an envelope for an agent, text for a person.

    Raises SystemExit.
    """
    print(f"agentgate: {message}", file=sys.stderr)
    from .detection import detect_agent

    if state.forced or (state.forced is None and detect_agent() is not None):
        print_envelope(envelope.build("failed", exit_code=2, code="usage", message=message))
    raise SystemExit(2)


def under_test() -> bool:
    """Whether a test runner's frame is on the stack: there a stop is an ordinary exception."""
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        name = frame.f_globals.get("__name__") or ""
        # a framework's own runner (CliRunner.invoke) lives in its `testing` module
        if name.startswith(TEST_RUNNERS) or (name.endswith(".testing") and frame.f_code.co_name == "invoke"):
            return True
        frame = frame.f_back
    return False


def end_hard() -> NoReturn:
    """End the process now with exit code 3: cleanup at exit runs, but cannot hold it up."""
    if not state.ending:
        state.ending = True
        _end_after(PATIENCE)
        if _in_main_thread():
            import atexit

            atexit.unregister(_at_exit)
            atexit._run_exitfuncs()
        _flush_all()
    os._exit(EXIT_CODE)


def print_envelope(document: dict[str, Any]) -> None:
    """Write the envelope to stdout, on a line of its own. A stdout that is gone is no error."""
    line = envelope.dumps(document) + "\n"
    if not state.silent_stdout:
        line = "\n" + line  # whatever the program left on its last line, this starts a new one
    try:
        sys.stdout.write(line)
        sys.stdout.flush()
    except (AttributeError, OSError, ValueError):  # no stdout, or a closed or broken one: 3 must do
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115


def _send_stdout_to_stderr() -> None:
    """Whatever cleanup prints from now on, the envelope stays the last line of stdout."""
    try:
        os.dup2(2, 1)
    except OSError:
        pass


def _force_the_exit_code() -> None:
    import atexit

    atexit.register(_at_exit)  # registered last, so it runs first


def _at_exit() -> None:
    if not state.ending:
        end_hard()


def _leaving_with_three() -> None:
    """The interpreter itself exits with 3: nothing has to be forced, the ordinary end runs its course."""
    import atexit

    atexit.unregister(_at_exit)


def _called_by_the_interpreter() -> bool:
    """Whether the code is read from C, with no Python frame above: by the interpreter on its way out."""
    try:
        sys._getframe(2)
    except ValueError:
        return True
    return False


def _in_main_thread() -> bool:
    threading = sys.modules.get("threading")
    return threading is None or threading.current_thread() is threading.main_thread()


def _end_with_this_thread() -> None:
    """A thread drops a SystemExit: end the process when it arrives there, or after a moment."""
    import threading

    previous = threading.excepthook

    def hook(args: threading.ExceptHookArgs, /) -> None:
        if issubclass(args.exc_type, ActionRequired):
            end_hard()
        previous(args)

    threading.excepthook = hook
    _end_after(THREAD_PATIENCE)


def _end_after(seconds: float) -> None:
    """End the process in a while, whatever hangs until then."""
    import threading
    import time

    def wait() -> None:
        time.sleep(seconds)
        os._exit(EXIT_CODE)

    try:
        threading.Thread(target=wait, daemon=True).start()
    except RuntimeError:  # the interpreter is past starting threads: nothing is left that could hang
        pass


def _flush_all() -> None:
    """Write out what open files still hold, as an ordinary exit would."""
    import gc
    import io

    for file in [sys.stdout, sys.stderr, *(o for o in gc.get_objects() if isinstance(o, io.TextIOWrapper))]:
        try:
            file.flush()
        except (AttributeError, OSError, ValueError):
            pass
    for raw in [o for o in gc.get_objects() if isinstance(o, io.BufferedWriter)]:
        try:
            raw.flush()
        except (OSError, ValueError):
            pass


def _arrived(document: dict[str, Any]) -> ActionRequired:
    """A stop that comes out of a worker process: this process has to end for it."""
    state.stopped = True
    _force_the_exit_code()
    return ActionRequired(document, must_end=True)
