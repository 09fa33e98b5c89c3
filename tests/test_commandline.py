"""The command line that ran, and the next one: literal, exact, and running it changes the outcome."""

from __future__ import annotations

import os
import shlex
import shutil
import stat
import sys
import zipapp
from pathlib import Path

import pytest
from programs import Ran, run

from agentgate.runtime import commandline, state

# it says what it got and asks one question and one consent; `{main}` calls main()
PROGRAM = """
import os, sys
import agentgate
from agentgate import gate, require_consent
def main():
    name = gate(input)("Name: ")
    require_consent("delete", "Delete it?")
    print([name, *(os.fsencode(word) for word in sys.argv[1:])])
if __name__ == "__main__":
    {main}
"""
OWNED = PROGRAM.format(main="agentgate.run(main)")
PLAIN = PROGRAM.format(main="main()")
VALUES = (
    "a b",
    "",
    "'",
    '"',
    "\n",
    "\\",
    "$HOME",
    "*",
    "-x",
    "--flag=1",
    "\u00e9",
    b"\xff\xfe",
    "--",
    "--confirm",
    "<x>",
)


def drive(first: Ran, folder: Path, *, shell: bool = False, **how: object) -> Ran:
    """Follow `next` to the end: an answer, then a consent."""
    assert first.error == "missing_input", first
    second = _follow(first, folder, shell=shell, **how)
    assert second.error == "consent_required", second
    return _follow(second, folder, shell=shell, **how)


def _follow(ran: Ran, folder: Path, *, shell: bool, **how: object) -> Ran:
    step = ran.envelope["next"][0]
    assert shlex.split(step["command"]) == step["argv"]
    argv = ran.next_argv(name="demo")
    if shell:
        argv = ["/bin/sh", "-c", step["command"].replace("<name>", "demo")]
    return run(argv=argv, folder=folder, **how)  # type: ignore[arg-type]


@pytest.mark.parametrize("source", [OWNED, PLAIN], ids=["run", "launcher"])
@pytest.mark.parametrize("shell", [False, True], ids=["argv", "shell"])
def test_any_arguments(source: str, shell: bool, tmp_path: Path) -> None:
    first = run(source, folder=tmp_path, args=VALUES)
    ran = drive(first, tmp_path, shell=shell)
    assert ran.code == 0, ran
    assert ran.out.strip() == repr(["demo", *map(os.fsencode, VALUES)])


@pytest.mark.parametrize("source", [OWNED, PLAIN], ids=["run", "launcher"])
@pytest.mark.parametrize(
    "python",
    [
        ("-X", "dev", "-W", "error"),
        ("-Xdev", "-Werror"),
        ("-IsX", "utf8"),
        ("-bW", "ignore"),
        ("-u", "--check-hash-based-pycs", "always"),
        ("--",),
    ],
    ids=" ".join,
)
def test_interpreter_options(source: str, python: tuple[str, ...], tmp_path: Path) -> None:
    if python[0].startswith("-I"):
        source = f"import sys; sys.path.insert(0, {str(Path(__file__).parents[1])!r})\n{source}"
    first = run(source, folder=tmp_path, args=("x",), python=python)
    assert first.envelope["command"].endswith("app.py x")
    ran = drive(first, tmp_path)
    assert (ran.code, ran.out) == (0, "['demo', b'x']\n"), ran


