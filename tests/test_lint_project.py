"""Prompts that reach a file through another module of its own project."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentgate.lint import lint_file
from agentgate.lint.engine import engine
from agentgate.lint.project import Neighbours, project

COMPAT = "try:\n    input = raw_input\nexcept NameError:\n    pass\nfrom click import prompt\n"
CASES = {
    "a re-export": (COMPAT, "from .compat import prompt\nprompt('x')\n", [(2, "AG101")]),
    "under another name": (COMPAT, "from pkg.compat import prompt as ask\nask('x')\n", [(2, "AG101")]),
    "an attribute of the module": (COMPAT, "from . import compat\ncompat.prompt('x')\n", [(2, "AG101")]),
    "the module under another name": (COMPAT, "import pkg.compat as c\nc.prompt('x')\n", [(2, "AG101")]),
    "a star": (COMPAT, "from .compat import *\nprompt('x')\n", [(2, "AG101")]),
    "an alias is reported where it is made": (COMPAT, "from .compat import input\ninput('x')\n", []),
    "an alias that may be missing": ("if x:\n    input = raw_input\n", "from .compat import input\ninput('x')\n", []),
    "something else of that name": ("def prompt(x): pass\n", "from .compat import prompt\nprompt('x')\n", []),
    "no such module": ("", "from .missing import prompt\nprompt('x')\n", []),
    "a subclass": (
        "from rich.prompt import PromptBase\nclass Mine(PromptBase[dict]): pass\n",
        "from .compat import Mine\nclass Ours(Mine): pass\nOurs.ask('x')\n",
        [(3, "AG101")],
    ),
    "an object": (
        "from rich.console import Console\nconsole = Console()\n",
        "from .compat import console\nconsole.input('x')\n",
        [(2, "AG101")],
    ),
    "a wrapper of its own": (
        "import click\ndef confirm(x): return click.confirm(x)\n",
        "from .compat import confirm\nconfirm('x')\n",
        [],
    ),
}


@pytest.mark.parametrize(("compat", "code", "expected"), CASES.values(), ids=CASES)
def test_what_a_module_hands_on(tmp_path: Path, compat: str, code: str, expected: list[tuple[int, str]]) -> None:
    package = tmp_path / "pkg"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "compat.py").write_text(compat)
    user = package / "user.py"
    user.write_text(code)
    assert [(one.line, one.code) for one in lint_file(str(user), user.read_bytes())] == expected


def test_through_two_modules_and_a_package(tmp_path: Path) -> None:
    for folder in ("pkg", "pkg/ui", "pkg/ui/deep"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__init__.py").touch()
    (tmp_path / "pkg/ui/__init__.py").write_text("from .real import confirm\n")
    (tmp_path / "pkg/ui/real.py").write_text("from click import confirm\n")
    user = tmp_path / "pkg/ui/deep/user.py"
    user.write_text("from ...ui import confirm\nconfirm('x')\n")
    analysis = engine().analyse(str(user), user.read_bytes())
    assert analysis is not None
    assert [site.finding.line for site in analysis.sites] == [2]
    # what was read for it, so that a cache can tell when to read it anew
    assert {Path(path).name for path in analysis.depends} == {"__init__.py", "real.py"}


def test_modules_that_import_one_another(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("from b import confirm\nfrom click import prompt\nprompt('x')\n")
    (tmp_path / "b.py").write_text("from a import prompt\nfrom click import confirm\nprompt('x')\n")
    for name in ("a.py", "b.py"):
        path = tmp_path / name
        assert [one.line for one in lint_file(str(path), path.read_bytes())] == [3]


SHELL = "import os\ntry:\n    import subprocess\nexcept ImportError:\n    subprocess = None\n"
RUN = 'subprocess.run(["git", "commit"])\n'


@pytest.mark.parametrize(
    ("compat", "code", "expected"),
    [
        (SHELL, f"from .compat import subprocess\n{RUN}", ["AG106"]),
        (SHELL, f"from pkg.compat import subprocess, os\n{RUN}os.system('git commit')\n", ["AG106", "AG106"]),
        (SHELL, "from .compat import subprocess as sp\nsp.call('git commit', shell=True)\n", ["AG106"]),
        ("from .shell import subprocess\n", f"from .compat import subprocess\n{RUN}", ["AG106"]),
        ("import subprocess32 as subprocess\n", f"from .compat import subprocess\n{RUN}", []),
        ("class subprocess:\n    run = print\n", f"from .compat import subprocess\n{RUN}", []),
        ("import subprocess as real\nsubprocess = Fake(real)\n", f"from .compat import subprocess\n{RUN}", []),
        ("", f"from .subprocess import run\nfrom . import subprocess\n{RUN}", []),
        ("from .user import subprocess\n", f"from .compat import subprocess\n{RUN}", []),
    ],
)
def test_a_module_that_starts_programs(tmp_path: Path, compat: str, code: str, expected: list[str]) -> None:
    (tmp_path / "pkg").mkdir()
    texts = {"__init__": "", "compat": compat, "shell": SHELL, "subprocess": "def run(words): pass\n", "user": code}
    for name, text in texts.items():
        (tmp_path / "pkg" / f"{name}.py").write_text(text)
    user = tmp_path / "pkg" / "user.py"
    report = engine().report(str(user), user.read_bytes())
    assert [one.code for one in report.findings] == expected
    if expected:
        assert str(tmp_path / "pkg" / "compat.py") in report.depends


def test_a_module_that_starts_programs_is_read_anew(tmp_path: Path) -> None:
    (tmp_path / "compat.py").write_text(SHELL)
    user = tmp_path / "user.py"
    user.write_text(f"from compat import subprocess\n{RUN}")
    assert [one.line for one in lint_file(str(user), user.read_bytes())] == [2]
    (tmp_path / "compat.py").write_text("subprocess = None  # not on this system\n")
    assert lint_file(str(user), user.read_bytes()) == []


def test_a_changed_module_is_read_anew(tmp_path: Path) -> None:
    (tmp_path / "compat.py").write_text("from click import prompt\n")
    user = tmp_path / "user.py"
    user.write_text("from compat import prompt\nprompt('x')\n")
    assert lint_file(str(user), user.read_bytes()) != []
    (tmp_path / "compat.py").write_text("def prompt(*_): return ''  # now its own\n")
    assert lint_file(str(user), user.read_bytes()) == []


def test_an_unreadable_module_hands_on_nothing(tmp_path: Path) -> None:
    (tmp_path / "compat.py").write_text("from click import prompt\nprint 'x'\n")
    neighbours = Neighbours(project(engine().index), str(tmp_path / "user.py"))
    path = neighbours.find("compat", 0)
    assert path is not None
    assert neighbours.exports(path) == {}
    assert neighbours.find("os", 0) is None
    assert neighbours.find("nowhere.at.all", 0) is None
