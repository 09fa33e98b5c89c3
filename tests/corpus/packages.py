"""The corpus as packages.toml declares it, and where its files are on this machine."""

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from outcome import STDINS

HERE = Path(__file__).parent
REPOSITORY = HERE.parent.parent


@dataclass(frozen=True)
class CommandLine:
    """A command line that reaches a prompt; `asks`, `typed` and `answers` as packages.toml explains them."""

    name: str
    argv: tuple[str, ...]
    asks: str
    typed: tuple[str, ...]
    answers: dict[str, str | list[str]]
    not_ours: str | None
    left: str | None
    stdins: tuple[str, ...]
    other_stdins: str | None


@dataclass(frozen=True)
class OwnTests:
    """One run of a package's own tests: the command line after the interpreter, and the folder it runs in."""

    argv: tuple[str, ...]
    folder: str


@dataclass(frozen=True)
class Package:
    name: str
    version: str
    files: str
    exclude: frozenset[str]
    imports: str
    python_needed: tuple[int, ...]
    test_requires: tuple[str, ...]
    tests: OwnTests
    commands: tuple[CommandLine, ...]

    @property
    def requires(self) -> str:
        return f"{self.name}=={self.version}"

    @property
    def source(self) -> Path:
        """The unpacked sdist."""
        return corpus_folder() / "src" / f"{self.name}-{self.version}"

    @property
    def environment(self) -> Path:
        return corpus_folder() / "venv" / f"{self.name}-{self.version}"

    @property
    def programs(self) -> Path:
        """The folder of the environment's executables."""
        return self.environment / ("Scripts" if os.name == "nt" else "bin")

    @property
    def python(self) -> Path:
        return self.programs / ("python.exe" if os.name == "nt" else "python")

    @property
    def sites(self) -> Path:
        """The verified list of its prompts."""
        return HERE / "sites" / f"{self.name}.json"


def corpus_folder() -> Path:
    """`AGENTGATE_CORPUS`, or `.corpus` in the repository."""
    return Path(os.environ.get("AGENTGATE_CORPUS") or REPOSITORY / ".corpus").absolute()


def load() -> dict[str, Package]:
    with (HERE / "packages.toml").open("rb") as file:
        return {name: _package(name, entry) for name, entry in tomllib.load(file).items()}


def _package(name: str, entry: dict[str, Any]) -> Package:
    lines = [
        CommandLine(
            name=line["name"],
            argv=tuple(line["argv"]),
            asks=line["asks"],
            typed=tuple(line["typed"]),
            answers=line["answers"],
            not_ours=line.get("not_ours"),
            left=line.get("left"),
            stdins=tuple(line.get("stdins", STDINS)),
            other_stdins=line.get("other_stdins"),
        )
        for line in entry.get("commands", ())
    ]
    required, version = entry["requires"].split("==")
    assert required == name, f"packages.toml: [{name}] requires {required}"
    return Package(
        name=name,
        version=version,
        files=entry["files"],
        exclude=frozenset(entry["exclude"]),
        imports=entry["imports"],
        python_needed=tuple(map(int, entry.get("python", "3.11").split("."))),
        test_requires=tuple(entry.get("test_requires", ())),
        tests=OwnTests(tuple(entry["tests"]), entry.get("tests_in", ".")),
        commands=tuple(lines),
    )
