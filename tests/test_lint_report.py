"""The text report and the plain data."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from agentgate.lint import lint_paths
from agentgate.lint.report import text


def test_text(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("if 1:\n\tx = input('Näme: '), 'é', input('y')\n", "utf-8")
    report = text.render(lint_paths([str(path)]), color=False)
    assert report.startswith(f"{path}:2:6: AG101 `input` waits for a value")
    assert "2 | \tx = input('Näme: '), 'é', input('y')\n  | \t    ^^^^^\n" in report
    assert report.endswith("Found 2 prompts in 1 file (2 fixable with `agentgate fix`).\n")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = input('x')\n", "Found 1 prompt in 1 file (1 fixable with `agentgate fix`)."),
        ("import os; os.getenv('CLAUDECODE'); breakpoint()\n", "Found 1 prompt and 1 other finding in 1 file."),
        ("import os; os.getenv('CLAUDECODE')\n", "Found 1 finding in 1 file."),
        ("import os; os.getenv('CLAUDECODE'); os.getenv('CODEX_CI')\n", "Found 2 findings in 1 file."),
    ],
)
def test_the_summary_calls_a_prompt_only_what_is_one(tmp_path: Path, source: str, expected: str) -> None:
    (tmp_path / "a.py").write_text(source)
    assert text.summary(lint_paths([str(tmp_path)])) == expected


def test_color_changes_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = input('日本: ')\n", "utf-8")
    result = lint_paths([str(tmp_path)])
    plain, colored = text.render(result, color=False), text.render(result, color=True)
    assert plain != colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == plain


def test_clean_empty_and_unreadable(tmp_path: Path) -> None:
    assert text.render(lint_paths([str(tmp_path)]), color=False) == "No Python files found.\n"
    (tmp_path / "a.py").write_text("x = 1\n")
    assert text.render(lint_paths([str(tmp_path)]), color=False) == "No findings in 1 file.\n"
    (tmp_path / "a.py").write_text("input(\n")
    report = text.render(lint_paths([str(tmp_path)]), color=False)
    assert "AG901 is not valid Python" in report
    assert report.endswith("Found nothing; 1 file could not be read.\n")


def test_what_is_named_and_not_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "b.ipynb").write_text("{}")
    paths = [str(tmp_path / "a.py"), str(tmp_path / "b.ipynb")]
    assert text.summary(lint_paths(paths)) == "No findings in 1 file. Skipped 1 file of another kind."
    assert text.summary(lint_paths(paths[1:])) == "No Python files found. Skipped 1 file of another kind."


def test_nothing_of_the_file_reaches_the_terminal_raw(tmp_path: Path) -> None:
    (tmp_path / "a\x1b\n.py").write_text("x = input('\x1b[2J\x07'); y = '\x1b[2J'\n")
    report = text.render(lint_paths([str(tmp_path)]), color=False)
    assert "\x1b" not in report
    assert "\x07" not in report


@pytest.mark.parametrize("before", ["\x0c", "'\x1b'; ", "'\u200b\x85'; ", "'日本'; ", "'e\u0301'; "])
def test_the_caret_stands_under_what_is_shown(tmp_path: Path, before: str) -> None:
    (tmp_path / "a.py").write_text(f"{before}x = input('x')\n", "utf-8")
    _, line, carets, *_ = text.render(lint_paths([str(tmp_path)]), color=False).splitlines()
    columns = line.index("input") + line.count("日") + line.count("本") - line.count("\u0301")
    assert carets.index("^") == columns


def test_a_long_line_is_cut_around_its_prompt(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = [" + "1, " * 400_000 + "input('x')]\n")
    report = text.render(lint_paths([str(tmp_path)]), color=False)
    assert len(report) < 1000
    assert "input('x')" in report
    where = report.splitlines()[1].index("input")
    assert report.splitlines()[2][where : where + 5] == "^^^^^"


def test_data_is_json(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("import click\nclick.confirm('Sure?')\nbreakpoint()\n")
    data = json.loads(json.dumps(lint_paths([str(path)]).data()))
    assert data["findings"][0] == {
        "code": "AG102",
        "kind": "confirm",
        "call": "click.confirm",
        "path": str(path),
        "line": 2,
        "column": 1,
        "end_line": 2,
        "end_column": 14,
        "label": "Sure?",
        "name": "sure",
        "message": "`click.confirm` asks for a go-ahead: an agent would hang, or say yes in a person's place",
        "fix": "safe",
    }
    assert data["summary"] == {
        "files": 1,
        "files_with_findings": 1,
        "findings": 2,
        "fixable": 1,
        "codes": {"AG102": 1, "AG107": 1},
        "skipped": [],
    }
