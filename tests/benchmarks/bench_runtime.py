"""What agentgate costs a program, against the limits of the design (`make bench`).

Each figure is the best of several runs, so that a busy machine cannot fail it by much.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable

import pytest
from programs import environment

ROUNDS = 15
IMPORT = "import time; start = time.perf_counter(); import agentgate; print(time.perf_counter() - start)"
GATE = """
import timeit, agentgate
print(min(timeit.repeat(lambda: agentgate.gate(input), number=2000, repeat=9)) / 2000)
"""
DETECT = """
import timeit, agentgate
print(min(timeit.repeat(agentgate.detect_agent, number=2000, repeat=9)) / 2000)
"""
THIRTY_READS = """
import os, timeit
names = [f"AGENT_VARIABLE_{n}" for n in range(30)]
print(min(timeit.repeat(lambda: [os.environ.get(name) for name in names], number=2000, repeat=9)) / 2000)
"""
STOP = "from agentgate import gate; gate(input)('Name: ')"
CONSENT = "from agentgate import require_consent; require_consent('delete', 'Delete it?', plan=['a', 'b'])"
IN_ITS_PLACE = "raise SystemExit(3)"


def measured(code: str, *, rounds: int = 3) -> float:
    """The best of what a program prints about itself, in seconds."""
    return min(
        float(
            subprocess.run(
                [sys.executable, "-c", code], env=environment(agent=False), capture_output=True, check=True
            ).stdout
        )
        for _ in range(rounds)
    )


def wall(code: str) -> float:
    """The best wall time of an agent's run."""
    best = 60.0
    for _ in range(ROUNDS):
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", code], env=environment(agent=True), stdin=subprocess.DEVNULL, capture_output=True
        )
        best = min(best, time.perf_counter() - start)
    return best


FIGURES: dict[str, tuple[Callable[[], float], float, str]] = {
    "import agentgate": (lambda: measured(IMPORT, rounds=ROUNDS) * 1e3, 5, "ms"),
    "gate(input) for a person": (lambda: measured(GATE) * 1e6, 5, "us"),
    "detect_agent() with no agent": (lambda: measured(DETECT) * 1e6, 15, "us"),
    "detect_agent() against thirty environment reads": (lambda: measured(DETECT) / measured(THIRTY_READS), 1, "times"),
    "a consent's stop with its row, over the program's own": (
        lambda: (wall(CONSENT) - wall(IN_ITS_PLACE)) * 1e3,
        60,
        "ms",
    ),
    "an agent's stop, over the program's own time": (lambda: (wall(STOP) - wall(IN_ITS_PLACE)) * 1e3, 60, "ms"),
}


@pytest.mark.parametrize("what", FIGURES)
def test_figure(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    figure, limit, unit = FIGURES[what]
    value = figure()
    with capsys.disabled():
        print(f"\n{what:50} {value:8.2f} {unit} (limit {limit})", end="")
    assert value <= limit
