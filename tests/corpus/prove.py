"""Prove the linter and the codemod on the corpus, and its programs' commands as an agent runs them.

    python tests/corpus/prove.py [PACKAGE…]

For each package: lint finds the verified sites and no other; one fix gates them all, compiles, leaves nothing
to find and imports; each command stops with exit code 3, whatever its standard input is, and a scripted agent
that reads nothing but envelopes gets it to its end.
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
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from commands import Command, build
from outcome import STDINS, outcome
from packages import REPOSITORY, CommandLine, Package, load

GATED = ("AG101", "AG102", "AG103", "AG104")
STOP_LIMIT = 20.0
RUNS = 16
NOBODY = "http://127.0.0.1:9/"


class Failure(Exception):
    """Something that must hold does not, told in a sentence."""


def agentgate(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "AGENTGATE_AGENT": "no", "PYTHONPATH": str(REPOSITORY)}
    command = [sys.executable, "-m", "agentgate", *arguments]
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True)


def findings(tree: Path, package: Package) -> list[dict[str, object]]:
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
    left = [one for one in findings(copy, package) if one["code"] in GATED]
    if left:
        raise Failure(f"{len(left)} prompts are left, the first at {left[0]['path']}:{left[0]['line']}")
    changed = [str(one["path"]).removeprefix("./") for one in data["changes"]]
    if not all(compileall.compile_file(copy / path, quiet=1) for path in changed):
        raise Failure("a fixed file does not compile")
    modules = [path for path in changed if not is_excluded(path, package)]
    failed = [path for path in modules if imports(package, path, package.source) and not imports(package, path, copy)]
    if failed:
        raise Failure(f"no longer imports: {failed}")
    return f"{data['summary']['prompts']} gated in {len(changed)} files"


def imports(package: Package, path: str, tree: Path) -> bool:
    """Whether the module at a path imports from a tree."""
    roots = [str(tree / package.imports), str(REPOSITORY)]
    name = str(Path(path).relative_to(package.imports)).removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    run = subprocess.run(
        [str(package.python), "-c", f"import importlib; importlib.import_module({name!r})"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(roots)},
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=120,
    )
    return run.returncode == 0


def prove_command(package: Package, line: CommandLine, copy: Path) -> str:
    """As an agent: exit code 3 on every standard input, and `next` followed to the end."""
    first = [copy / package.imports, REPOSITORY]
    for stdin in STDINS:
        with tempfile.TemporaryDirectory(prefix="corpus-") as folder:
            command = build(package, line, Path(folder), first=first)
            seen = outcome(command.program, command.argv, command.work, command.env, stdin, STOP_LIMIT)
            if seen.code != 3 or wrong_stop(seen.last_line) or command.wrong_after_stop():
                ended = "hangs" if seen.code is None else f"exit {seen.code}"
                raise Failure(f"stdin {stdin}: {ended}, {seen.last_line[-300:]} {command.wrong_after_stop()}")
    if line.not_ours:
        return f"exit 3; not driven to its end: {line.not_ours}"
    with tempfile.TemporaryDirectory(prefix="corpus-") as folder, server() as url:
        return follow(build(package, line, Path(folder), first=first), line, url)


def wrong_stop(last_line: str) -> bool:
    try:
        document = json.loads(last_line)
    except ValueError:
        return True
    return document.get("status") != "action_required" or not document.get("next")


def follow(command: Command, line: CommandLine, url: str) -> str:
    """Read envelopes, answer from the table, let the stand-in consent, until exit code 0."""
    argv = [command.program, *(word.replace(NOBODY, url) for word in command.argv[1:])]
    questions: list[str] = []
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
            return f"exit 3, then {len(questions)} questions in {run_number} runs to exit 0"
        if run.returncode != 3:
            raise Failure(f"after {questions}: exit {run.returncode}: {(run.stdout + run.stderr).strip()[-400:]}")
        document = json.loads(run.stdout.strip().splitlines()[-1])
        asked = [one["name"] for one in document.get("inputs", [])] or [document["message"]]
        questions += asked
        unknown = [name for name in asked if "consent" not in document and name not in line.answers]
        if unknown:
            raise Failure(f"no answer to {document.get('inputs')}; {document['message']}")
        # the stand-in for the person says yes, unless the table says no
        declines = "consent" in document and line.answers.get(asked[0]) == "no"
        argv = [filled(word, line) for word in document["next"][declines]["argv"]]
    raise Failure(f"no end after {RUNS} runs: {questions}")


def filled(word: str, line: CommandLine) -> str:
    for name, value in line.answers.items():
        word = word.replace(f"<{name}>", value)
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
    arguments = parser.parse_args()
    failures = 0

    def step(name: str, prove: object, *args: object) -> None:
        nonlocal failures
        start = time.monotonic()
        try:
            said = prove(*args)  # type: ignore[operator]
        except Failure as failure:
            failures += 1
            said = f"FAILED: {failure}"
        print(f"{name}: {said} ({time.monotonic() - start:.1f} s)", flush=True)

    for package in load().values():
        if arguments.package and package.name not in arguments.package:
            continue
        if not package.source.is_dir():
            print(f"{package.name}: not fetched: run `python tests/corpus/fetch.py`", file=sys.stderr)
            return 1
        with tempfile.TemporaryDirectory(prefix="corpus-") as folder:
            copy = Path(folder) / package.name
            step(f"{package.name} lint", prove_lint, package)
            step(f"{package.name} fix", prove_fix, package, copy)
            for line in package.commands:
                if arguments.only in (None, line.name):
                    step(f"{package.name} {line.name}", prove_command, package, line, copy)
    print(f"{failures} failed" if failures else "all proven")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