@pytest.mark.parametrize("source", [OWNED, PLAIN], ids=["run", "launcher"])
@pytest.mark.parametrize(
    "how", ["module", "package", "mapped", "code", "zipapp", "directory", "script", "console", "path"]
)
def test_ways_to_start(how: str, source: str, tmp_path: Path) -> None:
    (tmp_path / "pkgic").mkdir()
    (tmp_path / "pkgic" / "__init__.py").touch()
    (tmp_path / "pkgic" / "__main__.py").write_text(source, "utf-8")
    (tmp_path / "module.py").write_text(source, "utf-8")
    (tmp_path / "bin").mkdir()
    script = tmp_path / "bin" / "the tool"
    script.write_text(f"#!{sys.executable}\n{source}", "utf-8")
    script.chmod(0o755)
    python = sys.executable
    env: dict[str, str] = {}
    if how == "zipapp":
        zipapp.create_archive(tmp_path / "pkgic", tmp_path / "app.pyz", interpreter=python)
    if how == "console":
        env = {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    argv = {
        "module": [python, "-m", "module"],
        "package": [python, "-W", "ignore", "-m", "pkgic"],
        "mapped": [python, "-mpkgic"],
        "code": [python, "-c", source],
        "zipapp": [str(tmp_path / "app.pyz")],
        "directory": [python, "pkgic"],
        "script": ["bin/the tool"],
        "console": ["the tool"],
        "path": [str(script)],
    }[how]
    first = run(argv=[*argv, "x y"], folder=tmp_path, env=env)
    expected = {"zipapp": [python, str(tmp_path / "app.pyz")]}.get(how, argv)
    assert shlex.split(first.envelope["command"]) == [*expected, "x y"]
    ran = drive(first, tmp_path, env=env)
    assert (ran.code, ran.out) == (0, "['demo', b'x y']\n"), ran


def test_a_program_that_declares_an_option_of_ours(tmp_path: Path) -> None:
    source = PROGRAM.format(main="agentgate.run(main, leave=['--confirm', '--answer'])")
    first = run(source, folder=tmp_path, args=("--confirm", "mine", "--answer", "6*9"))
    ran = drive(first, tmp_path)
    assert ran.out == "['demo', b'--confirm', b'mine', b'--answer', b'6*9']\n", ran


def test_a_mode_that_was_forced_is_kept(tmp_path: Path) -> None:
    first = run(OWNED, folder=tmp_path, args=("--agent", "yes"), agent=False)
    ran = drive(first, tmp_path, agent=False)
    assert (ran.code, ran.out) == (0, "['demo']\n"), ran
    launched = [sys.executable, "-m", "agentgate", "run", "--agent", "yes", "--", sys.executable, "app.py"]
    first = run(PLAIN, argv=launched, folder=tmp_path, agent=False)
    assert first.error == "missing_input"


def test_a_frozen_program(tmp_path: Path) -> None:
    tool = tmp_path / "tool"
    tool.write_text(
        f"#!{sys.executable}\nimport sys; sys.frozen = True; sys.executable = {str(tool)!r}\n{OWNED}", "utf-8"
    )
    tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    first = run(argv=[str(tool), "x"], folder=tmp_path)
    assert shlex.split(first.envelope["command"]) == [str(tool), "x"]
    ran = drive(first, tmp_path)
    assert ran.out == "['demo', b'x']\n", ran


def test_a_launched_program_need_not_be_executable_and_must_exist(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(PLAIN, "utf-8")
    launcher = [sys.executable, "-m", "agentgate", "run", "--answer", "name=demo", "--"]
    assert run(argv=[*launcher, "app.py"], folder=tmp_path).error == "consent_required"
    assert run(argv=[*launcher, "./nothing"], folder=tmp_path).error == "usage"
    assert run(argv=launcher, folder=tmp_path).error == "usage"


# sys.orig_argv, and where the program's own arguments start
SPLITS = [
    (["python", "app.py", "-c", "x"], 2),
    (["python", "-m", "app", "-c", "x"], 3),
    (["python", "-mabc", "x"], 2),
    (["python", "-Im", "app", "x"], 3),
    (["python", "-cpass", "x"], 2),
    (["python", "-Ec", "pass", "x"], 3),
    (["python", "-Wm", "app.py", "x"], 3),
    (["python", "-Xm", "app.py", "x"], 3),
    (["python", "-W", "-m", "app.py", "x"], 4),
    (["python", "-", "x"], 2),
    (["python", "--", "-app.py", "x"], 3),
    (["python", "-i"], 2),
    (["python"], 1),
]


@pytest.mark.parametrize(("argv", "at"), SPLITS)
def test_split(argv: list[str], at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "orig_argv", argv)
    monkeypatch.setattr(state, "stripped_argv", ["ARGS"])
    assert commandline.command() == [*argv[:at], "ARGS"]


def test_the_launcher_is_called_by_name_only_where_path_finds_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert commandline.launcher() == [sys.executable, "-m", "agentgate", "run"]
    (tmp_path / "agentgate").write_text("#!/bin/sh\n", "utf-8")
    (tmp_path / "agentgate").chmod(0o755)
    assert commandline.launcher() == [sys.executable, "-m", "agentgate", "run"], "another environment's"
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert commandline.launcher() == ["agentgate", "run"]
    assert shutil.which("agentgate")
