"""What time it is, in two ways: by the calendar, which can be set back, and since the machine started."""

from __future__ import annotations

import time
from typing import NamedTuple

__all__ = ["Moment", "is_over", "moment", "stamp"]

_BOOT_ID = "/proc/sys/kernel/random/boot_id"


class Moment(NamedTuple):
    """wall: seconds by the calendar. boot: which start of the machine, empty where that cannot be told.
    running: seconds since then, sleep included."""

    wall: float
    boot: str
    running: float


def moment() -> Moment:
    """Now."""
    try:
        with open(_BOOT_ID, encoding="ascii") as file:
            boot = file.read().strip()
    except OSError:
        boot = ""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    running = time.clock_gettime(clock) if clock is not None else time.monotonic()
    return Moment(time.time(), boot, running)


def is_over(since: Moment, seconds: float, now: Moment) -> str | None:
    """Why a span that began then is over, None while it lasts.

    A calendar that was set back does not make it longer: within one start of the machine the running clock
    decides as well, and a beginning that lies in the future counts as no proof.
    """
    if now.wall >= since.wall + seconds:
        return "expired"
    if since.boot and since.boot == now.boot:
        return None if 0 <= now.running - since.running < seconds else "expired"
    return "dated in the future" if now.wall < since.wall else None


def stamp(wall: float) -> str:
    """A time as RFC 3339 writes it, in UTC."""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(wall, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
