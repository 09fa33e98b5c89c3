"""SECURITY.md names a test for each claim: they exist."""

from __future__ import annotations

import ast
import re

import pytest
from programs import ROOT

NAMED = sorted(set(re.findall(r"`(test_\w+): (test_\w+)`", (ROOT / "SECURITY.md").read_text("utf-8"))))


def test_there_are_claims() -> None:
    assert len(NAMED) > 40


@pytest.mark.parametrize(("module", "name"), NAMED)
def test_the_named_test_exists(module: str, name: str) -> None:
    tree = ast.parse((ROOT / "tests" / f"{module}.py").read_text("utf-8"))
    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
