"""Whether a test runner is at work: there a stop is an ordinary exception, and nothing ends the process."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

__all__ = ["under_test"]

TEST_RUNNERS = ("unittest.", "_pytest.", "pytest.", "twisted.trial.", "doctest.")


def under_test() -> bool:
    """Whether a frame of a test runner is on the stack of any thread (a test may start threads of its own)."""
    return any(map(_runs_tests, sys._current_frames().values()))


def _runs_tests(frame: FrameType | None) -> bool:
    while frame is not None:
        name = frame.f_globals.get("__name__") or ""
        if not isinstance(name, str):
            name = ""
        # a framework's own runner (CliRunner.invoke) lives in its `testing` module
        if f"{name}.".startswith(TEST_RUNNERS) or (name.endswith(".testing") and frame.f_code.co_name == "invoke"):
            return True
        frame = frame.f_back
    return False
