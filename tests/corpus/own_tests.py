"""Run the corpus packages' own tests before and after a fix, each without and with an agent's environment.

    python tests/corpus/own_tests.py [PACKAGE…] [--jsonl FILE]

Before the fix is the baseline: what fails there is the package's own or this machine's. A fix must change neither
the list of failing tests nor the counts, also while an agent runs the tests.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from commands import environment
from outcome import ESCAPES
from packages import REPOSITORY, Package, load
from prove import Failure, fixed, unfixed

LIMIT = 900.0
RUNS = ("before", "before, as agent", "after", "after, as agent")
# How each runner names a failing test, and sums up.
FAILED = re.compile(
    r"^(?:FAILED|ERROR) (?P<pytest>\S+?::.*?|\S+\.py)(?: - .*)?$"
    r"|^(?:FAIL|ERROR|UNEXPECTED SUCCESS): (?P<unittest>.+)$"
    r"|^ +(?P<trial>\w+) \.\.\. +\[(?:FAIL|ERROR)\]$"
    r"|^(?:Failure|Error) in test (?P<zope>.+)$",
    re.MULTILINE,
)
SUMMARY = re.compile(
    r"^(?:=+ )?(?P<pytest>\d+ (?:passed|failed|error|skipped).*?) in [\d.]+s.*$"
    r"|^(?P<unittest>Ran \d+ tests?|Ran \d+ tests in \d+ lanes?|OK.*|FAILED \(.*\)|PASSED \(.*\)) ?(?:in [\d.]+s)?$"
    r"|^ *(?P<zope>Total: \d+ tests, .*?) in .*$",
    re.MULTILINE,
)


class Result(NamedTuple):
    """What a run of the tests says: the counts in the runner's own words, and the tests that failed."""

    summary: str
    failed: tuple[str, ...]
    code: int | None
    seconds: float

    def same(self, other: "Result") -> bool:
        return self[:3] == other[:3]


def named(match: re.Match[str]) -> str:
    return next(text for text in match.groups() if text)


def result(output: str, code: int | None, seconds: float) -> Result:
    summary = ", ".join(dict.fromkeys(named(match).strip() for match in SUMMARY.finditer(output)))
    failed = sorted(named(match).strip() for match in FAILED.finditer(output))
    return Result(summary or f"no summary, exit {code}", tuple(failed), code, seconds)


def run_tests(package: Package, tree: Path, folder: Path, *, agent: bool, log: Path) -> Result:
    """The package's tests in a tree of it, in an environment of their own."""
    home = folder / "home"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    env = environment(package, home, agent, [tree / package.imports])
    start = time.monotonic()
    with log.open("wb") as out:
        try:
            code: int | None = subprocess.run(
                [str(package.python), *package.tests.argv],
                cwd=tree / package.tests.folder,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                timeout=LIMIT,
            ).returncode
        except subprocess.TimeoutExpired:
            code = None
    return result(ESCAPES.sub("", log.read_text(errors="replace")), code, time.monotonic() - start)


def install_agentgate(package: Package) -> None:
    """Make agentgate part of the package's environment, as its dependency would: tests that start a program anew
    may drop PYTHONPATH on the way."""
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = subprocess.run([str(package.python), "-c", where], check=True, capture_output=True, text=True).stdout
    (Path(site.strip()) / "agentgate-of-the-corpus.pth").write_text(f"{REPOSITORY}\n")


def compare(package: Package, folder: Path, logs: Path) -> list[Result]:
    """The four runs. The tree stands at one path for all of them: some tests print where they are."""
    results = []
    tree = folder / package.name
    logs.mkdir(parents=True, exist_ok=True)
    install_agentgate(package)
    for number, name in enumerate(RUNS):
        shutil.rmtree(tree, ignore_errors=True)
        unfixed(package, tree)
        if name.startswith("after"):
            fixed(package, tree)
        log = logs / f"{package.name}.{number}.txt"
        results.append(run_tests(package, tree, folder, agent="agent" in name, log=log))
    return results


def differences(results: Iterable[Result]) -> list[str]:
    """In words: what each run has that its baseline has not."""
    before, before_agent, after, after_agent = results
    said = []
    for name, run, baseline in (("after", after, before), ("after, as agent", after_agent, before_agent)):
        new, gone = sorted(set(run.failed) - set(baseline.failed)), sorted(set(baseline.failed) - set(run.failed))
        if not run.same(baseline):
            said.append(f"{name}: newly failing {new}, no longer failing {gone}; {baseline.summary} → {run.summary}")
    return said


def row(package: Package, results: list[Result]) -> str:
    cells = [run.summary for run in results]
    return f"| {package.name} {package.version} | {' | '.join(cells)} | {'no' if differences(results) else 'yes'} |"


def main() -> int:
    parser = argparse.ArgumentParser(description="Run the corpus packages' own tests before and after a fix.")
    parser.add_argument("package", nargs="*", help="(default: all)")
    parser.add_argument("--jsonl", type=Path, help="append the results there, for prove.py")
    parser.add_argument("--logs", type=Path, default=Path(tempfile.gettempdir()) / "corpus-own-tests")
    arguments = parser.parse_args()
    failures = 0
    print(f"| package | {' | '.join(RUNS)} | the same |\n|{' --- |' * (len(RUNS) + 2)}", flush=True)
    for package in load().values():
        if arguments.package and package.name not in arguments.package:
            continue
        if not package.tests.argv:
            print(f"| {package.name} {package.version} | not run |", flush=True)
            continue
        with tempfile.TemporaryDirectory(prefix="corpus-") as folder:
            try:
                results = compare(package, Path(folder), arguments.logs)
            except Failure as failure:
                failures += 1
                print(f"| {package.name} | FAILED: {failure} |", flush=True)
                continue
        print(row(package, results), flush=True)
        for difference in differences(results):
            failures += 1
            print(f"{package.name}: {difference}", file=sys.stderr, flush=True)
        if arguments.jsonl:
            with arguments.jsonl.open("a") as file:
                file.write(json.dumps({"package": package.name, "runs": results}) + "\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
