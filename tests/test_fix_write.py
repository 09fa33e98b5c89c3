"""Files are written whole or not at all."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from test_lint_command import run

from agentgate.fix import apply, plan
from agentgate.fix.write import WriteError, put, replace
from agentgate.lint.config import Config

BEFORE = b"import os\nx = input('x')\n"
AFTER = b"import os\nfrom agentgate import gate\nx = gate(input)('x')\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.py"
    path.write_bytes(BEFORE)
    return path


def test_a_plan_writes_nothing(path: Path) -> None:
    made = plan([str(path.parent)])
    assert (made.fixed, made.files, made.left) == (1, 1, ())
    assert path.read_bytes() == BEFORE
    assert apply(made) == ()
    assert path.read_bytes() == AFTER
    assert plan([str(path)]).changes == ()


def test_the_description_tells_plans_apart(path: Path) -> None:
    first = plan([str(path)]).description()
    assert first == plan([str(path)]).description()
    path.write_bytes(BEFORE + b"\n")
    assert first != plan([str(path)]).description()


def test_the_mode_is_kept(path: Path) -> None:
    path.chmod(0o4755)
    apply(plan([str(path)]))
    assert path.stat().st_mode & 0o7777 == 0o4755


def test_a_file_that_changed_is_left_alone(path: Path) -> None:
    made = plan([str(path)])
    path.write_bytes(BEFORE + b"# more\n")
    assert [(refusal.path, refusal.reason) for refusal in apply(made)] == [(str(path), "changed since it was read")]
    assert path.read_bytes() == BEFORE + b"# more\n"


def test_one_refusal_does_not_stop_the_rest(path: Path) -> None:
    other = path.with_name("b.py")
    other.write_bytes(BEFORE)
    made = plan([str(path.parent)])
    path.unlink()
    [refusal] = apply(made)
    assert refusal.path == str(path)
    assert other.read_bytes() == AFTER


def test_a_failed_write_loses_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    for name in ("fsync", "replace", "chmod"):
        with monkeypatch.context() as patched:
            patched.setattr(os, name, full)
            with pytest.raises(WriteError, match="cannot be written: No space left"):
                replace(str(path), BEFORE, AFTER)
        assert path.read_bytes() == BEFORE
        assert os.listdir(path.parent) == ["a.py"]


def test_the_owner_is_kept_as_far_as_we_may(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[object] = []
    monkeypatch.setattr(os, "chown", lambda _, *owner: given.append(owner))
    replace(str(path), BEFORE, AFTER)
    assert given == [(path.stat().st_uid, path.stat().st_gid)]

    def refused(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "chown", refused)
    replace(str(path), AFTER, BEFORE)
    assert path.read_bytes() == BEFORE


def test_a_report_that_fails_leaves_the_old_one(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    path.chmod(0o640)
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        for name in (path, path.with_name("new")):
            with pytest.raises(WriteError, match="cannot be written: No space left"):
                put(str(name), AFTER)
    assert path.read_bytes() == BEFORE
    assert os.listdir(path.parent) == ["a.py"]
    put(str(path), AFTER)
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (AFTER, 0o640)


def test_a_report_goes_through_a_link_and_into_a_pipe(path: Path) -> None:
    link, pipe = path.with_name("link"), path.with_name("pipe")
    link.symlink_to(path)
    put(str(link), AFTER)
    assert link.is_symlink()
    assert path.read_bytes() == AFTER
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    put(str(pipe), b"whole")
    assert os.read(reader, 100) == b"whole"
    os.close(reader)


def test_a_read_only_file_is_left_alone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(WriteError, match="is read-only"):
        replace(str(path), BEFORE, AFTER)


def test_a_link_stays_a_link(path: Path) -> None:
    link = path.with_name("link.py")
    link.symlink_to(path)
    apply(plan([str(link)]))
    assert link.is_symlink()
    assert path.read_bytes() == AFTER


def test_a_link_out_of_the_folder_is_not_followed(path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    link = tmp_path_factory.mktemp("elsewhere") / "link.py"
    link.symlink_to(path)
    made = plan([str(link)])
    assert made.changes == ()
    assert [rest.reason for rest in made.left] == ["the link leads out of the folder that was named"]


def test_select(path: Path) -> None:
    assert plan([str(path)], config=Config(select=("AG102",))).changes == ()
    assert plan([str(path)], config=Config(select=("AG101", "AG102"))).fixed == 1


def test_the_configuration_counts(path: Path) -> None:
    path.with_name("agentgate.toml").write_text(
        'per-file-ignores = {"a.py" = ["AG1"]}\nextend-exclude = ["b.py"]\n'
        '[[prompts]]\ncall = "ui.ask"\nkind = "confirm"\nargs = ["question"]\nlabel = "question"\n'
    )
    path.with_name("b.py").write_bytes(BEFORE)
    path.with_name("c.py").write_text("from ui import ask\nif ask('Go?'):\n    pass\n")
    run("fix", ".", cwd=path.parent)
    assert path.read_bytes() == path.with_name("b.py").read_bytes() == BEFORE
    assert path.with_name("c.py").read_text() == (
        "from ui import ask\nfrom agentgate import gate\nif gate(ask, kind=\"confirm\")('Go?'):\n    pass\n"
    )
    run("fix", "--isolated", "--select", "AG1", ".", cwd=path.parent)
    assert path.read_bytes() == AFTER
    run("fix", "--select", "AG999", cwd=path.parent, code=2)


def test_what_cannot_be_fixed_is_named(path: Path) -> None:
    path.write_bytes(b"breakpoint()\n")
    path.with_name("b.py").write_bytes(b"input(\n")
    assert [(rest.finding.code, rest.reason.split(":")[0]) for rest in plan([str(path.parent)]).left] == [
        ("AG107", "a debugger takes no answers"),
        ("AG901", f"is not valid Python {sys.version_info[0]}.{sys.version_info[1]}"),
    ]
