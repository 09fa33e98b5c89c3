"""Every file in fixtures/lint says on each line what must be found there; nothing else may be."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agentgate.lint.engine import engine

FOLDER = Path(__file__).parent.parent / "fixtures" / "lint"
EXPECT = re.compile(r"# expect(?P<where>-next|-above)?: (?P<codes>AG\d+(?:, AG\d+)*)")


def expected(text: str) -> list[tuple[int, str]]:
    shift = {None: 0, "-next": 1, "-above": -1}
    return sorted(
        (number + shift[found["where"]], code)
        for number, line in enumerate(text.splitlines(), 1)
        for found in EXPECT.finditer(line)
        for code in found["codes"].split(", ")
    )


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_finds_what_the_lines_say(path: Path) -> None:
    found = engine().report(str(path), path.read_bytes()).findings  # of all rules, also those that are off by default
    assert sorted((finding.line, finding.code) for finding in found) == expected(path.read_text("utf-8"))
