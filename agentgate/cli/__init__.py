"""The command line: `agentgate lint | fix | run | detect | …`. Every command is imported when it runs."""

from __future__ import annotations

import gc
import sys

__all__ = ["main"]

# objects made between two looks for garbage: more than an ordinary run makes before its work begins
_MANY_OBJECTS = 100_000


def main() -> int:
    """The entry point of the `agentgate` command; returns its exit code."""
    if sys.argv[1:2] == ["run"]:
        from ..runtime import launch

        return launch.main(sys.argv[2:])
    gc.set_threshold(_MANY_OBJECTS)
    from ..integrations import common
    from ..runtime import state
    from .commands import host
    from .output import whole

    state.silent_stdout = True
    with whole():
        try:
            code: int = common.run(host())
            return code
        finally:
            gc.freeze()  # Python looks through all that is left before it ends, which ends anyway
