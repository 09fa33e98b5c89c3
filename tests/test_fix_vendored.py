"""`fix --vendored PACKAGE`: the gate comes from the package's own copy."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_lint_command import run

from agentgate.fix import fix_source, plan
from agentgate.lint import lint_file

BEFORE = b"import os\nx = input('x')\n"
AFTER = b"import os\nfrom tool._agentgate import gate\nx = gate(input)('x')\n"


def test_the_import_is_of_the_copy() -> None:
    change, _ = fix_source("a.py", BEFORE, vendored="tool")
    assert change is not None
    assert change.after == AFTER
    for vendored in ("tool", None):
        assert fix_source("a.py", AFTER, vendored=vendored) == (None, [])
    assert lint_file("a.py", AFTER) == []


@pytest.mark.parametrize(
    "line",
    [
        b"from agentgate import gate",
        b"from ._agentgate import gate",
        b"from .._agentgate import gate",
        b"from company.tool._agentgate import gate, require_consent",
    ],
)
def test_an_import_that_is_there_is_used(line: bytes) -> None:
    for vendored in ("tool", None):
        change, _ = fix_source("a.py", line + b"\nx = input('x')\n", vendored=vendored)
        assert change is not None
        assert change.after == line + b"\nx = gate(input)('x')\n"


@pytest.mark.parametrize(
    ("imports", "behind"),
    [
        ("import sys\nsys.path.insert(0, '.')\nfrom tool.a import b\nimport os\n", "from tool.a import b\n"),
        ("import sys\nsys.path.insert(0, '.')\nimport os, tool\n", "import os, tool\n"),
        ("import sys\nimport tool\nimport os\nsys.path.insert(0, '.')\n", "import os\n"),
        ("import sys\nsys.path.insert(0, '.')\nimport tools\nfrom .tool import a\n", "import sys\n"),
    ],
)
def test_it_is_imported_where_the_package_can_be_found(imports: str, behind: str) -> None:
    change, _ = fix_source("a.py", f"{imports}x = input('x')\n".encode(), vendored="tool")
    assert change is not None
    assert change.after.decode().startswith(
        imports[: imports.index(behind)] + behind + "from tool._agentgate import gate\n"
    )


def test_the_name_is_free() -> None:
    change, _ = fix_source("a.py", b"import os\ngate = input('x')\n", vendored="a.b")
    assert change is not None
    assert change.after == b"import os\nfrom a.b._agentgate import gate as agent_gate\ngate = agent_gate(input)('x')\n"


def test_the_copy_itself_is_left_alone(tmp_path: Path) -> None:
    copy = tmp_path / "tool" / "_agentgate"
    copy.mkdir(parents=True)
    (copy / "a.py").write_bytes(BEFORE)
    (tmp_path / "tool" / "b.py").write_bytes(BEFORE)
    made = plan([str(tmp_path)], vendored="tool")
    assert [change.path for change in made.changes] == [str(tmp_path / "tool" / "b.py")]
    assert made.users == ()


def test_no_dependency_is_spoken_of(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("")
    (tmp_path / "a.py").write_bytes(BEFORE)
    run("fix", "--vendored", "to-ol", cwd=tmp_path, code=2)
    run("fix", "--vendored", "tool", "--add-dependency", cwd=tmp_path, code=2)
    shown = run("fix", "--vendored", "tool", "--check", cwd=tmp_path, code=1).stdout
    assert "agentgate-consent" not in shown
    assert "which `agentgate vendor tool` puts there" in shown
    (tmp_path / "src" / "tool" / "_agentgate").mkdir(parents=True)
    done = run("fix", "--vendored", "tool", cwd=tmp_path)
    assert done.stdout == "fixed a.py (1 prompt)\nGated 1 prompt in 1 file.\n"
    assert (tmp_path / "a.py").read_bytes() == AFTER


def test_a_file_that_imports_the_installed_one_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("from agentgate import gate\nx = gate(input)('x')\n")
    (tmp_path / "b.py").write_bytes(BEFORE)
    (tmp_path / "tool" / "_agentgate").mkdir(parents=True)
    done = run("fix", "--vendored", "tool", cwd=tmp_path)
    assert done.stdout.splitlines()[1:] == [
        "Gated 1 prompt in 1 file.",
        "a.py imports the installed agentgate, and not tool._agentgate.",
    ]
