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
    from .integrations.entry import run
    from .runtime.action import action_required, require_auth
    from .runtime.consent import Consent, require_consent
    from .runtime.stop import ActionRequired
    from .surfaces import outcome, stream, view
    from .surfaces.effects import effects

__all__ = [
    "ActionRequired",
    "Agent",
    "Consent",
    "action_required",
    "detect_agent",
    "effects",
    "gate",
    "outcome",
    "require_auth",
    "require_consent",
    "run",
    "stream",
    "view",
]

__version__ = "0.1.0"

_LAZY = {
    "ActionRequired": "runtime.stop",
    "Consent": "runtime.consent",
    "action_required": "runtime.action",
    "effects": "surfaces.effects",
    "outcome": "surfaces.outcome",
    "require_auth": "runtime.action",
    "require_consent": "runtime.consent",
    "run": "integrations.entry",
    "stream": "surfaces.stream",
    "view": "surfaces.view",
}
_MODULES = ("outcome", "stream", "view")


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    try:
        module = import_module(f".{_LAZY[name]}", __name__)
    except ModuleNotFoundError:
        if name != "run":
            raise
        module = import_module(".runtime.entry", __name__)  # a vendored copy, which is the runtime alone
    value: object = module if name in _MODULES else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
