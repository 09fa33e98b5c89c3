"""The small programs in fixtures/cases: the lint and the fix stage of each, in process.

`expected.json` gives the lines to find. The case's own header says what it is about.
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

from agentgate.fix import fix_source
from agentgate.lint import Finding, lint_file, lint_paths
from agentgate.lint.load import Unreadable

FOLDER = Path(__file__).parent.parent / "fixtures" / "cases"
CASES: list[dict[str, Any]] = json.loads((FOLDER / "expected.json").read_text("utf-8"))
# what an expected outcome may be called by a rule
RULES = {
    "missing_input": {"AG101", "AG104", "AG105", "AG106", "AG108", "AG109"},
    "consent_required": {"AG102", "AG104", "AG108"},
    "auth_required": {"AG103", "AG104", "AG108", "AG109"},
    "lint_only": {"AG101", "AG105", "AG106", "AG107", "AG109", "AG203", "AG301"},
}
# codes that a line without an expectation must not get
PROMPT_RULES = {f"AG10{number}" for number in range(1, 10)}
UNREADABLE = ("syntax_error", "null_bytes", "python2_file")
NOT_PYTHON = ("stub_file", "notebook")

by_id = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']}_{case['slug']}")


def lint(case: dict[str, Any]) -> list[Finding]:
    path = FOLDER / case["file"]
    return list(lint_paths([str(path)]).findings)


@by_id
def test_lint(case: dict[str, Any]) -> None:
    found = lint(case)
    if case["slug"] in UNREADABLE:
        assert [finding.code for finding in found] == ["AG901"]
        return
    if case["slug"] == "deep_nesting":
        assert [finding.line for finding in found] == [1, 62]
        return
    prompts = [finding for finding in found if finding.code in PROMPT_RULES]
    for finding in prompts:
        accepted = [want for want in case["lint"] if want["line"] == finding.line]
        assert any(finding.code in RULES[want["code"]] for want in accepted), finding
    assert {finding.line for finding in prompts} == {want["line"] for want in case["lint"]}
    for forbidden in case["must_not_lint"]:
        assert not [one for one in found if (one.line, one.call) == (forbidden["line"], forbidden["api"])]


@by_id
def test_fix(case: dict[str, Any]) -> None:
    path = FOLDER / case["file"]
    before = path.read_bytes()
    if case["slug"] in UNREADABLE:
        with pytest.raises(Unreadable):
            fix_source(str(path), before)
        return
    if case["slug"] in NOT_PYTHON:
        assert lint_paths([str(path)]).files == 0
        return
    change, _ = fix_source(str(path), before)
    assert (change is not None) == any(finding.fix == "safe" for finding in lint(case))
    if change is None:
        return
    after = change.after
    compile(after, case["file"], "exec", dont_inherit=True)
    assert before.startswith(b"\xef\xbb\xbf") == after.startswith(b"\xef\xbb\xbf")
    assert before.endswith(b"\n") == after.endswith(b"\n")
    assert before.count(b"\r\n") == 0 or after.count(b"\n") == after.count(b"\r\n")
    assert squeezed(without_gates(after)) == squeezed(before)
    assert fix_source(str(path), after)[0] is None
    assert not [finding for finding in lint_file(str(path), after) if finding.fix == "safe"]


def squeezed(data: bytes) -> bytes:
    """Blank lines around the new import are ours to set."""
    return re.sub(rb"[\r\n]+", b"\n", data)


def without_gates(data: bytes) -> bytes:
    """The source with all wraps, and the import, cut out: written apart from the product."""
    lines = data.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    mark = 3 if data.startswith(b"\xef\xbb\xbf") else 0

    def at(line: int, column: int) -> int:
        return starts[line - 1] + column + (mark if line == 1 else 0)

    names = ("gate", "gate.later", "agentgate.gate", "agentgate.gate.later", "agent_gate", "agent_gate.later")
    cuts: list[tuple[int, int]] = []
    for node in ast.walk(ast.parse(data)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in names:
            inner = node.args[0]
            cuts.append((at(node.lineno, node.col_offset), at(inner.lineno, inner.col_offset)))
            cuts.append((at(inner.end_lineno, inner.end_col_offset), at(node.end_lineno, node.end_col_offset)))
        elif isinstance(node, ast.ImportFrom) and node.module == "agentgate" and node.names[0].name == "gate":
            cuts.append((starts[node.lineno - 1], starts[node.lineno]))
    for start, end in sorted(cuts, reverse=True):
        data = data[:start] + data[end:]
    return data


def test_python_2_is_told_as_such() -> None:
    path = FOLDER / "069_python2_file.py"
    [finding] = lint_paths([str(path)]).findings
    assert "looks like Python 2" in finding.message
    assert finding.line == 6
