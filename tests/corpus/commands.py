"""The corpus commands that reach a prompt: the folder each needs, and what it must and must not have done.

setups.py has one function a command that builds its folder; packages.toml has the command line. Before and
after a fix `build` sets the same thing up, in a fresh folder each time:

    python tests/corpus/commands.py --today [NAME…]    what the unmodified programs do for an agent
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from outcome import STDINS, Outcome, outcome
from packages import CommandLine, Package, load
from setups import BUILDERS, Effects

LIMIT = 8.0


@dataclass(frozen=True)
class Command:
    """A command ready to run: `program` is the file to execute, `argv` what a person would have typed."""

    name: str
    program: str
    argv: tuple[str, ...]
    work: Path
    env: dict[str, str]
    asks: str
    effects: Effects
    before: dict[str, bytes | None]

    def wrong_after_stop(self) -> list[str]:
        """What a run that stopped at its question has done all the same."""
        return [f"done: {path}" for path in self.effects.done if (self.work / path).exists()] + [
            f"changed: {path}" for path in self._kept() if content(self.work / path) != self.before[path]
        ]

    def _kept(self) -> tuple[str, ...]:
        return (*self.effects.kept, *self.effects.changed)

    def early_effects(self) -> list[str]:
        """What was done before the question."""
        return [path for path in self.effects.early if content(self.work / path) != self.before[path]]

    def wrong_after_answers(self) -> list[str]:
        """What a run that got all its answers has not done."""
        expected = (*self.effects.done, *self.effects.early)
        return (
            [f"not done: {path}" for path in expected if not (self.work / path).exists()]
            + [f"still there: {path}" for path in self.effects.gone if (self.work / path).exists()]
            + [f"not changed: {p}" for p in self.effects.changed if content(self.work / p) == self.before[p]]
        )


def content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def environment(package: Package, home: Path, agent: bool, first: Sequence[Path]) -> dict[str, str]:
    """A clean environment: its own home, no network, and no agent's signal but the one that is asked for."""
    path = os.pathsep.join([str(package.programs), os.environ.get("PATH", os.defpath)])
    env = {
        "PATH": path,
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "COLUMNS": "120",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "NFCORE_NO_VERSION_CHECK": "1",
        # Nobody listens at the discard port: whatever a program asks of the network fails at once.
        "HTTP_PROXY": "http://127.0.0.1:9",
        "HTTPS_PROXY": "http://127.0.0.1:9",
        "NO_PROXY": "127.0.0.1,localhost",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    if first:
        env["PYTHONPATH"] = os.pathsep.join(map(str, first))
    return env | ({"CLAUDECODE": "1"} if agent else {})


def build(
    package: Package, line: CommandLine, folder: Path, *, agent: bool = True, first: Sequence[Path] = ()
) -> Command:
    """Set the command up in `folder`, which must be empty.

    `first` are folders to import from before the corpus: those of a fixed copy of the package, and
    agentgate's own. Raises FileNotFoundError where the package was not fetched.
    """
    work, home = folder / "work", folder / "home"
    work.mkdir(parents=True)
    home.mkdir()
    env = environment(package, home, agent, first)
    program = shutil.which(line.argv[0], path=str(package.programs))
    if program is None:
        raise FileNotFoundError(f"{line.argv[0]} is not in the corpus: run `python tests/corpus/fetch.py`")
    effects = BUILDERS[line.name](work, env)
    before = {path: content(work / path) for path in (*effects.kept, *effects.early, *effects.changed)}
    return Command(line.name, program, line.argv, work, env, line.asks, effects, before)


def today(names: list[str], stdins: list[str]) -> None:
    """Print what the unmodified commands do for an agent, one row for each kind of standard input."""
    print("| command | stdin | today | s | output | last line | wrong |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for package in load().values():
        for line in package.commands:
            for stdin in stdins if not names or line.name in names else []:
                with tempfile.TemporaryDirectory(prefix="corpus-") as folder:
                    command = build(package, line, Path(folder))
                    seen = outcome(command.program, command.argv, command.work, command.env, stdin, LIMIT)
                    print(row(command, stdin, seen), flush=True)


def row(command: Command, stdin: str, seen: Outcome) -> str:
    code = "hangs" if seen.code is None else f"exit {seen.code}"
    wrong = command.wrong_after_stop() + [f"before the question: {path}" for path in command.early_effects()]
    last = seen.last_line.replace("|", "\\|")[:90]
    cells = (f"`{' '.join(command.argv)}`", stdin, code, f"{seen.seconds:.1f}", f"{seen.size} B", f"`{last}`")
    return f"| {' | '.join(cells)} | {'; '.join(wrong)} |"


def main() -> int:
    parser = argparse.ArgumentParser(description="Run the corpus commands as an agent would.")
    parser.add_argument("--today", action="store_true", required=True, help="the unmodified programs")
    parser.add_argument("--stdin", action="append", choices=STDINS, help="(default: null and pipe)")
    parser.add_argument("name", nargs="*", help="a command's name in packages.toml (default: all)")
    arguments = parser.parse_args()
    try:
        today(arguments.name, arguments.stdin or ["null", "pipe"])
    except FileNotFoundError as error:
        print(f"commands: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
