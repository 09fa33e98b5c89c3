"""Which file should name the distribution, and what becomes of it when it does."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_lint_command import run

from agentgate.fix import DISTRIBUTION, apply, fix_source, plan, where_to_add
from agentgate.fix.declare import CannotAdd, declared, names_it


@pytest.mark.parametrize(
    ("name", "text", "named"),
    [
        ("pyproject.toml", "[project]\nname = 'x'\n", "dependencies = ['Agentgate_Consent>=1']\n"),
        ("pyproject.toml", "[tool.poetry]\nname = 'x'\n", "[tool.poetry.dependencies]\nagentgate-consent = '*'\n"),
        ("setup.cfg", "[options]\ninstall_requires =\n", "  agentgate-consent\n"),
        ("setup.py", "setup()\n", "setup(install_requires=['agentgate-consent'])\n"),
        ("requirements.txt", "click\n", "agentgate-consent==1.0\n"),
    ],
)
def test_found_from_below(name: str, text: str, named: str, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "src" / "pkg").mkdir(parents=True)
    module = tmp_path / "src" / "pkg" / "a.py"
    module.write_text("")
    (tmp_path / name).write_text(text + "# agentgate-consent\n")
    for path in (tmp_path, tmp_path / "src", module):
        assert where_to_add([str(path)]) == str(tmp_path / name)
    (tmp_path / name).write_text(text + named)
    assert where_to_add([str(module)]) is None


def test_a_tool_table_is_no_list_of_dependencies(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "pyproject.toml").write_text("[tool.ruff]\n")
    assert where_to_add([str(tmp_path)]) is None
    (tmp_path / "requirements.txt").write_text("click\n")
    assert where_to_add([str(tmp_path)]) == str(tmp_path / "requirements.txt")


@pytest.mark.parametrize(
    "text",
    ["tool = 3\n", "tool = 'poetry'\n", f"a = {'[' * 20_000}\n", f"a = {'9' * 5000}\n"],
    ids=lambda text: text[:20],
)
def test_a_file_that_lists_none_in_whatever_way(text: str, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "pyproject.toml").write_text(text)
    assert where_to_add([str(tmp_path)]) is None


def test_a_script_names_its_own(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("click\n")
    script = tmp_path / "tool.py"
    script.write_text("# /// script\n# dependencies = []\n# ///\n")
    assert where_to_add([str(script)]) == str(script)


def test_the_search_ends_at_the_repository(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("click\n")
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    assert where_to_add([str(tmp_path / "repo")]) is None


def test_requirements_of_the_program_come_first(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    for name in ("requirements-dev.txt", "requirements_test.txt"):
        (tmp_path / name).write_text("")
    assert where_to_add([str(tmp_path)]) is None
    for name in ("requirements-base.txt", "requirements.txt", "requirements.in"):
        (tmp_path / name).write_text("")
        assert where_to_add([str(tmp_path)]) == str(tmp_path / name)


NAME = '"agentgate-consent"'
# file, its text, a part of it, what stands in that part's place afterwards
ADDED = {
    "one line": ("pyproject.toml", '[project]\ndependencies = ["a", "b"]  # x\n', '"b"', f'"b", {NAME}'),
    "one line, single": ("pyproject.toml", "[project]\ndependencies=['a']", "'a'", "'a', 'agentgate-consent'"),
    "one line, comma": ("pyproject.toml", '[project]\ndependencies = ["a",]\n', '"a",', f'"a", {NAME},'),
    "empty": ("pyproject.toml", "[project]\ndependencies = []\n", "[]", f"[{NAME}]"),
    "lines": (
        "pyproject.toml",
        '[project]\ndependencies = [\n    "a[x,y]>=1",  # don\'t ]\n    # more\n]\nname = "x"\n',
        "don't ]\n",
        f"don't ]\n    {NAME},\n",
    ),
    "lines, no comma, CRLF": (
        "pyproject.toml",
        '[project]\r\ndependencies = [\r\n\t"a",\r\n\t"b" # c\r\n]\r\n',
        '"b" # c\r\n',
        f'"b", # c\r\n\t{NAME}\r\n',
    ),
    "lines, bracket behind": (
        "pyproject.toml",
        '[project]\ndependencies = ["a",\n                "b"]\n',
        '"b"',
        f'"b",\n                {NAME}',
    ),
    "no key": (
        "pyproject.toml",
        '[project] # p\nname = "x"\nreadme = """\n[a]\n""" # y\n\n# z\n[tool.x]\n',
        '""" # y\n',
        f'""" # y\ndependencies = [{NAME}]\n',
    ),
    "other tables": (
        "pyproject.toml",
        '[[a]]\ndependencies = []\n[project.x]\ndependencies = []\n[project]\ndependencies = ["a"]\n',
        '["a"]',
        f'["a", {NAME}]',
    ),
    "poetry": (
        "pyproject.toml",
        '[tool.poetry.dependencies]\npython = "^3.11"\n\n[build-system]\n',
        '"^3.11"\n',
        '"^3.11"\nagentgate-consent = "*"\n',
    ),
    "poetry 2": (
        "pyproject.toml",
        '[project]\ndynamic = ["dependencies"]\n[tool.poetry.dependencies]\npython = "^3.11"',
        '"^3.11"',
        '"^3.11"\nagentgate-consent = "*"',
    ),
    "requirements": ("requirements.txt", "a\nb\n", "b\n", "b\nagentgate-consent\n"),
    "requirements, no end": ("requirements.in", "a\r\nb", "b", "b\r\nagentgate-consent"),
    "setup.cfg": (
        "setup.cfg",
        '[metadata]\nname = x\n[options]\ninstall_requires =\n\ta; x < "4"\n\n\t# c\n\tbb\n\npackages = x\n',
        "\tbb\n",
        "\tbb\n\tagentgate-consent\n",
    ),
    "setup.cfg, no key": (
        "setup.cfg",
        "[options]\npackages = find:\n\n[x]\ninstall_requires =\n  a",
        "find:\n",
        "find:\ninstall_requires =\n    agentgate-consent\n",
    ),
    "setup.cfg, no end": ("setup.cfg", "[options]\ninstall_requires =\n  a", "  a", "  a\n  agentgate-consent"),
    "script": (
        "tool.py",
        '#!/usr/bin/env python\n# /// script\n# dependencies = [\n#   "a",\n#\n# ]\n# ///\nx = "\\n"\n',
        '#   "a",\n',
        f'#   "a",\n#   {NAME},\n',
    ),
    "script, no key": (
        "tool",
        '# /// script\r\n# requires-python = ">=3.11"\r\n#\r\n# [tool.x]\r\n# ///\r\nx = 1\r\n',
        '">=3.11"\r\n',
        f'">=3.11"\r\n# dependencies = [{NAME}]\r\n',
    ),
    "script, deep": (
        "tool.py",
        f"# /// script\n# dependencies = []\n# ///\nx = {' + '.join(['1'] * 1500)}\n",
        "[]",
        f"[{NAME}]",
    ),
    "script, newer": (
        "tool.py",
        "# /// script\n# dependencies = []\n# ///\ntype X = int\n",
        "[]",
        f"[{NAME}]",
    ),
    "script, empty": ("tool.py", "# /// script\n# ///\n", "script\n", f"script\n# dependencies = [{NAME}]\n"),
}


