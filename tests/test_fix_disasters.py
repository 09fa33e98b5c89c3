"""A kill, a full disk, a file that may not be written, a program that is nested too deeply: nothing is ever lost."""

from __future__ import annotations

import ast
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from programs import ROOT, environment
from test_lint_command import envelope, run

from agentgate.fix import apply, fix_source, plan, unified
from agentgate.fix.write import WriteError, create
from agentgate.lint.load import Unreadable

BEFORE = b"import os\n" + b"x = input('x')  # a comment\n" * 40


def after(data: bytes) -> bytes:
    change, _ = fix_source("x.py", data)
    assert change is not None
    return change.after


def test_a_kill_leaves_every_file_old_or_new(tmp_path: Path) -> None:
    files = [tmp_path / f"m{number}.py" for number in range(60)]
    new = after(BEFORE)
    script = "from agentgate.fix import apply, plan\napply(plan(['.']), written=lambda _: print('one', flush=True))\n"
    chance = random.Random(5)
    seen: set[int] = set()
    for _ in range(6):
        for file in files:
            file.write_bytes(BEFORE)
        program = subprocess.Popen(
            [sys.executable, "-c", script], cwd=tmp_path, env=environment(agent=False), stdout=subprocess.PIPE
        )
        assert program.stdout is not None
        for _ in range(chance.randrange(1, 40)):
            program.stdout.readline()
        time.sleep(chance.uniform(0, 0.002))
        program.send_signal(signal.SIGKILL)
        program.wait()
        program.stdout.close()
        held = [file.read_bytes() for file in files]
        assert set(held) <= {BEFORE, new}
        seen.add(held.count(new))
    assert len(seen) > 1, "every kill came at the same moment"
    # what such a run leaves behind disturbs none that comes later
    assert run("fix", cwd=tmp_path).stdout.splitlines()[-1].startswith("The program now imports")
    assert {file.read_bytes() for file in files} == {new}


def full_disk() -> None:
    """No file of this process may grow beyond 100 bytes."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


def test_a_full_disk_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(BEFORE)
    (tmp_path / "b.py").write_bytes(b"x = input()\n")
    done = run("fix", "--no-cache", cwd=tmp_path, code=1, preexec_fn=full_disk)
    assert "not written: a.py: cannot be written: File too large\n" in done.stdout
    assert (tmp_path / "a.py").read_bytes() == BEFORE
    assert (tmp_path / "b.py").read_bytes() == after(b"x = input()\n")
    assert sorted(os.listdir(tmp_path)) == ["a.py", "b.py"]
    found = envelope(run("fix", "--no-cache", "--json", cwd=tmp_path, code=1, preexec_fn=full_disk))
    assert found["data"]["refused"] == [{"path": "a.py", "reason": "cannot be written: File too large"}]


def test_a_new_file_on_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(WriteError, match="No space left"):
            create(str(tmp_path / "sub" / "a.py"), b"x")
    assert os.listdir(tmp_path / "sub") == []
    create(str(tmp_path / "sub" / "a.py"), b"x")
    with pytest.raises(WriteError, match="is there by now"):
        create(str(tmp_path / "sub" / "a.py"), b"y")
    assert (tmp_path / "sub" / "a.py").read_bytes() == b"x"


def refused_to_nobody(folder: Path) -> list[list[str]]:
    """What a fix of a folder says that was not written, to a user whom permissions bind (root is not)."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
            refused = [[os.path.relpath(one.path, folder), one.reason] for one in apply(plan([str(folder)]))]
            os.write(write, json.dumps(refused).encode())
        finally:
            os._exit(0)
    os.close(write)
    with open(read, "rb") as answer:
        said: list[list[str]] = json.loads(answer.read())
    os.waitpid(pid, 0)
    return said


def test_what_may_not_be_written_is_one_clear_error() -> None:
    folder = Path(tempfile.mkdtemp(prefix="agentgate-fix-", dir="/tmp"))
    closed = folder / "closed"
    closed.mkdir()
    try:
        folder.chmod(0o777)
        for path in (folder / "read_only.py", folder / "fine.py", closed / "a.py"):
            path.write_bytes(BEFORE)
            path.chmod(0o666)
        (folder / "read_only.py").chmod(0o444)
        closed.chmod(0o555)
        # loaded while it can be
        after(BEFORE)
        assert sorted(refused_to_nobody(folder)) == [
            ["closed/a.py", "cannot be written: Permission denied"],
            ["read_only.py", "is read-only"],
        ]
        assert (folder / "fine.py").read_bytes() == after(BEFORE)
        assert (folder / "read_only.py").read_bytes() == (closed / "a.py").read_bytes() == BEFORE
        assert sorted(os.listdir(folder)) == ["closed", "fine.py", "read_only.py"]
    finally:
        closed.chmod(0o755)
        shutil.rmtree(folder)


