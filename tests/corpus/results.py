"""The results of prove.py and own_tests.py as one markdown table."""

import json
import shlex
import time
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from packages import CommandLine, Package

HEAD = (
    "package",
    "gated",
    "its own tests: before, after, as agent",
    "command",
    "today: no input; idle pipe",
    "after",
    "to the end",
    "a person's terminal",
)


SAME = "all four the same"
TWICE = "what it writes before it asks is written twice:"


class Row(NamedTuple):
    """What was measured of one command; `gated` is of its whole package."""

    package: Package
    gated: str
    line: CommandLine
    today: str
    after: str
    loop: str
    person: str


def table(rows: Iterable[Row], own_tests: Path | None) -> str:
    tests = {package: _tests(runs) for package, runs in _read(own_tests).items()}
    lines = [HEAD, ("---",) * len(HEAD)]
    seen: set[str] = set()
    for row in rows:
        name = row.package.name
        first = () if name in seen else (f"{name} {row.package.version}", row.gated, tests.get(name, "not run"))
        command = f"`{shlex.join(row.line.argv)}`"
        lines.append((*(first or ("", "", "")), command, row.today, _short(row.after), _short(row.loop), row.person))
        seen.add(name)
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def summary(rows: Sequence[Row], own_tests: Path | None) -> str:
    """The table of the README: a line a package, its commands counted."""
    tests = _read(own_tests)
    lines = ["| package | its own tests | a person's terminal | an agent | the closed loop |", "|" + " --- |" * 5]
    for package, several in groupby(rows, key=lambda row: row.package):
        commands = list(several)
        same = _tests(tests[package.name]).endswith(SAME) if package.name in tests else None
        person = sum(row.person.startswith("the same") for row in commands)
        stops = sum(row.after.startswith("exit 3") for row in commands)
        partly = sum(row.after.startswith("exit 3 (") for row in commands)
        ends = sum(row.loop.endswith("to exit 0") for row in commands)
        not_ours = sum(row.line.not_ours is not None or TWICE in row.loop for row in commands)
        cells = [
            f"{package.name} {package.version}",
            {True: "the same", False: "NOT the same", None: "not run"}[same],
            f"the same, {person} of {len(commands)}",
            f"exit 3, {stops} of {len(commands)}" + (f"; {partly} not on every stdin" if partly else ""),
            f"exit 0, {ends} of {len(commands)}" + (f"; {not_ours} not ours" if not_ours else ""),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def page(summary: str, table: str) -> str:
    """RESULTS.md: the tables, how they were made, and when."""
    return (
        "# The corpus, measured\n\n"
        f"Made on {time.strftime('%Y-%m-%d')} by:\n\n"
        "    python tests/corpus/own_tests.py --jsonl own.jsonl\n"
        "    python tests/corpus/prove.py --table --own-tests own.jsonl --results tests/corpus/RESULTS.md\n\n"
        "As an agent is with `CLAUDECODE=1`. A command's stop is tried with four standard inputs:\n"
        "`/dev/null`, closed, an idle pipe, a socket. Known failures of the tests are the package's own, or of a\n"
        "machine without network; the lists of failing tests are compared, not only the counts.\n\n"
        f"{summary}\n\n{table}\n"
    )


def _read(file: Path | None) -> dict[str, list[list[object]]]:
    """The last results of each package."""
    lines = file.read_text().splitlines() if file else []
    return {entry["package"]: entry["runs"] for entry in map(json.loads, lines)}


def _tests(runs: list[list[object]]) -> str:
    before, before_agent, after, after_agent = ([summary, failed] for summary, failed, *_ in runs)
    if before == after == before_agent == after_agent:
        return f"{before[0]}, {SAME}"
    same = before == after and before_agent == after_agent
    return f"{before[0]} → {after[0]}; as agent {before_agent[0]} → {after_agent[0]}{'' if same else ' (NOT THE SAME)'}"


def _short(said: str) -> str:
    """A failure's first sentence: the whole of it is in the output of prove.py."""
    return said if len(said) <= 160 or not said.startswith("FAILED") else f"{said[:157]}…"
