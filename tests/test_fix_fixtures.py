"""Pairs of files in fixtures: `x.before.py` becomes `x.after.py`, and that stays as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentgate.fix import fix_source
from agentgate.lint import lint_file

FIXTURES = Path(__file__).parent.parent / "fixtures"
PAIRS = sorted(FIXTURES.glob("*/*.before.py"))


def fixed(path: Path, data: bytes) -> bytes:
    change, left = fix_source(str(path), data)
    assert not [rest for rest in left if rest.finding.fix == "safe"], left
    return change.after if change else data


@pytest.mark.parametrize("before", PAIRS, ids=lambda path: f"{path.parent.name}/{path.name[:-10]}")
def test_before_becomes_after(before: Path) -> None:
    after = before.with_name(before.name.replace(".before.", ".after."))
    assert fixed(before, before.read_bytes()).decode() == after.read_text("utf-8")


@pytest.mark.parametrize("before", PAIRS, ids=lambda path: f"{path.parent.name}/{path.name[:-10]}")
def test_after_has_nothing_left_to_fix(before: Path) -> None:
    after = before.with_name(before.name.replace(".before.", ".after."))
    data = after.read_bytes()
    assert fixed(after, data) == data
    assert [finding for finding in lint_file(str(after), data) if finding.fix == "safe"] == []