SHAPES = {
    "terms": "x = " + " + ".join(["1"] * 10_000) + " + len(input())\n",
    "strings": "x = " + "\n  ".join(["(", *["'a'"] * 10_000, ") + input()\n"]),
    "attributes": "x = input()" + ".a()" * 500 + "\n",
    "not": "x = " + "not " * 500 + "input()\n",
    "elif": "if a: pass\n" + "elif b: pass\n" * 500 + "else: x = input()\n",
    "lambda": "x = " + "lambda: " * 500 + "input()\n",
    "powers": "x = " + "1 ** " * 500 + "input()\n",
    "ifs": "x = " + "1 if y else " * 500 + "input()\n",
    "parentheses": "x = " + "(" * 500 + "input()" + ")" * 500 + "\n",
    "calls": "x = " + "f(" * 500 + "input()" + ")" * 500 + "\n",
    "blocks": "".join(" " * level + "if a:\n" for level in range(500)) + " " * 500 + "x = input()\n",
    "many": "".join(f"x{number} = input()\n" for number in range(1000)),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_deep_and_long(shape: str) -> None:
    """Rewritten, or left alone where `ast` itself refuses, with the reason."""
    source = SHAPES[shape].encode()
    try:
        change, _ = fix_source("x.py", source)
    except Unreadable as error:
        assert re.search("too many nested|too deeply|too many levels|too complex", error.reason)
        with pytest.raises((SyntaxError, RecursionError, MemoryError)):
            ast.parse(source)
        return
    assert change is not None
    assert change.after.count(b"gate(input") == source.count(b"input")
    assert fix_source("x.py", change.after) == (None, [])


def test_deep_and_long_from_outside(tmp_path: Path) -> None:
    for name, text in SHAPES.items():
        (tmp_path / f"{name}.py").write_text(text)
    done = run("fix", cwd=tmp_path, code=1)
    for name in ("parentheses", "calls", "blocks"):
        assert f"left {name}.py:" in done.stdout
        assert (tmp_path / f"{name}.py").read_text() == SHAPES[name]
    assert "fixed many.py (1000 prompts)" in done.stdout
    assert "fixed attributes.py (1 prompt)" in done.stdout
    assert run("fix", cwd=tmp_path, code=1).stdout.count("fixed") == 0


FOREIGN = {
    "crlf.py": b"import os\r\nx = input('x')\r\ny = 1\r\n",
    "no_end.py": b"import os\nx = input('x')",
    "crlf_no_end.py": b"import os\r\nx = input('x')",
    "latin.py": b"# coding: latin-1\nimport os\n# \xe9\nx = input('\xe9')\n",
    "bom.py": b"\xef\xbb\xbfx = input('x')\n",
    "a folder/two words.py": b"x = input('x')\n",
    'quo"ted\\.py': b"x = input('x')\n",
    "a\ttab and\na line.py": b"x = input('x')\n",
}


@pytest.mark.parametrize("command", [["git", "apply"], ["git", "apply", "--check"], ["patch", "--binary", "-s", "-p1"]])
def test_the_diff_of_foreign_bytes_can_be_applied(command: list[str], tmp_path: Path) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"needs {command[0]}")
    for name, data in FOREIGN.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    shown = subprocess.run(
        [sys.executable, "-m", "agentgate", "fix", "--diff"],
        cwd=tmp_path, env={**environment(agent=False), "PYTHONPATH": str(ROOT)}, capture_output=True, check=True,
    ).stdout  # fmt: skip
    subprocess.run(command, input=shown, check=True, cwd=tmp_path)
    wanted = {name: data if "--check" in command else after(data) for name, data in FOREIGN.items()}
    assert {name: (tmp_path / name).read_bytes() for name in FOREIGN} == wanted
    changes = plan([str(tmp_path)]).changes
    assert len(changes) == (len(FOREIGN) if "--check" in command else 0)
    assert all(unified(change.path, change.before, change.after) for change in changes)


def test_a_name_never_breaks_the_report(tmp_path: Path) -> None:
    for name in (b"a\nline.py", b"\x1b[31mred.py", b"\xff.py"):
        Path(os.fsdecode(os.path.join(os.fsencode(tmp_path), name))).write_bytes(b"x = input('x')\n")
    done = run("fix", "--check", cwd=tmp_path, code=1)
    assert done.stdout.splitlines()[:3] == [
        r"would fix \x1b[31mred.py (1 prompt)",
        r"would fix a\nline.py (1 prompt)",
        r"would fix \udcff.py (1 prompt)",
    ]
    assert run("init", "--yes", cwd=tmp_path).stdout.splitlines()[1:4] == [
        r"changed \x1b[31mred.py",
        r"changed a\nline.py",
        r"changed \udcff.py",
    ]
