"""Tells a person that a question waits, by the command of their own policy (`[approve] notify`)."""

from __future__ import annotations

import os
import subprocess

from ..runtime import streams

__all__ = ["tell"]


def tell(command: tuple[str, ...], name: str) -> None:
    """Start the command with one more argument, the sentence to show; it is not waited for.

    The sentence holds nothing that an agent or a program has said: only the ID. Through no shell.
    """
    if not command:
        return
    sentence = f"An agent waits for your consent. Look at it with: agentgate approve {name}"
    try:
        child = subprocess.Popen(
            [*command, sentence],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd=os.path.abspath(os.sep),
            env={**os.environ, "AGENTGATE_APPROVE_ID": name},
        )
        child.returncode = 0  # nobody waits for it, and Python need not complain
    except (OSError, ValueError) as error:
        streams.say(f"agentgate: warning: the notify command did not start: {error}\n")
