"""How fast the linter is beside ruff, on the same files, in one loop.

    python tests/benchmarks/lint_speed.py [--python PATH] [--rounds N] [--peers [--limit MINUTES]]

The files are those of the accuracy corpus where it has been fetched (`make corpus`), else all that is installed.
Every figure is a median of wall times with everything included: start of the interpreter, reading, reporting. The
caches of all tools are in a folder of their own; what Python and agentgate keep of themselves (compiled modules, the
parsed catalog) is there, as it is after the first run of all. ast-grep, semgrep and fixit, which look for calls of
the same names, are slow: each runs once a tree, and no longer than the limit. Prints one markdown table.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "corpus"))

import peers  # noqa: E402

CORPUS = Path(os.environ.get("AGENTGATE_CORPUS", HERE.parent.parent / ".corpus")).absolute() / "tree"
# as for a person who has installed it: modules are compiled once
OTHERS = ("CLAUDE", "AGENTGATE_", "PYTHONDONTWRITEBYTECODE")
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(OTHERS)}


def measure(command: list[str], limit: float = threading.TIMEOUT_MAX) -> tuple[float, float]:
    """The wall time in seconds of a run, and the most memory in MiB that one process of it took.

    limit: the seconds after which it is cut off, with all that it started.
    """
    start = time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT, start_new_session=True
    )
    timer = threading.Timer(limit, os.killpg, (process.pid, signal.SIGKILL))
    timer.daemon = True
    timer.start()
    _, status, used = os.wait4(process.pid, 0)
    timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return time.perf_counter() - start, used.ru_maxrss / 1024


def trees(folder: Path, python: str) -> dict[str, list[str]]:
    """What is measured: many files, one package, and only files with a prompt."""
    if CORPUS.is_dir():
        everything, package = [str(CORPUS)], [str(next(CORPUS.glob("django-*")) / "django")]
    else:
        everything = [sysconfig.get_path("stdlib"), sysconfig.get_path("purelib")]
        package = [sysconfig.get_path("stdlib")]
    with_prompts = folder / "prompts"
    with_prompts.mkdir()
    listed = subprocess.run(
        [python, "-m", "agentgate", "lint", "--isolated", "--format", "jsonl", *everything],
        capture_output=True, text=True, env=ENVIRONMENT,
    ).stdout  # fmt: skip
    import json

    paths = sorted({json.loads(line)["path"] for line in listed.splitlines()})
    for number, path in enumerate(paths):
        shutil.copy(path, with_prompts / f"f{number:04}.py")
    return {"many files": everything, "one package": package, "files with a prompt": [str(with_prompts)]}


def files_in(paths: list[str]) -> int:
    return sum(1 for path in paths for _ in Path(path).rglob("*.py"))


def commands(folder: Path, python: str, paths: list[str]) -> dict[str, list[str]]:
    """The command of each tool in the loop."""
    ours = [python, "-m", "agentgate", "lint", "--isolated", "--no-json"]
    ruff = [shutil.which("ruff") or "ruff", "check", "--quiet", "--config", str(folder / "ruff.toml")]
    return {
        "agentgate, cold": [*ours, "--no-cache", *paths],
        "ruff, cold": [*ruff, "--no-cache", *paths],
        "agentgate, warm": [*ours, "--cache-dir", str(folder / "ours"), *paths],
        "ruff, warm": [*ruff, "--cache-dir", str(folder / "ruff"), *paths],
    }


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--python", default=sys.executable, help="one in which agentgate is installed")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peers", action="store_true", help="also measure ast-grep, semgrep and fixit, where found")
    parser.add_argument("--limit", type=float, default=10, help="minutes that one run of these may take (default: 10)")
    arguments = parser.parse_args()
    say: Callable[[str], None] = lambda text: print(text, flush=True)  # noqa: E731
    version = subprocess.run([arguments.python, "--version"], capture_output=True, text=True).stdout.strip()
    say(f"{version}, {len(os.sched_getaffinity(0))} processors, median of {arguments.rounds}; ")
    say(f"load before: {os.getloadavg()[0]:.1f}\n")
    say("| tree | tool | seconds | times ruff | MiB |\n| --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ENVIRONMENT["XDG_CACHE_HOME"] = str(folder / "own")
        (folder / "ruff.toml").write_text(peers.ruff_config())
        for tree, paths in trees(folder, arguments.python).items():
            known = commands(folder, arguments.python, paths)
            for command in known.values():
                measure(command)  # files into the system's cache, results into the tools'
            taken: dict[str, list[tuple[float, float]]] = {tool: [] for tool in known}
            for _ in range(arguments.rounds):
                for tool, command in known.items():
                    taken[tool].append(measure(command))
            median = {tool: statistics.median(seconds for seconds, _ in runs) for tool, runs in taken.items()}
            for tool, runs in taken.items():
                base = median["ruff, warm" if tool.endswith("warm") else "ruff, cold"]
                memory = max(used for _, used in runs)
                row = (f"{tree} ({files_in(paths)})", tool, f"{median[tool]:.2f}", f"{median[tool] / base:.1f}")
                say(f"| {' | '.join(row)} | {memory:.0f} |")
            for tool, command in (peers.commands(folder) if arguments.peers else {}).items():
                limit = arguments.limit * 60
                seconds, memory = measure([*command, *paths], limit)
                over = "over " if seconds > limit else ""
                row = (f"{tree} ({files_in(paths)})", f"{tool}, once", f"{over}{seconds:.1f}")
                say(f"| {' | '.join(row)} | {over}{seconds / median['ruff, cold']:.0f} | {memory:.0f} |")
    say(f"\nload after: {os.getloadavg()[0]:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
