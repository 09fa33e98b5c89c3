"""What git ignores is not looked at: held to what git itself says."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from agentgate.lint import Config
from agentgate.lint.discover import discover

FILES = ("a.py", "out/b.py", "out/keep.py", "pkg/c.py", "pkg/gen/d.py", "pkg/x_gen.py", "deep/e/f.py", "deep/g.py")
IGNORES = {
    # some lines are no patterns, which git passes over
    ".gitignore": "# comment\n!\n/out/*\n[z-a]*\n\\\n!/out/keep.py\nout\\\n*_gen.py\n",
    "pkg/.gitignore": "gen/\n!x_gen.py\n",
    "deep/.gitignore": "**/f.py\n",
    ".git/info/exclude": "deep/g.py\n",
}


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_the_same_files_as_git(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    for name in FILES:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    for name, text in IGNORES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    listed = subprocess.run(
        ["git", "-C", str(tmp_path), "ls-files", "--others", "--exclude-standard", "*.py"],
        capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    assert len(listed) == 4

    def seen(folder: Path, config: Config | None = None) -> list[str]:
        return sorted(os.path.relpath(target.path, tmp_path) for target in discover([str(folder)], config))

    assert seen(tmp_path) == sorted(listed)
    assert seen(tmp_path / "pkg") == [one for one in sorted(listed) if one.startswith("pkg")]
    assert seen(tmp_path, Config(respect_gitignore=False)) == sorted(FILES)
    assert seen(tmp_path / "out" / "b.py") == ["out/b.py"]


def test_a_folder_that_was_named_itself(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    for name in ("made/a.py", "made/sub/b.py", "made/sub/c_gen.py", "made/own/d.py", "out/sub/e.py", "out/f.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    (tmp_path / ".gitignore").write_text("made/\n*_gen.py\n/out/*\n")
    (tmp_path / "made" / ".gitignore").write_text("own\n")

    def seen(*paths: str) -> list[str]:
        found = discover([str(tmp_path / path) for path in paths])
        return [os.path.relpath(target.path, tmp_path) for target in found]

    assert seen(".") == []
    assert seen("made") == ["made/a.py", "made/sub/b.py"]
    assert seen("made/sub") == ["made/sub/b.py"]
    assert seen("made/own") == ["made/own/d.py"]
    assert seen("out") == []
    assert seen("out/sub", "out/f.py", "made/sub/c_gen.py") == ["out/sub/e.py", "out/f.py", "made/sub/c_gen.py"]


def test_outside_of_a_repository_it_says_nothing(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*.py\n")
    (tmp_path / "a.py").write_text("")
    assert len(list(discover([str(tmp_path)]))) == 1
