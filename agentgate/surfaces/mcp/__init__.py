"""`--mcp`: the program's commands as the tools of an MCP server over stdio.

`tools` makes them from the tree, `arguments` makes a command line of a call, `child` runs it, and `form` puts
what a stopped run asks to the client's person.
"""

from __future__ import annotations

from ...runtime import stop
from ..tree import Program

__all__ = ["serve"]


def serve(program: Program, start: list[str]) -> int:
    """Serve until the client goes away; returns the exit code.

    start: the program's own start, such as `["/usr/bin/python", "app.py"]`. Raises SystemExit (exit code 2)
    when the `mcp` package is not there.
    """
    try:
        from .server import serve_stdio
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.startswith(__package__):
            raise
        stop.usage_error("--mcp needs one more package: install agentgate-consent[mcp]")
    return serve_stdio(program, start)
