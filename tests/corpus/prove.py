"""Prove the linter and the codemod on the corpus, and its programs' commands as an agent runs them.

    python tests/corpus/prove.py [PACKAGE…] [--table [--own-tests FILE] [--results FILE]]

For each package: lint finds the verified sites and no other; one fix gates them all, compiles, leaves nothing
to find and imports; each command stops with exit code 3, whatever its standard input is, and a scripted agent
that reads nothing but envelopes gets it to its end. `--table` also measures what each command does without the
fix and what a person sees before and after, and prints it all as one table.
"""

import argparse
import compileall
import http.server
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import results
import transcript
from commands import Command, build, content
from outcome import STDINS, outcome
from packages import REPOSITORY, CommandLine, Package, load

GATED = ("AG101", "AG102", "AG103", "AG104")
STOP_LIMIT = 20.0
HANG = 6.0
RUNS = 16
NOBODY = "http://127.0.0.1:9/"


class Run(NamedTuple):
    """A command followed to its end. twice: what it had written before it asked, and then wrote again."""

    questions: int
    runs: int
    twice: tuple[str, ...] = ()

    def __str__(self) -> str:
        end = f"{self.questions} questions in {self.runs} runs to exit 0"
        return f"{end}; {results.TWICE} {', '.join(self.twice)}" if self.twice else end


class Failure(Exception):
    """Something that must hold does not, told in a sentence."""


def agentgate(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "AGENTGATE_AGENT": "no", "PYTHONPATH": str(REPOSITORY)}
    command = [sys.executable, "-m", "agentgate", *arguments]
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True)


def findings(tree: Path, package: Package) -> list[dict[str, Any]]:
    run = agentgate("lint", "--json", ".", cwd=tree)
    if run.returncode not in (0, 1):
        raise Failure(f"lint ended with {run.returncode}: {run.stderr.strip()[-300:]}")
    found = json.loads(run.stdout.splitlines()[-1])["data"]["findings"]
    return [one for one in found if not is_excluded(one["path"].removeprefix("./"), package)]


def is_excluded(path: str, package: Package) -> bool:
    return any(path == folder or path.startswith(folder + "/") for folder in package.exclude)


def prove_lint(package: Package) -> str:
    """Every verified site is found with its code, and nothing else of the prompts' codes."""
    sites = {
        (one["path"], one["line"], one["column"] + 1, one["code"]) for one in json.loads(package.sites.read_text())
    }
    found = {
        (one["path"].removeprefix("./"), one["line"], one["column"], one["code"])
        for one in findings(package.source, package)
        if str(one["code"]) <= "AG108"
    }
    if sites != found:
        raise Failure(f"missing {sorted(sites - found)}; extra {sorted(found - sites)}")
    return f"{len(sites)} of {len(sites)} sites"


def unfixed(package: Package, copy: Path) -> None:
    shutil.copytree(package.source, copy, symlinks=True, ignore=shutil.ignore_patterns(".git", "*.egg-info"))


def fixed(package: Package, copy: Path) -> dict[str, Any]:
    """Run the fix in a copy of the package; what it reports."""
    run = agentgate("fix", "--json", ".", cwd=copy)
    if run.returncode != 0:
        raise Failure(f"{package.name}: fix ended with {run.returncode}: {run.stdout[-300:]}{run.stderr[-300:]}")
    data: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])["data"]
    return data


def prove_fix(package: Package, copy: Path) -> str:
    """One fix gates them all; the copy compiles, imports, and is clean."""
    unfixed(package, copy)
    data = fixed(package, copy)
    known = {line.asks for line in package.commands if line.left}
    left = [f"{one['path'].removeprefix('./')}:{one['line']}" for one in data["left"] if one["code"] in GATED]
    unfixed_still = [one for one in findings(copy, package) if one["code"] in GATED]
    if surprising := [place for place in left if place not in known and not is_excluded(place, package)]:
        raise Failure(f"left as they are: {surprising}")
    if len(unfixed_still) > len(left):
        raise Failure(f"{len(unfixed_still)} prompts are still found: {unfixed_still[0]}")
    changed = [str(one["path"]).removeprefix("./") for one in data["changes"]]
    if not all(compileall.compile_file(copy / path, quiet=1) for path in changed):
        raise Failure("a fixed file does not compile")
    modules = [path for path in changed if not is_excluded(path, package)]
    if failed := imported(package, modules, package.source) - imported(package, modules, copy):
        raise Failure(f"no longer imports: {sorted(failed)}")
    return f"{data['summary']['prompts']} gated in {len(changed)} files"


