"""The cache: what it may remember, and that nothing about it can fail a run."""

from __future__ import annotations

import os
import shutil
import stat
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from agentgate.lint import cache as module
from agentgate.lint import lint_paths, parallel, storage
from agentgate.lint.cache import Cache
from agentgate.lint.finding import FileReport
from agentgate.lint.known import Effect
from agentgate.lint.own import Own


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of two files, which are old enough to be remembered, and a cache beside it."""
    monkeypatch.setattr(storage, "_folder", str(tmp_path / "cache"))
    monkeypatch.setattr(storage, "_off", False)
    monkeypatch.setattr(storage, "problem", None)
    tree = tmp_path / "tree"
    tree.mkdir()
    write(tree / "a.py", "x = input('A: ')\n")
    write(tree / "b.py", "x = 1\n")
    return tree


def write(path: Path, text: str) -> None:
    path.write_text(text)
    old = time.time_ns() - 10_000_000_000 + len(text)
    os.utime(path, ns=(old, old))


def run(tree: Path) -> tuple[list[str], list[str]]:
    """The labels that are found, and the names of the files that were read."""
    read: list[str] = []
    real = parallel.load

    def load(path: str) -> bytes:
        read.append(os.path.basename(path))
        return real(path)

    parallel.load = load
    try:
        result = lint_paths([str(tree)], cache=Cache([str(tree)]))
    finally:
        parallel.load = real
    return [finding.label or "" for finding in result.findings], read


def test_an_unchanged_file_is_not_read_again(folder: Path) -> None:
    assert run(folder) == (["A: "], ["a.py", "b.py"])
    assert run(folder) == (["A: "], [])


def test_a_warm_run_says_the_same(folder: Path) -> None:
    (folder / "broken.py").write_text("input(\n")
    (folder / "c.py").write_text("x = 1  # agentgate: ignore\n")
    for name in ("broken.py", "c.py"):
        os.utime(folder / name, ns=(10**18 + 1, 10**18 + 1))
    cold = lint_paths([str(folder)], cache=Cache([str(folder)]))
    assert cold == lint_paths([str(folder)], cache=Cache([str(folder)])) == lint_paths([str(folder)])


@pytest.mark.parametrize("how", ["content", "size", "replaced", "removed", "added"])
def test_a_change_shows(folder: Path, how: str) -> None:
    run(folder)
    if how == "content":
        write(folder / "b.py", "x = input('B')\n")
    elif how == "size":
        write(folder / "b.py", "x = 1  \n")
    elif how == "replaced":
        write(folder / "new", "x = 1\n")
        os.replace(folder / "new", folder / "b.py")
    elif how == "removed":
        (folder / "a.py").unlink()
        assert run(folder) == ([], [])
        return
    else:
        write(folder / "c.py", "x = input('C')\n")
    labels, read = run(folder)
    assert read == (["c.py"] if how == "added" else ["b.py"])
    assert len(labels) == 1 + (how in ("content", "added"))


def test_a_file_written_just_now_is_not_trusted(folder: Path) -> None:
    (folder / "b.py").write_text("x = 2\n")
    run(folder)
    assert run(folder)[1] == ["b.py"]


def test_a_change_of_the_program_or_of_the_prompts_empties_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(folder)
    own = Own(effects=(Effect(("mine.drop",)),))
    assert Cache([str(folder)], own).find(str(folder / "a.py")) is None
    monkeypatch.setattr(module, "_program", lambda: ["another version"])
    assert run(folder)[1] == ["a.py", "b.py"]


@pytest.mark.parametrize("name", ["known-effects.toml", "click.toml"])
def test_a_change_of_any_file_of_the_catalog_empties_it(
    name: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "lint_rules"
    shutil.copytree(module.folder(), copy)
    monkeypatch.setattr(module, "folder", lambda: str(copy))
    run(folder)
    assert run(folder)[1] == []
    (copy / name).write_text((copy / name).read_text() + "# another version\n")
    assert run(folder)[1] == ["a.py", "b.py"]


def test_all_of_the_linters_own_modules_count() -> None:
    counted = {part[0] for part in module._program() if isinstance(part, tuple) and len(part) == 3}
    own = Path(module.__file__).parent
    assert {path.name for path in (*own.rglob("*.py"), *own.parent.glob("*.py"))} <= counted


def test_a_module_that_appears_beside_a_file_shows(folder: Path) -> None:
    write(folder / "a.py", "from ui import console\nconsole.input('x')\n")
    assert run(folder) == ([], ["a.py", "b.py"])
    assert run(folder) == ([], [])
    write(folder / "ui.py", "from rich.console import Console\nconsole = Console()\n")
    assert run(folder) == (["x"], ["a.py", "ui.py"])


def test_a_file_that_another_one_depends_on_counts(folder: Path) -> None:
    path, other = str(folder / "b.py"), str(folder / "a.py")
    first = Cache([str(folder)])
    assert first.find(path) is None
    first.keep([path], {path: FileReport(path, depends=(other,))})
    first.save()
    assert Cache([str(folder)]).find(path) == FileReport(path, depends=(other,))
    write(folder / "a.py", "x = input('Changed: ')\n")
    assert Cache([str(folder)]).find(path) is None


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"agentgate-cache-2", b"\0" * 500])
def test_a_damaged_cache_is_none(folder: Path, damage: bytes) -> None:
    run(folder)
    for path in Path(storage.folder()).rglob("*"):
        if path.is_file():
            path.write_bytes(damage)
    assert run(folder) == (["A: "], ["a.py", "b.py"])
    assert run(folder)[1] == []


def test_every_single_damaged_byte_is_noticed(folder: Path) -> None:
    run(folder)
    [path] = [path for path in Path(storage.folder()).rglob("*") if path.name.startswith("lint-")]
    whole = path.read_bytes()
    name = str(path.relative_to(storage.folder()))
    for position in range(0, len(whole), 7):
        path.write_bytes(whole[:position] + bytes([whole[position] ^ 1]) + whole[position + 1 :])
        assert storage.load(name) is None


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere platformdirs is asked")
@pytest.mark.parametrize("variable", [None, "", " ", "/var/tmp/caches"])
def test_the_folder_is_that_of_the_platform(variable: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    import platformdirs

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    if variable is not None:
        monkeypatch.setenv("XDG_CACHE_HOME", variable)
    assert storage._of_the_user() == platformdirs.user_cache_dir("agentgate", appauthor=False)


def test_a_folder_that_cannot_be_made_is_one_warning(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    storage.configure(str(tmp_path / "file" / "below"))
    try:
        assert run(folder)[0] == ["A: "]
        assert storage.problem is not None
        assert "cannot be written" in storage.problem
    finally:
        storage.configure()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_one_warning(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir(mode=stat.S_IRUSR | stat.S_IXUSR)
    assert run(folder)[0] == ["A: "]
    assert storage.problem is not None


def test_concurrent_runs_leave_a_whole_cache(folder: Path) -> None:
    for number in range(30):
        write(folder / f"n{number}.py", f"x = input('{number}')\n")

    def once(_: int) -> int:
        return len(lint_paths([str(folder)], cache=Cache([str(folder)]), jobs=1).findings)

    with ThreadPoolExecutor(6) as pool:
        assert set(pool.map(once, range(18))) == {31}
    assert run(folder)[1] == []
    assert not list(Path(storage.folder()).rglob(".new-*"))
