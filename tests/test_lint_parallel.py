"""Several processes, other executors: the same findings in the same order."""

from __future__ import annotations

import gc
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
from agentgate.lint.own import Own


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for number in range(120):
        (tmp_path / f"f{number:03}.py").write_text(f"x = input('{number}')\n" if number % 3 else "y = 1\n")
    (tmp_path / "f050.py").write_text("input(\n")
    return tmp_path


@pytest.fixture(params=["forks", "a pool"])
def at_once(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Several processes from the second file on, of either kind."""
    for name in ("_ENOUGH_FOR_FORKS", "_ENOUGH"):
        monkeypatch.setattr(parallel, name, 0.0)
    if request.param == "a pool":
        monkeypatch.setattr(parallel, "_forks", lambda: False)
    elif sys.platform != "linux":
        pytest.skip("forks are for Linux")
    return str(request.param)


def test_several_processes_give_what_one_gives(tree: Path, at_once: str) -> None:
    alone = lint_paths([str(tree)], jobs=1)
    assert len(alone.findings) == 80
    calls: list[tuple[int, int]] = []
    assert lint_paths([str(tree)], jobs=2, progress=lambda done, total: calls.append((done, total))) == alone
    assert calls[-1] == (120, 120)
    assert calls == sorted(calls)
    assert gc.get_freeze_count() == 0, "what the caller had made is still collected"


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


def test_a_worker_that_dies_loses_nothing(tree: Path, at_once: str, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = lint_paths([str(tree)], jobs=1)
    real, parent = parallel._report, os.getpid()

    def report(path: str, own: Own) -> FileReport:
        if os.getpid() != parent and path.endswith("f090.py"):
            os._exit(9)
        return real(path, own)

    monkeypatch.setattr(parallel, "_report", report)
    monkeypatch.setattr(parallel, "_in_worker", os.abort)  # what a pool starts anew knows nothing of `report`
    assert lint_paths([str(tree)], jobs=2) == alone


def test_where_no_process_can_be_made_all_is_read_here(
    tree: Path, at_once: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if at_once != "forks":
        pytest.skip("a pool fails as the system says")
    alone = lint_paths([str(tree)], jobs=1)

    def fork() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", fork)
    assert lint_paths([str(tree)], jobs=2) == alone


def test_more_processes_than_there_can_be(tmp_path: Path) -> None:
    for number in range(1200):
        (tmp_path / f"f{number}.py").write_text("input()\n" * 20)
    few = f"ulimit -n 256; exec {sys.executable} -m agentgate lint --no-cache --jobs 1000 --statistics ."
    done = subprocess.run(["sh", "-c", few], cwd=tmp_path, env=environment(agent=False), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("24000  AG105  input\n")


FEW_FILES = """
import os, resource, sys
from agentgate.lint import forks, lint_paths, parallel

parallel._ENOUGH_FOR_FORKS = 0
alone = lint_paths(sys.argv[1:2], jobs=1)
lowest = os.dup(0)
os.close(lowest)
most = lowest + int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
print(lint_paths(sys.argv[1:2], jobs=16) == alone)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no process is forked")
@pytest.mark.parametrize("spare", [4, 12, 19, 20, 21, 40])
def test_where_few_files_can_be_open_all_are_read(tree: Path, spare: int) -> None:
    command = [sys.executable, "-c", FEW_FILES, str(tree), str(spare)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout == "True\n", done.stderr


LARGE = """
tasks = [[f"{number}"] * 200 for number in range(300)]
counted = []
shares = [tasks[:10], tasks[10:250], tasks[250:]]
found = forks.run(shares, lambda batch: [path * 1000 for path in batch], counted.append)
assert found == {number: [f"{number}" * 1000] * 200 for number in range(300)}
assert sum(counted) == 300 * 200
"""
HELPED = """
def work(batch):
    time.sleep(0.02)
    return [os.getpid()]

found = forks.run([[["a"]], [[f"{number}"] for number in range(50)]], work, lambda files: None)
takers = {process for number in range(1, 51) for process in found[number]}
assert len(takers) == 2 and os.getpid() not in takers
"""


@pytest.mark.parametrize(
    "code", [LARGE, HELPED], ids=["results larger than a pipe come whole", "one that is through helps"]
)
def test_forks(code: str) -> None:
    command = [sys.executable, "-c", f"import os, time\nfrom agentgate.lint import forks\n{code}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert not done.returncode, done.stderr


INTERRUPTED = """
import os, signal, sys, time
from agentgate.lint import forks

def work(batch):
    os.write(1, f"{os.getpid()}\\n".encode())
    time.sleep(60)

signal.signal(signal.SIGALRM, signal.default_int_handler)
signal.setitimer(signal.ITIMER_REAL, 0.5)
try:
    forks.run([[["a"]], [["b"]]], work, lambda files: None)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_an_interrupt_ends_all_forks() -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], cwd=ROOT, capture_output=True, text=True, timeout=30)
    *forked, last = done.stdout.split()
    assert last == "interrupted", done.stderr
    assert len(forked) == 2
    for process in forked:
        with pytest.raises(ProcessLookupError):
            os.kill(int(process), 0)


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
