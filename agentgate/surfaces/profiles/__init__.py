"""The same outcome in another system's wire format: `--envelope NAME`, or the variable AGENTGATE_ENVELOPE.

One module a system, each with a pure function `render(envelope)`; a reader that was written for one of them works
unchanged. `agentgate` is the envelope itself.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ...runtime import envelope, state, workers
from .rendered import Rendered

__all__ = ["NAMES", "Rendered", "in_use", "render", "use"]

NAMES = ("agentgate", "permdock", "burgee", "joelclaw", "vyre")
QUIET = ("burgee",)  # a failure leaves stderr empty
_in_use = "agentgate"


def render(name: str, document: dict[str, Any]) -> Rendered:
    """An envelope in the format of a system.

    name: one of NAMES. document: an envelope `agentgate/v1`. Raises ValueError for an unknown name.
    """
    if name not in NAMES:
        raise ValueError(f"the wire formats are {', '.join(NAMES)}, not {name!r}")
    if name == "agentgate":
        return Rendered([document], document["meta"]["exit_code"])
    rendered: Rendered = import_module(f".{name}", __name__).render(document)
    return rendered


def use(name: str) -> None:
    """Print all documents of this run, and end it, as a system does; raises ValueError for an unknown name."""

    def in_format(document: dict[str, Any]) -> tuple[list[str], int, str]:
        rendered = render(name, document)
        return [envelope.dumps(line) for line in rendered.lines], rendered.exit_code, rendered.stderr

    global _in_use
    if name not in NAMES:
        raise ValueError(f"the wire formats are {', '.join(NAMES)}, not {name!r}")
    _in_use, state.render = name, in_format
    state.quiet = name in QUIET
    workers.hand_down(name)


def in_use() -> str:
    """The format of this run."""
    return _in_use