@pytest.mark.parametrize(("name", "text", "old", "new"), ADDED.values(), ids=ADDED.keys())
def test_one_name_is_added_and_nothing_else(name: str, text: str, old: str, new: str) -> None:
    after = declared(name, text.encode()).decode()
    assert text.count(old) == 1
    assert after == text.replace(old, new)
    assert names_it(name, after.encode())
    assert declared(name, after.encode()).decode() == after


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        (
            "pyproject.toml",
            '[project]\ndynamic = ["dependencies"]\n',
            "its dependencies are dynamic: add agentgate-con",
        ),
        ("pyproject.toml", 'project.dependencies = ["a"]\n', "cannot be added to safely"),
        ("pyproject.toml", 'project = {dependencies = ["a"]}\n', "cannot be added to safely"),
        ("pyproject.toml", "[tool.poetry]\nname = 'x'\n", "cannot be added to safely"),
        ("pyproject.toml", "[project\n", "it is not valid TOML"),
        ("setup.py", "setup(install_requires=['a'])\n", "it is a program"),
        ("setup.cfg", "[options]\ninstall_requires = file: requirements.txt\n", "come from requirements.txt"),
        ("setup.cfg", "[options]\ninstall_requires = a; b\n", "not a list of lines"),
        ("setup.cfg", "[metadata]\n", "it has no"),
        ("setup.cfg", "nothing\n", "it cannot be read"),
        ("requirements.txt", "# This file is autogenerated by pip-compile\na==1\n", "it is made from another file"),
        ("requirements.txt", "a==1 --hash=sha256:00\n", "it pins hashes"),
        ("requirements.txt", "a \\\n", "cannot be added to safely"),
        ("requirements.txt", "\xe9", "it is not UTF-8"),
        ("tool.py", "x = 1\n", "it has no block"),
        ("tool.py", "# /// script\n# ///\nprint 1\n", "it is not valid Python .*: add agentgate-consent by hand"),
        ("tool.py", "x = '''\n# /// script\n# ///\n'''\n", "cannot be added to safely"),
    ],
)
def test_where_it_cannot_be_done_the_reason_says_what_to_do(name: str, text: str, reason: str) -> None:
    with pytest.raises(CannotAdd, match=reason):
        declared(name, text.encode("latin-1"))