IMPORT = """
import importlib, sys
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except BaseException:
        continue
    print(name, file=sys.__stderr__)
"""


def imported(package: Package, paths: list[str], tree: Path) -> set[str]:
    """Those of the modules at some paths that import from a tree."""
    parts = (Path(path).relative_to(package.imports).with_suffix("").parts for path in paths)
    names = [".".join(part).removesuffix(".__init__") for part in parts]
    run = subprocess.run(
        [str(package.python), "-c", IMPORT, *names],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tree / package.imports), str(REPOSITORY)])},
        capture_output=True,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=300,
    )
    return set(run.stderr.split()) & set(names)


def prove_stop(package: Package, line: CommandLine, copy: Path) -> str:
    """As an agent: exit code 3 and an envelope, whatever the standard input is, and nothing done."""
    if line.left:
        return f"left to the maintainer: {line.left}"
    wrong = []
    for stdin in line.stdins:
        with tempfile.TemporaryDirectory(prefix="corpus-") as folder:
            command = build(package, line, Path(folder), first=[copy / package.imports, REPOSITORY])
            seen = outcome(command.program, command.argv, command.work, command.env, stdin, STOP_LIMIT)
            if seen.code != 3 or wrong_stop(seen.last_line) or command.wrong_after_stop():
                ended = "hangs" if seen.code is None else f"exit {seen.code}"
                wrong.append(f"stdin {stdin}: {ended}, {seen.last_line[-300:]} {command.wrong_after_stop()}")
    if wrong:
        raise Failure("; ".join(wrong))
    return "exit 3" if line.stdins == STDINS else f"exit 3 ({', '.join(line.stdins)}); {line.other_stdins}"


def prove_loop(package: Package, line: CommandLine, copy: Path) -> str:
    """`next` followed to the end by a reader of envelopes."""
    if line.left or line.not_ours:
        return f"not driven to its end: {line.left or line.not_ours}"
    with tempfile.TemporaryDirectory(prefix="corpus-") as folder, server() as url:
        return str(follow(build(package, line, Path(folder), first=[copy / package.imports, REPOSITORY]), line, url))


def prove_person(package: Package, line: CommandLine, copy: Path) -> str:
    """A person's terminal shows the same before and after."""
    with tempfile.TemporaryDirectory(prefix="corpus-") as one, server() as url:

        def fresh(*first: Path) -> Callable[[], Command]:
            def make() -> Command:
                shutil.rmtree(one)
                command = build(package, line, Path(one), agent=False, first=first)
                return replace(command, argv=tuple(word.replace(NOBODY, url) for word in command.argv))

            return make

        said = transcript.differ(fresh(), fresh(copy / package.imports, REPOSITORY), line.typed)
        if said.startswith("DIFFERS"):
            raise Failure(said.replace(url, NOBODY))
        return said


def today(package: Package, line: CommandLine) -> str:
    """What the unmodified program does for an agent: with /dev/null, and with an idle pipe."""
    ends = []
    for stdin in ("null", "pipe"):
        with tempfile.TemporaryDirectory(prefix="corpus-") as folder:
            command = build(package, line, Path(folder))
            seen = outcome(command.program, command.argv, command.work, command.env, stdin, HANG)
            done = command.wrong_after_stop() + command.early_effects()
            spins = f"spins, {seen.size >> 20} MB" if seen.size > 1 << 20 else "hangs"
            ends.append((spins if seen.code is None else f"exit {seen.code}") + (" having written" if done else ""))
    return "; ".join(ends)


def wrong_stop(last_line: str) -> bool:
    try:
        document = json.loads(last_line)
    except ValueError:
        return True
    return document.get("status") != "action_required" or not document.get("next")


