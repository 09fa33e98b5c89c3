"""`agentgate vendor`: the runtime inside somebody else's package, on its own."""

from __future__ import annotations

import json
import os
import sys
import zipapp
from pathlib import Path

import pytest
from programs import Ran, run

PROGRAM = """
import click
from ._agentgate import gate

@click.command()
@gate(click.option)("--name", prompt=True)
def main(name):
    gate(click.confirm)("Really?", abort=True)
    print("made", name)

if __name__ == "__main__":
    main()
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "tool"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "__main__.py").write_text(PROGRAM)
    return folder


def agentgate(*args: str, folder: Path, agent: bool = False) -> Ran:
    return run(folder=folder, argv=[sys.executable, "-m", "agentgate", *args], agent=agent)


def test_a_vendored_program_runs_without_agentgate(package: Path, tmp_path: Path) -> None:
    assert agentgate("vendor", "tool", folder=tmp_path).code == 0
    alone = {"PYTHONPATH": str(tmp_path)}
    stopped = run(folder=tmp_path, argv=[sys.executable, "-m", "tool"], env=alone)
    assert (stopped.code, stopped.error) == (3, "missing_input")
    asked = run(folder=tmp_path, argv=stopped.next_argv(name="x"), env=alone)
    assert (asked.code, asked.error) == (3, "consent_required")
    assert asked.envelope["next"][0]["argv"][1:4] == ["-m", "tool._agentgate", "run"]
    done = run(folder=tmp_path, argv=asked.next_argv(), env=alone)
    assert (done.code, done.out) == (0, "made x\n")


def test_next_works_wherever_the_program_was_started(package: Path, tmp_path: Path) -> None:
    """The folder above the package is on nobody's path but the script's; a file in it is called as a module is."""
    assert agentgate("vendor", "tool", folder=tmp_path).code == 0
    (tmp_path / "main.py").write_text("from tool.__main__ import main\nmain()\n")
    for name in ("tool/json.py", "tool/_agentgate/tempfile.py"):
        (tmp_path / name).write_text("raise SystemExit('not this one')\n")
    elsewhere = tmp_path / "else where"
    elsewhere.mkdir()
    stopped = run(folder=elsewhere, argv=[sys.executable, str(tmp_path / "main.py")], env={"PYTHONPATH": ""})
    assert (stopped.code, stopped.error) == (3, "missing_input")
    asked = run(folder=elsewhere, argv=stopped.next_argv(name="x"), env={"PYTHONPATH": ""})
    assert (asked.code, asked.error) == (3, "consent_required")
    done = run(folder=elsewhere, argv=asked.next_argv(), env={"PYTHONPATH": ""})
    assert (done.code, done.out) == (0, "made x\n")


def test_a_copy_in_an_archive_knows_its_catalog(package: Path, tmp_path: Path) -> None:
    assert agentgate("vendor", "tool", folder=tmp_path).code == 0
    (package / "__main__.py").write_text(
        PROGRAM.replace("import gate", "import gate, run").replace("main()", "run(main)")
    )
    (tmp_path / "__main__.py").write_text("import runpy\nrunpy.run_module('tool.__main__', run_name='__main__')\n")
    zipapp.create_archive(tmp_path, tmp_path.with_suffix(".pyz"), filter=lambda path: path.suffix in (".py", ".toml"))
    archive = str(tmp_path.with_suffix(".pyz"))
    stopped = run(folder=tmp_path, argv=[sys.executable, archive], env={"PYTHONPATH": ""})
    assert (stopped.code, stopped.error) == (3, "missing_input"), stopped
    asked = run(folder=tmp_path, argv=stopped.next_argv(name="x"), env={"PYTHONPATH": ""})
    assert (asked.code, asked.error) == (3, "consent_required"), asked
    assert run(folder=tmp_path, argv=asked.next_argv(), env={"PYTHONPATH": ""}).out == "made x\n"


def test_only_the_catalog_files_that_the_package_needs_are_copied(package: Path, tmp_path: Path) -> None:
    agentgate("vendor", "tool", folder=tmp_path)
    copied = sorted(path.stem for path in (package / "_agentgate" / "lint_rules").iterdir())
    assert copied == ["builtins", "click", "getpass"]


def test_check_tells_a_stale_copy_and_a_second_run_mends_it(package: Path, tmp_path: Path) -> None:
    assert agentgate("vendor", "tool", "--check", folder=tmp_path).code == 1
    agentgate("vendor", "tool", folder=tmp_path)
    assert agentgate("vendor", "tool", "--check", folder=tmp_path).code == 0
    (package / "_agentgate" / "label.py").write_text("")
    (package / "_agentgate" / "left.py").write_text("")
    stale = agentgate("vendor", "tool", "--check", "--json", folder=tmp_path)
    assert stale.code == 1
    assert json.loads(stale.out)["data"]["changes"] == ["label.py", "left.py"]
    assert agentgate("vendor", "tool", folder=tmp_path).code == 0
    assert agentgate("vendor", "tool", "--check", folder=tmp_path).code == 0


def test_an_agent_needs_consent_to_write(package: Path, tmp_path: Path) -> None:
    stopped = agentgate("vendor", "tool", folder=tmp_path, agent=True)
    assert (stopped.code, stopped.error) == (3, "consent_required")
    assert not (package / "_agentgate").exists()
    assert run(folder=tmp_path, argv=stopped.next_argv()).code == 0
    assert agentgate("vendor", "tool", "--check", folder=tmp_path).code == 0


def test_files_that_no_python_can_read(package: Path, tmp_path: Path) -> None:
    (package / "deep.py").write_text(f"x = {' + '.join(['1'] * 20_000)}\n")
    (package / "escape.py").write_text("import rich\nx = '\\d'\n")
    (package / "folder.py").mkdir()
    os.mkfifo(package / "pipe.py")
    done = run(folder=tmp_path, argv=[sys.executable, "-W", "always", "-m", "agentgate", "vendor", "tool"], agent=False)
    assert (done.code, done.err) == (0, ""), done
    assert (package / "_agentgate" / "lint_rules" / "rich.toml").exists()


@pytest.mark.parametrize("what", ["a link", "a file"])
def test_what_is_no_folder_of_its_own_is_left_alone(what: str, package: Path, tmp_path: Path) -> None:
    target = package / "_agentgate"
    if what == "a link":
        target.symlink_to(tmp_path)
    else:
        target.write_text("")
    done = agentgate("vendor", "tool", folder=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert "is no folder of its own" in done.err
    assert os.path.lexists(target)


def test_a_copy_that_cannot_be_put_in_place_leaves_the_old_one(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from agentgate.cli import vendor

    target = package / "_agentgate"
    vendor._replace(target, {"old.py": b"1"})
    rename = os.rename

    def full(source: Path, to: Path) -> None:
        if to == target and not source.name.endswith(".old"):
            raise OSError(28, "No space left on device")
        rename(source, to)

    monkeypatch.setattr(os, "rename", full)
    with pytest.raises(OSError, match="No space left"):
        vendor._replace(target, {"new.py": b"2"})
    assert [path.name for path in target.iterdir()] == ["old.py"]
    assert sorted(path.name for path in package.iterdir()) == ["__init__.py", "__main__.py", "_agentgate"]


def test_a_folder_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    wrong = agentgate("vendor", "nowhere", folder=tmp_path)
    assert (wrong.code, wrong.out) == (2, "")
    assert wrong.err == "agentgate: vendor: nowhere is not a folder\n"


def test_a_vendored_copy_knows_no_other_wire_format_and_says_so(package: Path, tmp_path: Path) -> None:
    agentgate("vendor", str(package), folder=tmp_path)
    alone = {"PYTHONPATH": str(tmp_path), "AGENTGATE_ENVELOPE": "vyre"}
    ran = run(folder=tmp_path, argv=[sys.executable, "-m", "tool"], env=alone)
    assert (ran.code, ran.error) == (2, "usage")
    assert ran.envelope["message"] == "AGENTGATE_ENVELOPE needs the installed agentgate: this is a vendored copy"
