"""Several processes, other executors: the same findings in the same order."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from programs import ROOT, environment

from agentgate.lint import lint_paths, parallel
from agentgate.lint.config import read
from agentgate.lint.finding import FileReport


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for number in range(120):
        (tmp_path / f"f{number:03}.py").write_text(f"x = input('{number}')\n" if number % 3 else "y = 1\n")
    (tmp_path / "f050.py").write_text("input(\n")
    return tmp_path


def test_a_pool_gives_what_one_process_gives(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = lint_paths([str(tree)], jobs=1)
    assert len(alone.findings) == 80
    monkeypatch.setattr(parallel, "_ALONE", 0.0)
    monkeypatch.setattr(parallel, "_ENOUGH", 0.0)
    calls: list[tuple[int, int]] = []
    assert lint_paths([str(tree)], jobs=2, progress=lambda done, total: calls.append((done, total))) == alone
    assert calls[-1] == (120, 120)
    assert calls == sorted(calls)


@pytest.mark.parametrize("start", ["spawn"])
def test_any_executor(tree: Path, start: str) -> None:
    alone = lint_paths([str(tree)], jobs=1)
    with ProcessPoolExecutor(2, mp_context=get_context(start)) as pool:
        assert lint_paths([str(tree)], pool) == alone
    with ThreadPoolExecutor(2) as threads:
        assert lint_paths([str(tree)], threads) == alone


def test_workers_know_the_projects_own_calls(tmp_path: Path) -> None:
    (tmp_path / "agentgate.toml").write_text("select = ['AG2']\n[[effects]]\ncalls = ['cloud.drop']\ndestroys = true\n")
    for number in range(4):
        (tmp_path / f"f{number}.py").write_text("import cloud\n@app.command()\ndef f():\n    cloud.drop()\n")
    chosen = read(str(tmp_path / "agentgate.toml"))
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        found = lint_paths([str(tmp_path)], pool, config=chosen)
    assert [finding.call for finding in found.findings] == ["cloud.drop"] * 4


def test_a_worker_that_dies_loses_nothing(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = lint_paths([str(tree)], jobs=1)
    real, parent = parallel._report, os.getpid()

    def report(path: str, own: None) -> FileReport:
        if os.getpid() != parent and path.endswith("f090.py"):
            os._exit(9)
        return real(path, own)

    monkeypatch.setattr(parallel, "_ALONE", 0.0)
    monkeypatch.setattr(parallel, "_ENOUGH", 0.0)
    monkeypatch.setattr(parallel, "_report", report)
    assert lint_paths([str(tree)], jobs=2) == alone


def test_a_dask_cluster_of_two_workers(tree: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    alone = lint_paths([str(tree)], jobs=1)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        done = subprocess.run(
            [
                *(sys.executable, "-m", "agentgate", "lint", "--format", "jsonl", "--no-cache"),
                *("--dask", cluster.scheduler_address, str(tree)),
            ],
            env=environment(agent=False),
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
    assert done.returncode == 1, done.stderr
    assert len(done.stdout.splitlines()) == len(alone.findings)


@pytest.mark.parametrize("address", ["nonsense", "tcp://127.0.0.1:9"])
def test_dask_without_a_scheduler_is_one_sentence(tree: Path, address: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "agentgate", "lint", "--dask", address, str(tree)],
        env=environment(agent=False),
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "--dask" in done.stderr
