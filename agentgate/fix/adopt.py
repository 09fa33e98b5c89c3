"""`agentgate init`: the steps by which a project adopts agentgate, each worked out as the bytes of files.

Nothing is written here. A step sees what the steps before it would write, so several can change one file; one that
has nothing to do changes nothing, so a second run of them all is without effect.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, TypeAlias

from agentgate.fix import hooks
from agentgate.fix.changes import FileChange, FixPlan
from agentgate.fix.declare import DISTRIBUTION, CannotAdd, declared
from agentgate.fix.dependency import places_of
from agentgate.lint import baseline
from agentgate.lint import config as settings
from agentgate.lint.config import Config
from agentgate.lint.runner import LintResult
from agentgate.wording import count

__all__ = ["BASELINE", "WORKFLOW", "Step", "changes_of", "ci_commands", "configuration_of", "steps"]

BASELINE = "agentgate-baseline.json"
WORKFLOW = os.path.join(".github", "workflows", "agentgate.yml")
_TESTS = ("tests", "test")

Read: TypeAlias = Callable[[str], bytes | None]


class Step(NamedTuple):
    """One step.

    question: what is asked before it is done. make: the new bytes of files by their path, given what a path holds
    by then (None: no such file). note: what is left to a person.
    """

    name: str
    question: str
    make: Callable[[Read], Mapping[str, bytes]]
    note: str | None = None


def steps(folder: str, planned: FixPlan | None, found: LintResult | None, *, workflow: bool) -> list[Step]:
    """The steps that have something to do, or to say, in a project. Raises OSError for a file that cannot be read.

    planned: the rewriting. found: what a baseline is to hold, in the rewriting's place.
    workflow: write one for GitHub.
    """
    entry = ci_commands(folder, found)[-1]
    every = [
        _configuration(folder),
        *([_rewriting(planned), _dependency(planned.users)] if planned is not None else []),
        *([_baseline(folder, found)] if found is not None else []),
        _hook(folder, entry),
        *([_workflow(folder, found)] if workflow else []),
    ]
    chosen = []
    held: dict[str, bytes] = {}
    for step in every:
        made = step.make(_reader(held))
        held.update(made)
        if made or step.note:
            chosen.append(step)
    return chosen


def changes_of(chosen: Iterable[Step], agreed: Callable[[Step, list[FileChange]], bool]) -> list[FileChange]:
    """What the steps write together. agreed: whether to take a step, which is asked with what it changes."""
    held: dict[str, bytes] = {}
    for step in chosen:
        made = step.make(_reader(held))
        mine = [_change(path, held.get(path, _read(path)), after) for path, after in made.items()]
        if mine and agreed(step, mine):
            held.update(made)
    return [_change(path, _read(path), after) for path, after in held.items()]


def _change(path: str, before: bytes | None, after: bytes) -> FileChange:
    return FileChange(path, before or b"", after, (), (), new=before is None)


def configuration_of(folder: str) -> Config:
    """The project's settings: those that it has, else those that the first step writes. Raises UsageError."""
    path = settings.find([folder])
    if path is not None:
        return settings.read(path)
    tests = _tests(folder)
    ignored = ((f"{tests}/*", ("AG1",)),) if tests else ()
    return Config(per_file_ignores=ignored, root=os.path.abspath(folder))


def ci_commands(folder: str, found: LintResult | None) -> list[str]:
    """What a CI run does from now on."""
    known = found is not None and (found.findings or os.path.exists(_in(folder, BASELINE)))
    return [f"pip install {DISTRIBUTION}", f"agentgate lint --baseline {BASELINE}" if known else "agentgate lint"]


def _configuration(folder: str) -> Step:
    tests = _tests(folder)
    pyproject = _in(folder, "pyproject.toml")
    there = _read(pyproject)
    appended = None if there is None else _appended(there, _settings(tests, prefix="tool.agentgate"))
    target = _in(folder, "agentgate.toml") if appended is None else pyproject
    after = appended or b"\n".join([*_settings(tests, prefix=""), b""])

    def make(_: Read) -> Mapping[str, bytes]:
        return {} if settings.find([folder]) is not None else {target: after}

    return Step("configuration", f"Write the configuration into {target}?", make)