def test_the_dependency_is_part_of_the_plan(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "pyproject.toml").write_text("[project]\ndependencies = []\n")
    (tmp_path / "a.py").write_text("x = input('x')\n")
    script = tmp_path / "b.py"
    script.write_text("# /// script\n# dependencies = []\n# ///\nx = input('x')\n")
    without = plan([str(tmp_path)])
    made = plan([str(tmp_path)], add_dependency=True)
    assert made.description() != without.description()
    assert [(Path(change.path).name, change.adds) for change in made.changes] == [
        ("pyproject.toml", DISTRIBUTION),
        ("a.py", None),
        ("b.py", DISTRIBUTION),
    ]
    assert apply(made) == ()
    assert script.read_text() == (
        f"# /// script\n# dependencies = [{NAME}]\n# ///\nfrom agentgate import gate\n\nx = gate(input)('x')\n"
    )
    assert plan([str(tmp_path)], add_dependency=True).changes == ()


def test_it_is_added_for_what_was_fixed_before(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.py").write_text("from agentgate import gate\nx = gate(input)('x')\n")
    (tmp_path / "requirements.txt").write_text("")
    made = plan([str(tmp_path)], add_dependency=True)
    assert [change.after for change in made.changes] == [b"agentgate-consent\n"]
    (tmp_path / "requirements.txt").unlink()
    (tmp_path / "setup.py").write_text("setup()\n")
    [refusal] = plan([str(tmp_path)], add_dependency=True).undeclared
    assert refusal.path == str(tmp_path / "setup.py")


def test_a_diff_says_on_stderr_what_it_cannot_add(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "setup.py").write_text("setup()\n")
    (tmp_path / "a.py").write_text("x = input('x')\n")
    done = run("fix", "--diff", "--add-dependency", cwd=tmp_path, code=1)
    assert done.stdout.startswith("--- a/a.py\n")
    assert "\nnothing added to setup.py: it is a program" in done.stderr


@pytest.mark.parametrize("line", ["from setuptools import setup", "import os, distutils.core", "import os"])
def test_a_build_script_imports_nothing_that_a_build_does_not_have(line: str, tmp_path: Path) -> None:
    source = f"{line}\nif input('Publish? [y/N] ') == 'y': reader = input\n".encode()
    change, left = fix_source(str(tmp_path / "setup.py"), source)
    builds = line != "import os"
    assert (change is None, len(left)) == ((True, 2) if builds else (False, 0))
    assert all("a build runs this file" in one.reason and one.finding.fix == "none" for one in left)
    assert fix_source(str(tmp_path / "setup_tool.py"), source)[1] == []
