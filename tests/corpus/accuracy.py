"""How exact the linter is on other people's code, beside an independent scan, our own oracle and other tools.

Fetches the wheels of corpus.txt (and asks the index for nothing else), unpacks them, and compares every place of
sites.jsonl, of the oracle and of `agentgate lint`. Where they disagree, decisions.jsonl says who is right, and why;
a disagreement that nobody has decided is printed and fails the run. Figures go to stdout as markdown.

    python tests/corpus/accuracy.py [--peers]
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Set
from pathlib import Path
from typing import Any

import oracle
import peers

HERE = Path(__file__).parent
CACHE = Path(os.environ.get("AGENTGATE_CORPUS", HERE.parent.parent / ".corpus")).absolute()
WHEELS = CACHE / "wheels"
TREE = CACHE / "tree"
# the rules about places that wait; the others look at the code around them
PROMPTS = re.compile(r"AG10[1-8]")

Place = tuple[str, int]


def fetch() -> None:
    """Download and unpack what is not there yet."""
    wanted = [line for line in (HERE / "corpus.txt").read_text().split("\n") if line and not line.startswith("#")]
    missing = [one for one in wanted if not (TREE / one.replace("==", "-")).is_dir()]
    if not missing:
        return
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"),
            *("--only-binary", ":all:", "--python-version", "3.13", "--dest", str(WHEELS), *missing),
        ],
        check=True,
    )
    for wheel in WHEELS.glob("*.whl"):
        folder = TREE / "-".join(wheel.name.split("-")[:2])
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder, [name for name in archive.namelist() if name.endswith(".py")])


def sites() -> set[Place]:
    """The places of the independent scan."""
    return {(site["path"], site["line"]) for site in map(json.loads, (HERE / "sites.jsonl").open())}


def decisions() -> dict[Place, dict[str, Any]]:
    """Who is right where two disagree."""
    return {(one["path"], one["line"]): one for one in map(json.loads, (HERE / "decisions.jsonl").open())}


def ours(folder: Path) -> dict[Place, str]:
    """The linter's findings, as an installed command gives them."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "agentgate",
            "lint",
            "--json",
            "--no-cache",
            "--isolated",
            "--no-gitignore",
            str(folder),
        ],
        capture_output=True,
        text=True,
    )
    found = json.loads(done.stdout.splitlines()[-1])["data"]["findings"]
    return {
        (os.path.relpath(one["path"], TREE), one["line"]): f"{one['code']} {one['call']}"
        for one in found
        if PROMPTS.match(one["code"])
    }


def oracles(folder: Path) -> set[Place]:
    """The places of our own oracle, in the files that this Python can read."""
    words = re.compile(rb"\b(?:input|getpass|click|typer|rich|questionary)\b")
    files = []
    for path in folder.rglob("*.py"):
        data = path.read_bytes()
        if words.search(data):
            try:
                compile(data, str(path), "exec", dont_inherit=True)
                data.decode("utf-8-sig")
            except (SyntaxError, ValueError):
                continue
            files.append(path)
    try:
        return {(f"{folder.name}/{site.path}", site.line) for site in oracle.find(folder, files)}
    except (LookupError, RecursionError, ValueError) as error:
        print(f"the oracle cannot read {folder.name}: {error}", file=sys.stderr)
        return set()


def table(rows: Iterable[tuple[object, ...]]) -> str:
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join([lines[0], "| --- " * lines[0].count(" | ") + "| --- |", *lines[1:]])


def exactness(right: Set[Place], truth: Set[Place], said: Set[Place]) -> tuple[str, str]:
    """Recall and precision."""
    return percent(len(right), len(truth)), percent(len(right), len(said))


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} % ({part}/{whole})" if whole else "none"


def main() -> int:
    """Print the tables. Exit code 1 when a disagreement is undecided, or one was decided against the linter."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])  # type: ignore[union-attr]
    parser.add_argument("--peers", action="store_true", help="also run the other tools, where found")
    arguments = parser.parse_args()
    fetch()
    found = ours(TREE)
    scanned = sites()
    seen = set().union(*(oracles(folder) for folder in sorted(TREE.iterdir())))
    decided = decisions()
    agreed = found.keys() & (scanned | seen)
    doubtful = (found.keys() | scanned | seen) - (found.keys() & scanned)
    undecided = sorted(place for place in doubtful - agreed if place not in decided)
    truth = agreed | {place for place, one in decided.items() if one["prompt"]}
    truth -= {place for place, one in decided.items() if not one["prompt"]}
    tools: dict[str, Set[Place]] = {
        "agentgate lint": found.keys(),
        "independent scan (sites.jsonl)": scanned,
        "our oracle": seen,
    }
    if arguments.peers:
        tools.update(peers.all_of(TREE, sorted({path for path, _ in truth | found.keys()})))
    rows = [(tool, *exactness(places & truth, truth, places)) for tool, places in tools.items()]
    print(table([("who", "recall", "precision"), *rows]))
    print(
        f"\n{len(truth)} places in {sum(1 for _ in TREE.rglob('*.py'))} files of {len(list(TREE.iterdir()))} packages"
    )
    wrong = sorted((found.keys() - truth) | (truth - found.keys()))
    for title, places in (("decided against the linter", wrong), ("undecided", undecided)):
        for path, line in places:
            says = found.get((path, line), "nothing")
            why = decided.get((path, line), {}).get("why", "")
            print(f"{title}: {path}:{line}: the linter says {says}. {why}")
    return 1 if undecided else 0


if __name__ == "__main__":
    sys.exit(main())
