"""A run of the program in a process group of its own, which ends with it when the caller goes away."""

from __future__ import annotations

import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from subprocess import DEVNULL, PIPE
from typing import NamedTuple

import anyio
from anyio.abc import Process

__all__ = ["Ended", "run"]

PATIENCE = 1.5  # seconds that a child may take to clean up; less than clients leave a server to end
DRAIN = 0.5  # seconds that what the child started may go on writing when it has ended itself
_POLL = 0.05


class Ended(NamedTuple):
    """How a run ended: its exit code (negative for a signal) and its stdout."""

    code: int
    out: bytes


async def run(
    argv: list[str], environment: dict[str, str], tell: Callable[[bytes], Awaitable[None]] | None = None
) -> Ended:
    """Run a command line to its end. Nothing is on its stdin, its stderr is ours.

    tell: called with each line that another one follows; then only the last one is kept. Cancelled, it ends the
    child and all that it started. Raises OSError when it cannot be started.
    """
    # a session of its own: no terminal on which it could ask, and one group to end
    process = await anyio.open_process(
        argv, stdin=DEVNULL, stdout=PIPE, stderr=None, env=environment, start_new_session=True
    )
    stdout, out = process.stdout, bytearray()
    assert stdout is not None

    async def read() -> None:
        async for chunk in stdout:
            out.extend(chunk)
            while tell is not None and (end := out.find(b"\n")) not in (-1, len(out) - 1):
                line = bytes(out[:end])
                del out[: end + 1]
                if line:
                    await tell(line)
        reading.cancel()

    try:
        with anyio.CancelScope() as reading:
            async with anyio.create_task_group() as group:
                group.start_soon(read)
                await _gone(process)
                # what it left running may hold its stdout for ever
                await anyio.sleep(DRAIN)
                reading.cancel()
        code = await process.wait()
    except BaseException:
        with anyio.CancelScope(shield=True):
            await _end(process)
        raise
    finally:
        with anyio.CancelScope(shield=True), suppress(OSError):
            await stdout.aclose()
    return Ended(code, bytes(out))


async def _gone(process: Process) -> None:
    """Wait for the process itself: asyncio's own `wait` also waits for whoever has its pipe."""
    while process.returncode is None:
        await anyio.sleep(_POLL)


async def _end(process: Process) -> None:
    for name in ("SIGTERM", "SIGKILL"):
        with suppress(ProcessLookupError, PermissionError):
            if os.name == "nt":
                process.kill()
            else:
                os.killpg(process.pid, getattr(signal, name))
        with anyio.move_on_after(PATIENCE):
            await _gone(process)
