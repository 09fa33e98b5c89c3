"""Who runs the program: a person (or nobody), or an agent (DESIGN section 3)."""

from __future__ import annotations

import os

from . import detection, state

__all__ = ["VARIABLE", "agent_run", "current_agent", "parse_mode", "program_variable", "said_no", "waived"]

VARIABLE = "AGENTGATE_AGENT"
_MODES = {"1": True, "yes": True, "true": True, "0": False, "no": False, "false": False, "auto": None, "": None}
_said_no = False  # a variable has said so when it was last looked at


def agent_run() -> bool:
    """Whether an agent runs this program: `--agent`, then `<PROGRAM>_AGENT`, then `AGENTGATE_AGENT`, then detection.

    Ends the run with a usage error (exit 2) that names the variable when its value is unknown.
    """
    global _said_no
    if state.forced is not None:
        return state.forced
    if detection.nobody_signals(VARIABLE) and state.program is None:
        return os.access(detection.DEVIN, os.F_OK)
    for variable in (program_variable(), VARIABLE):
        value = os.environ.get(variable) if variable else None
        if value is not None:
            mode = parse_mode(value, variable or "")
            if mode is not None:
                _said_no = not mode
                return mode
    return detection.detect_agent() is not None


def waived() -> bool:
    """Whether an agent is detected, and the mode says that it is to be taken for nobody."""
    return said_no() and not agent_run() and detection.detect_agent() is not None


def said_no() -> bool:
    """Whether the mode was set, by an option or a variable, to a person's."""
    return state.forced is False or _said_no


def current_agent() -> detection.Agent | None:
    """The detected agent, looked up once a run (the mode may be forced without one)."""
    if state.agent is None:
        state.agent = detection.detect_agent()
    return state.agent


def parse_mode(value: str, where: str) -> bool | None:
    """`1 yes true` → True, `0 no false` → False, `auto` or nothing → None; else a usage error naming `where`."""
    try:
        return _MODES[value.strip().lower()]
    except KeyError:
        from .stop import usage_error

        usage_error(f"{where} is {value!r}: use auto, yes or no")


def program_variable() -> str | None:
    """The variable that sets the mode for this program alone (`app` → `APP_AGENT`), where it has told its name."""
    if not state.program:
        return None
    return "".join(c if c.isalnum() else "_" for c in state.program).upper() + "_AGENT"
