"""What a user's type checker sees: `gate` gives back the type that it was given, overloads and all."""

from __future__ import annotations

from pathlib import Path

import pytest
from mypy import api

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = """
import getpass
import click
from agentgate import Agent, Consent, detect_agent, gate, require_consent, run

reveal_type(gate(input)("Name: "))
reveal_type(gate.later(getpass.getpass)("Key: "))
reveal_type(gate(click.prompt)("Port", type=int))
reveal_type(gate(click.confirm, reason="delete")("Sure?"))
reveal_type(require_consent("delete", plan=["a"]))
reveal_type(detect_agent())
reveal_type(run(lambda: 3))
gate(input)(nonsense=1)
"""


def test_the_types_are_those_of_the_prompt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MYPYPATH", str(ROOT))  # an editable install is not seen
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    said, _, _ = api.run(
        [str(program), "--strict", "--no-incremental", "--cache-dir", str(tmp_path / "cache"), "--no-error-summary"]
    )
    lines = [line.partition(": ")[2] for line in said.splitlines()]
    assert lines == [
        'note: Revealed type is "str"',
        'note: Revealed type is "str"',
        'note: Revealed type is "int"',
        'note: Revealed type is "bool"',
        'note: Revealed type is "agentgate.runtime.consent.Consent"',
        'note: Revealed type is "agentgate.runtime.detection.Agent | None"',
        'note: Revealed type is "int"',
        'error: Unexpected keyword argument "nonsense" for "input"  [call-arg]',
    ], said
