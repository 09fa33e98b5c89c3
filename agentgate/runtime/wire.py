"""The wire format of this run's documents: `agentgate/v1`, or another system's.

The only door from the runtime to `agentgate.surfaces.profiles`, which a vendored copy does not have.
"""

from __future__ import annotations

import os

from . import envelope, state, workers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["VARIABLE", "choose", "own", "rendered", "settle"]

VARIABLE = "AGENTGATE_ENVELOPE"


def choose() -> str | None:
    """Use the format of the parent process, or the one that the environment names, unless the program has chosen one.

    Returns what is wrong with the variable's value, in one sentence that names it.
    """
    name = workers.handed_down() or os.environ.get(VARIABLE)
    if state.render is not None or not name:
        return None
    try:
        from ..surfaces import profiles
    except ModuleNotFoundError as missing:
        if missing.name != f"{__package__.rpartition('.')[0]}.surfaces":
            raise
        return f"{VARIABLE} needs the installed agentgate: this is a vendored copy"
    if name not in profiles.NAMES:
        return f"{VARIABLE} is {name!r}: use {', '.join(profiles.NAMES)}"
    profiles.use(name)
    return None


def rendered(document: dict[str, Any]) -> tuple[list[str], int, str]:
    """The lines that stand for an envelope on stdout, the exit code that goes with it, and its text for stderr."""
    return (state.render or own)(document)


def own(document: dict[str, Any]) -> tuple[list[str], int, str]:
    """The envelope as `agentgate/v1`."""
    return [envelope.dumps(document)], document["meta"]["exit_code"], ""


def settle(document: dict[str, Any]) -> None:
    """Let the process end with the exit code that its format gives to this stop."""
    _, state.exit_code, _ = rendered(document)
    document["meta"]["exit_code"] = state.exit_code
