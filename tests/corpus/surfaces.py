"""Describe other people's programs with `agentgate surfaces`: those of surfaces.toml, each in its own environment.

    python tests/corpus/surfaces.py [PACKAGE…]

Every form of every program has to come, each schema has to be valid, and the folder that it is run in and the home
have to stay empty. Writes the table of SURFACES.md when all were tried. The environments are those of fetch.py, or
made like them.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
from fetch import FetchError, run
from packages import HERE, REPOSITORY, corpus_folder

SHTAB = "shtab==1.13.0"
SHELLS = ("bash", "zsh", "fish", "powershell", "fig")
HEAD = ("program", "of", "framework", "commands", "options", "schema", "completion (bash)", "schemas valid")


class Program(NamedTuple):
    name: str
    requires: str

    @property
    def environment(self) -> Path:
        return corpus_folder() / "venv" / self.requires.replace("==", "-")

    @property
    def python(self) -> Path:
        return self.environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


class Wrong(Exception):
    """What a program's description lacks, in a sentence."""


def load() -> dict[str, list[Program]]:
    with (HERE / "surfaces.toml").open("rb") as file:
        entries = tomllib.load(file)
    return {name: [Program(one, entry["requires"]) for one in entry["programs"]] for name, entry in entries.items()}


def install(program: Program) -> None:
    """Make the program's environment be there, and the package that completion needs beside it. Raises FetchError."""
    log = corpus_folder() / "log" / f"surfaces-{program.requires}.txt"
    ready = program.environment / "ready"
    if not ready.exists():
        shutil.rmtree(program.environment, ignore_errors=True)
        run([sys.executable, "-m", "venv", str(program.environment)], log)
        run([str(program.python), "-m", "pip", "install", program.requires], log)
        ready.write_text(f"{program.requires}\n")
    if not beside().exists():
        run([sys.executable, "-m", "pip", "install", "--no-deps", "--target", str(beside()), SHTAB], log)


def beside() -> Path:
    return corpus_folder() / "beside" / SHTAB.replace("==", "-")


def printed(program: Program, *words: str, folder: Path) -> str:
    """What one form prints. Raises Wrong when there is nothing, or when it left something behind."""
    work, home = folder / "work", folder / "home"
    for one in (work, home):
        one.mkdir(exist_ok=True)
    path = os.pathsep.join([str(REPOSITORY), str(beside())])
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    ran = subprocess.run(
        [str(program.python), "-m", "agentgate.surfaces", program.name, *words],
        cwd=work,
        env={**kept, "PYTHONPATH": path, "HOME": str(home), "AGENTGATE_AGENT": "no", "PYTHONDONTWRITEBYTECODE": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    form = " ".join(words) or "overview"
    if ran.returncode or ran.stderr or not ran.stdout.strip():
        raise Wrong(f"{form}: exit code {ran.returncode}: {ran.stderr.strip()[-300:]}")
    if left := [str(one) for one in (*work.iterdir(), *home.iterdir())]:
        raise Wrong(f"{form}: left {', '.join(left)}")
    return ran.stdout


def describe(program: Program, folder: Path) -> tuple[str, ...]:
    """The program's row. Raises Wrong."""
    overview = json.loads(printed(program, folder=folder))
    schema = json.loads(printed(program, "schema", folder=folder))
    commands = json.loads(printed(program, "schema", "--field", "commands", folder=folder))
    for one in commands:
        _check(one["inputSchema"])
    listed = json.loads(printed(program, "commands", "--all", folder=folder))["commands"]
    if not listed or any(not one["usage"] for one in listed):
        raise Wrong("commands: a command without its usage")
    completion = {shell: printed(program, "completion", shell, folder=folder) for shell in SHELLS}
    options = sum("flag" in one or "off" in one for command in commands for one in _properties(command))
    size = f"{len(json.dumps(schema)):,} characters{', cut' if schema.get('truncated') else ''}"
    lines = f"{completion['bash'].count(chr(10))} lines"
    return (
        f"`{program.name}`",
        program.requires.replace("==", " "),
        overview["framework"],
        str(len(commands)),
        str(options),
        size,
        lines,
        f"{len(commands)} of {len(commands)}",
    )


def _properties(command: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from command["inputSchema"]["properties"].values()


def _check(schema: dict[str, Any]) -> None:
    try:
        jsonschema.Draft202012Validator.check_schema(schema)
    except jsonschema.SchemaError as error:
        raise Wrong(f"schema: {error.message}") from error


def page(rows: list[tuple[str, ...]]) -> str:
    lines = [HEAD, ("---",) * len(HEAD), *rows]
    table = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    return (
        "# Other people's programs, described\n\n"
        "Made by `python tests/corpus/surfaces.py`: each program's overview, `schema`, `commands --all` and\n"
        "`completion` for five shells, by `agentgate surfaces PROGRAM` in an environment where it is installed as it\n"
        "was released. None of its handlers is run; the folder and the home that it was run in stayed empty. A\n"
        "command is one that can be run; its options are all that it declares and its help shows.\n\n"
        f"{table}\n"
    )


def main() -> int:
    packages = load()
    parser = argparse.ArgumentParser(description="Describe other people's programs.")
    parser.add_argument("package", nargs="*", help=f"one of {', '.join(packages)} (default: all)")
    names = parser.parse_args().package
    if unknown := [name for name in names if name not in packages]:
        parser.error(f"not in surfaces.toml: {', '.join(unknown)}")
    rows, failed = [], False
    for program in (one for name in names or packages for one in packages[name]):
        try:
            install(program)
            with tempfile.TemporaryDirectory() as folder:
                rows.append(describe(program, Path(folder)))
            print(" | ".join(rows[-1]))
        except (FetchError, Wrong) as error:
            failed = True
            print(f"surfaces: {program.name}: {error}", file=sys.stderr)
    if not names and not failed:
        (HERE / "SURFACES.md").write_text(page(rows), encoding="utf-8")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
