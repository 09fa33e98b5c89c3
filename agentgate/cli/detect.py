"""`agentgate detect`: which agent runs this, and what told."""

from __future__ import annotations

import argparse

from ..runtime import mode
from ..surfaces.effects import effects
from . import output

__all__ = ["SUMMARY", "add_arguments", "run"]

SUMMARY = "say which agent runs this command, by which signal, from which list"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    output.add_format_arguments(parser)


@effects("read_only")
def run(arguments: argparse.Namespace) -> int:
    """Print the detected agent. A variable's value is never printed."""
    agent = mode.current_agent()
    as_agent = mode.agent_run()
    if output.wants_json(arguments):
        found = (
            {"name": agent.name, "family": agent.family, "signal": agent.signal, "source": agent.source}
            if agent
            else None
        )
        return output.print_outcome({"agent": found, "mode": "agent" if as_agent else "person"})
    if agent is None:
        output.print_text("no agent detected")
    else:
        output.print_text(f"{agent.name} (family {agent.family}), by {agent.signal}, from the list of {agent.source}")
    if as_agent != (agent is not None):
        output.print_text(f"programs are run as for {'an agent' if as_agent else 'a person'} all the same (mode)")
    return 0
