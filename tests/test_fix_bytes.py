"""Every byte that is not ours stays: encodings, line ends, marks, and what the diff says of them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from agentgate.fix import fix_source, plan, unified

EXACT = {
    "crlf": (
        b"import os\r\nx = input('x')\r\n",
        b"import os\r\nfrom agentgate import gate\r\nx = gate(input)('x')\r\n",
    ),
    "cr": (b"import os\rx = input('x')\r", b"import os\rfrom agentgate import gate\rx = gate(input)('x')\r"),
    "mixed": (
        b"import os\r\nx = input('x')\ny = 1\r\n",
        b"import os\r\nfrom agentgate import gate\r\nx = gate(input)('x')\ny = 1\r\n",
    ),
    "bom": (
        b"\xef\xbb\xbfx = input('\xc3\xa9')",
        b"\xef\xbb\xbffrom agentgate import gate\nx = gate(input)('\xc3\xa9')",
    ),
    "latin-1": (
        b"# coding: latin-1\nimport os\nx = '\xe9', input('\xe9')\n",
        b"# coding: latin-1\nimport os\nfrom agentgate import gate\nx = '\xe9', gate(input)('\xe9')\n",
    ),
    "no newline": (b"import os\nx = input('x')", b"import os\nfrom agentgate import gate\nx = gate(input)('x')"),
    "form feed": (
        b"\x0cimport os\n\x0c\nx = input('x')\n",
        b"\x0cimport os\nfrom agentgate import gate\n\x0c\nx = gate(input)('x')\n",
    ),
    "one line": (b"x = input('x')", b"from agentgate import gate\nx = gate(input)('x')"),
    "wide": (
        "import os\ns = '𝄞é€'; x = input('x'), input\n".encode(),
        "import os\nfrom agentgate import gate\ns = '𝄞é€'; x = gate(input)('x'), gate.later(input)\n".encode(),
    ),
    "a label that the encoding cannot hold": (
        b"# coding: ascii\nprint('Gr\\xf6\\u20ac \"?')\nx = input()\n",
        b"# coding: ascii\nfrom agentgate import gate\n\nprint('Gr\\xf6\\u20ac \"?')\n"
        b'x = gate(input, label="Gr\\xf6\\u20ac \\"?")()\n',
    ),
    "a label with what cannot be seen": (
        rb"""print("\x1b[0m Is it '\\' \\\" so?\t")
x = input()
""",
        rb"""from agentgate import gate
print("\x1b[0m Is it '\\' \\\" so?\t")
x = gate(input, label="\x1b[0m Is it '\\' \\\" so?\t")()
""",
    ),
    "trailing space": (
        b"import os  \nx = input( 'x' )  \n",
        b"import os  \nfrom agentgate import gate\nx = gate(input)( 'x' )  \n",
    ),
}


@pytest.mark.parametrize(("before", "after"), EXACT.values(), ids=EXACT.keys())
def test_exactly(before: bytes, after: bytes) -> None:
    change, _ = fix_source("x.py", before)
    assert change is not None
    assert change.after == after
    assert fix_source("x.py", after)[0] is None


def test_a_text_that_does_not_give_its_bytes_back_is_left_alone() -> None:
    # utf-7 can write one letter in several ways
    change, [left] = fix_source("x.py", b"# coding: utf-7\nx = input('+AGE-')\n")
    assert change is None
    assert "does not give back the same bytes" in left.reason


def test_an_f_string_that_shows_its_source_is_left_alone() -> None:
    change, [left] = fix_source("x.py", b"import os\nx = f'{input()=}'\ny = f'{input()}'\n")
    assert change is not None
    assert change.after == b"import os\nfrom agentgate import gate\nx = f'{input()=}'\ny = f'{gate(input)()}'\n"
    assert left.reason == "an f-string shows its source text"


@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
@pytest.mark.parametrize("command", [["git", "apply", "-p1"], ["patch", "-s", "-p1"]], ids=["git", "patch"])
def test_the_diff_can_be_applied(command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not shutil.which(command[0]):
        pytest.skip(f"needs {command[0]}")
    monkeypatch.chdir(tmp_path)
    wanted = {}
    for name, (before, after) in EXACT.items():
        if b"\r" in before and command[0] == "patch":
            continue  # patch reads a patch with such line ends as one that was damaged on its way
        path = tmp_path / "sub" / f"{name.replace(' ', '_')}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(before)
        wanted[path] = after
    diff = b"".join(unified(change.path, change.before, change.after) for change in plan(["sub"]).changes)
    subprocess.run(command, input=diff, check=True, cwd=tmp_path)
    assert {path: path.read_bytes() for path in wanted} == wanted


def test_the_diff_of_nothing_is_empty() -> None:
    assert unified("x.py", b"a\n", b"a\n") == b""