def follow(command: Command, line: CommandLine, url: str) -> Run:
    """Read envelopes, answer from the table, let the stand-in consent, until exit code 0."""
    argv = [command.program, *(word.replace(NOBODY, url) for word in command.argv[1:])]
    questions: list[str] = []
    early: dict[str, bytes | None] = {}
    for run_number in range(1, RUNS + 1):
        stdin = json.dumps(line.answers) if "--answers" in argv else ""
        run = subprocess.run(
            argv, cwd=command.work, env=command.env, input=stdin, capture_output=True, text=True, timeout=120
        )
        if run.returncode == 0:
            if command.wrong_after_answers():
                raise Failure(f"ended with 0, but {command.wrong_after_answers()}")
            if run_number > len(questions) + 1:
                raise Failure(f"{run_number} runs for {len(questions)} questions")
            twice = tuple(path for path in early if content(command.work / path) != early[path])
            return Run(len(questions), run_number, twice)
        if run.returncode != 3:
            raise Failure(f"after {questions}: exit {run.returncode}: {(run.stdout + run.stderr).strip()[-400:]}")
        early = early or {path: content(command.work / path) for path in command.early_effects()}
        document = json.loads(run.stdout.strip().splitlines()[-1])
        asked = [one["name"] for one in document.get("inputs", [])] or [document["message"]]
        questions += asked
        unknown = [name for name in asked if "consent" not in document and name not in line.answers]
        if unknown:
            raise Failure(f"no answer to {document.get('inputs')}; {document['message']}")
        # the stand-in for the person says yes, unless the table says no
        declines = "consent" in document and line.answers.get(asked[0]) == "no"
        argv = [filled(word, line, questions) for word in document["next"][declines]["argv"]]
    raise Failure(f"no end after {RUNS} runs: {questions}")


def filled(word: str, line: CommandLine, questions: list[str]) -> str:
    for name, value in line.answers.items():
        # the first question of a name gets the first answer of its list
        given = value if isinstance(value, str) else value[max(0, min(questions.count(name), len(value)) - 1)]
        word = word.replace(f"<{name}>", given)
    return word


@contextmanager
def server() -> Iterator[str]:
    """A place to upload to, on this machine."""

    class Accepts(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Accepts) as listening:
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{listening.server_address[1]}/"
        listening.shutdown()


def main() -> int:
    parser = argparse.ArgumentParser(description="Prove agentgate on the corpus.")
    parser.add_argument("package", nargs="*", help="(default: all)")
    parser.add_argument("--only", metavar="NAME", help="only this command of packages.toml")
    parser.add_argument("--table", action="store_true", help="measure also today's behaviour and a person's terminal")
    parser.add_argument("--own-tests", type=Path, metavar="FILE", help="what own_tests.py --jsonl wrote, for the table")
    parser.add_argument("--results", type=Path, metavar="FILE", help="write the table there")
    arguments = parser.parse_args()
    failures = 0

    def step(name: str, prove: Callable[..., str], *args: object) -> str:
        nonlocal failures
        start = time.monotonic()
        try:
            said = prove(*args)
        except Failure as failure:
            failures += 1
            said = f"FAILED: {failure}"
        print(f"{name}: {said} ({time.monotonic() - start:.1f} s)", flush=True)
        return said

    rows = []
    for package in load().values():
        if arguments.package and package.name not in arguments.package:
            continue
        if not package.python.exists() and sys.version_info < package.python_needed:
            print(f"{package.name}: left out: no Python here is new enough", file=sys.stderr)
            continue
        if not package.source.is_dir():
            print(f"{package.name}: not fetched: run `python tests/corpus/fetch.py`", file=sys.stderr)
            return 1
        with tempfile.TemporaryDirectory(prefix="corpus-") as folder:
            copy = Path(folder) / package.name
            step(f"{package.name} lint", prove_lint, package)
            gated = step(f"{package.name} fix", prove_fix, package, copy)
            for line in package.commands:
                if arguments.only not in (None, line.name):
                    continue
                stop = step(f"{package.name} {line.name} stop", prove_stop, package, line, copy)
                loop = step(f"{package.name} {line.name} loop", prove_loop, package, line, copy)
                if arguments.table:
                    person = step(f"{package.name} {line.name} person", prove_person, package, line, copy)
                    now = step(f"{package.name} {line.name} today", today, package, line)
                    rows.append(results.Row(package, gated, line, now, stop, loop, person))
    if rows:
        table = results.table(rows, arguments.own_tests)
        print(table)
        if arguments.results:
            summary = results.summary(rows, arguments.own_tests)
            arguments.results.write_text(results.page(summary, table), encoding="utf-8")
    print(f"{failures} failed" if failures else "all proven")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
