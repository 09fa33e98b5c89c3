"""agentgate: a Python program that an AI agent cannot hang, and cannot talk into a yes.

    from agentgate import gate, require_consent

    name = gate(input)("Project name: ")
    require_consent("delete", "Delete the old project?")

Importing it costs next to nothing: what an agent's run needs is loaded when an agent runs.
"""

from __future__ import annotations

from .runtime.detection import Agent, detect_agent
from .runtime.gate import gate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .runtime.action import action_required, require_auth
    from .runtime.consent import Consent, require_consent
    from .runtime.entry import run
    from .runtime.stop import ActionRequired

__all__ = [
    "ActionRequired",
    "Agent",
    "Consent",
    "action_required",
    "detect_agent",
    "gate",
    "require_auth",
    "require_consent",
    "run",
]

__version__ = "0.1.0"

_LAZY = {
    "ActionRequired": "stop",
    "Consent": "consent",
    "action_required": "action",
    "require_auth": "action",
    "require_consent": "consent",
    "run": "entry",
}


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f".runtime.{_LAZY[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
