"""The command line: `agentgate lint | fix | run | detect | …`. Every command is imported when it runs."""

from __future__ import annotations

import gc
import os
import sys
from typing import NoReturn

__all__ = ["main", "script"]

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
        code: int = common.run(host())
        return code


def script() -> NoReturn:
    """The command as a process: it ends at once, where Python would first take apart all that it has made."""
    code = main()
    import atexit

    from ..runtime import streams

    atexit._run_exitfuncs()
    streams.settle()
    os._exit(code)
