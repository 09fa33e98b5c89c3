"""The tests' own surroundings must not matter: run by an agent, in CI, as root or not, they see the same."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from programs import PLACES

from agentgate.runtime import detection


def _is_about_agents(name: str) -> bool:
    return name in detection.SIGNALS or name.startswith("AGENTGATE_") or name == "CLAUDE_CODE_IS_COWORK"


os.environ.update(PLACES)
for _name in filter(_is_about_agents, list(os.environ)):
    del os.environ[_name]


# a runner in the background of a shell ignores an interrupt, and so would every program that a test starts
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def as_agent(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This process is an agent's, with a runtime that has not been asked anything yet."""
    from agentgate.runtime import answers, consent, state

    monkeypatch.setenv("CLAUDECODE", "1")
    for name in ("tokens", "accepted", "used", "secrets", "withheld", "_given", "_sources", "_raw"):
        monkeypatch.setattr(answers, name, [])
    for name in ("_waiting", "_taken"):
        monkeypatch.setattr(answers, name, {})
    monkeypatch.setattr(answers, "_loaded", False)
    monkeypatch.setattr(consent, "_asked", {})
    for name, value in (("forced", None), ("mode_option", None), ("program", None), ("owns_options", False)):
        monkeypatch.setattr(state, name, value)
    monkeypatch.setattr(state, "stripped_argv", None)
    monkeypatch.setattr(state, "agent", None)
    yield