def _appended(there: bytes, lines: list[bytes]) -> bytes | None:
    """The file with these lines behind its own; None when it would not be valid TOML."""
    newline = b"\r\n" if b"\r\n" in there else b"\n"
    gap = newline * (2 - there.endswith(b"\n")) if there else b""
    after = there + gap + newline.join([*lines, b""])
    try:
        tomllib.loads(after.decode())
    except (ValueError, RecursionError):
        return None
    return after


def _settings(tests: str | None, *, prefix: str) -> list[bytes]:
    lines = [f"[{prefix}]"] if prefix else []
    lines += ["# what is not looked at, besides what git ignores", "extend-exclude = []"]
    if tests:
        table = f"{prefix}.per-file-ignores" if prefix else "per-file-ignores"
        lines += ["", f"[{table}]", "# tests bring their answers along", f'"{tests}/*" = ["AG1"]']
    return [line.encode() for line in lines]


def _tests(folder: str) -> str | None:
    return next((name for name in _TESTS if os.path.isdir(_in(folder, name))), None)


def _rewriting(planned: FixPlan) -> Step:
    def make(_: Read) -> Mapping[str, bytes]:
        return {os.path.normpath(change.path): change.after for change in planned.changes}

    question = f"Rewrite {count(planned.fixed, 'prompt')} in {count(len(planned.changes), 'file')}?"
    note = (
        f"{count(len(planned.left), 'finding')} left as found: `agentgate fix --check` says what to do with each. "
        f"Until then `agentgate lint` exits with 1; `agentgate lint --write-baseline {BASELINE}` lets them stand"
    )
    return Step("fix", question, make, note if planned.left else None)


def _dependency(users: Iterable[str]) -> Step:
    places, problems = [], []
    for place in places_of(list(users)):
        try:
            declared(place, _read(place) or b"")
            places.append(os.path.normpath(place))
        except CannotAdd as error:
            problems.append(f"nothing added to {place}: {error}")

    def make(read: Read) -> Mapping[str, bytes]:
        return {place: declared(place, read(place) or b"") for place in places}

    return Step("dependency", f"Add {DISTRIBUTION} to {', '.join(places)}?", make, "; ".join(problems) or None)


def _baseline(folder: str, found: LintResult) -> Step:
    path = _in(folder, BASELINE)

    def make(read: Read) -> Mapping[str, bytes]:
        nothing = not found.findings or read(path) is not None
        return {} if nothing else {path: baseline.dumps(found, path).encode()}

    return Step("baseline", f"Write {path}, which lets {count(len(found.findings), 'finding')} stand?", make)


def _hook(folder: str, entry: str) -> Step:
    path = _in(folder, hooks.FILE)
    there = _read(path)
    problem = there is not None and hooks.added(there, entry) is None

    def make(read: Read) -> Mapping[str, bytes]:
        data = read(path)
        after = None if data is None else hooks.added(data, entry)
        return {} if after is None or after == data else {path: after}

    note = f"nothing added to {path}: its `repos:` is no list of lines; the hook's entry is `{entry}`"
    return Step("pre-commit", f"Add a hook to {path}?", make, note if problem else None)


def _workflow(folder: str, found: LintResult | None) -> Step:
    path = _in(folder, WORKFLOW)
    install, lint = ci_commands(folder, found)
    text = f"""name: agentgate
on: [push, pull_request]
permissions:
  contents: read
jobs:
  lint:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.x"
      - run: {install}
      - run: {lint} --format github
"""

    def make(read: Read) -> Mapping[str, bytes]:
        return {} if read(path) is not None else {path: text.encode()}

    return Step("ci", f"Write {path}?", make)


def _in(folder: str, name: str) -> str:
    """One name a file, so that the steps know it again."""
    return os.path.normpath(os.path.join(folder, name))


def _reader(held: Mapping[str, bytes]) -> Read:
    return lambda path: held[path] if path in held else _read(path)


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
