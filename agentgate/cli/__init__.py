"""The command line: `agentgate lint | fix | run | detect | …`. Every command is imported when it runs."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> int:
    """The entry point of the `agentgate` command; returns its exit code."""
    if sys.argv[1:2] == ["run"]:
        from ..runtime import launch

        return launch.main(sys.argv[2:])
    from ..integrations import common
    from ..runtime import state
    from .commands import host

    state.silent_stdout = True
    code: int = common.run(host())
    return code
