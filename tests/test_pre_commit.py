"""The hooks, run by pre-commit itself in a repository that is thrown away.

The hooks are installed from this source tree into an environment that pre-commit would make; here it is the running
one (`language: system`), so that no index is needed. What the hooks file says otherwise is taken as it is.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from programs import ROOT, environment

pytest.importorskip("pre_commit", reason="pre-commit is not installed")
yaml = pytest.importorskip("yaml", reason="pyyaml is not installed")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    for hook in hooks:
        assert hook.pop("language") == "python"
        hook["language"] = "system"
        hook["entry"] = hook["entry"].replace("agentgate", f"{sys.executable} -m agentgate", 1)
    config = {"repos": [{"repo": "local", "hooks": hooks}]}
    (tmp_path / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    (tmp_path / "a.py").write_text("x = input('x')\n")
    (tmp_path / "b.pyi").write_text("x = input('x')\n")
    (tmp_path / "skipped.py").write_text("x = input('x')\n")
    (tmp_path / "tool").write_text("#!/usr/bin/env python3\nx = input('x')\n")
    (tmp_path / "tool").chmod(0o755)
    (tmp_path / "agentgate.toml").write_text("extend-exclude = ['skipped.py']\n")
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    return tmp_path


def run(repository: Path, hook: str) -> subprocess.CompletedProcess[str]:
    env = {
        **environment(agent=False),
        "PYTHONPATH": str(ROOT),
        "PRE_COMMIT_HOME": str(repository / ".git" / "pre-commit"),
        "AGENTGATE_CACHE_DIR": str(repository / ".git" / "agentgate"),
    }
    return subprocess.run(
        [sys.executable, "-m", "pre_commit", "run", hook, "--all-files"],
        cwd=repository, env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def test_lint(repository: Path) -> None:
    done = run(repository, "agentgate-lint")
    assert done.returncode == 1, done
    assert "a.py:1:5: AG101" in done.stdout
    assert "tool:2:5: AG101" in done.stdout
    assert "b.pyi" not in done.stdout
    assert "skipped.py" not in done.stdout


def test_fix(repository: Path) -> None:
    done = run(repository, "agentgate-fix")
    assert done.returncode == 1, done  # pre-commit says that files were modified
    assert "gate(input)" in (repository / "a.py").read_text()
    subprocess.run(["git", "add", "."], cwd=repository, check=True)
    assert run(repository, "agentgate-fix").returncode == 0
    assert run(repository, "agentgate-lint").returncode == 0
