"""Paths to files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentgate.lint import UsageError, lint_paths
from agentgate.lint.discover import discover


def names(*paths: Path) -> list[str]:
    return [os.path.basename(target.path) for target in discover([str(path) for path in paths]) if not target.skipped]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in (
        "b.py",
        "a.pyw",
        "c.pyi",
        "d.ipynb",
        "script",
        "e.txt",
        "pkg/f.py",
        "venv/g.py",
        ".git/h.py",
        "build/i.py",
        "_agentgate/j.py",
    ):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("input('x')\n")
    return tmp_path


def test_a_folder_gives_its_python_files_in_order(tree: Path) -> None:
    assert names(tree) == ["a.pyw", "b.py", "f.py"]


def test_what_lies_here_is_named_without_a_folder(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree)
    assert [target.path for target in discover(["."])] == ["a.pyw", "b.py", os.path.join("pkg", "f.py")]
    assert [target.path for target in discover([os.path.join(".", "pkg"), "."])][1:] == ["a.pyw", "b.py"]


def test_what_is_named_is_read(tree: Path) -> None:
    (tree / "tool.sh").write_text("#!/usr/bin/env python3\n")
    assert names(tree / "script", tree / "tool.sh", tree / "venv" / "g.py") == ["script", "tool.sh", "g.py"]
    assert names(tree / "c.pyi", tree / "d.ipynb", tree / "e.txt") == []
    assert lint_paths([str(tree / "c.pyi")]).skipped == (str(tree / "c.pyi"),)


def test_an_excluded_folder_is_read_when_it_is_named(tree: Path) -> None:
    assert names(tree / "venv") == ["g.py"]


def test_each_file_once(tree: Path) -> None:
    assert names(tree, tree / "b.py", tree / "pkg", tree) == ["a.pyw", "b.py", "f.py"]


def test_links_are_not_followed_down(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "z.py").write_text("input('x')\n")
    (tree / "loop").symlink_to(tree)
    (tree / "out").symlink_to(elsewhere)
    (tree / "z.py").symlink_to(elsewhere / "z.py")
    (tree / "dead.py").symlink_to(tree / "nothing")
    assert names(tree) == ["a.pyw", "b.py", "f.py"]
    assert names(tree / "z.py") == ["z.py"]


def test_a_missing_path_is_a_usage_error(tree: Path) -> None:
    with pytest.raises(UsageError, match="no such file or folder: nothing"):
        list(discover([str(tree), "nothing"]))


def test_what_is_no_file_is_never_opened(tree: Path) -> None:
    os.mkfifo(tree / "pipe.py")
    (tree / "folder.py").mkdir()
    assert names(tree) == ["a.pyw", "b.py", "f.py"]
    for name, reason in (("pipe.py", "is not a regular file"), ("folder.py", "is a folder")):
        [finding] = lint_paths([str(tree / name)]).findings
        assert finding.code == "AG901"
        assert reason in finding.message


def test_an_unreadable_file_is_reported_and_the_rest_read(tree: Path) -> None:
    (tree / "broken.py").write_text("input(\n")
    result = lint_paths([str(tree)])
    assert [(os.path.basename(finding.path), finding.code) for finding in result.findings] == [
        ("a.pyw", "AG105"),
        ("b.py", "AG105"),
        ("broken.py", "AG901"),
        ("f.py", "AG105"),
    ]


def test_any_file_name_will_do(tmp_path: Path) -> None:
    odd = os.path.join(os.fsencode(tmp_path), b"new\nline \xff.py")
    with open(odd, "wb") as file:
        file.write(b"input('x')\n")
    [finding] = lint_paths([str(tmp_path)]).findings
    assert os.fsencode(finding.path) == odd


def test_no_python_at_all(tmp_path: Path) -> None:
    assert lint_paths([str(tmp_path)]).files == 0
