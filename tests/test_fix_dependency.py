"""Which file should name the distribution."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentgate.fix import where_to_add


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", "[project]\nname = 'x'\n"),
        ("pyproject.toml", "[tool.poetry]\nname = 'x'\n"),
        ("setup.cfg", "[options]\ninstall_requires =\n"),
        ("setup.py", "setup()\n"),
        ("requirements.txt", "click\n"),
    ],
)
def test_found_from_below(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "src" / "pkg").mkdir(parents=True)
    module = tmp_path / "src" / "pkg" / "a.py"
    module.write_text("")
    (tmp_path / name).write_text(text)
    for path in (tmp_path, tmp_path / "src", module):
        assert where_to_add([str(path)]) == str(tmp_path / name)
    (tmp_path / name).write_text(text + "# agentgate-consent\n")
    assert where_to_add([str(module)]) is None


def test_a_tool_table_is_no_list_of_dependencies(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "pyproject.toml").write_text("[tool.ruff]\n")
    assert where_to_add([str(tmp_path)]) is None
    (tmp_path / "requirements.txt").write_text("click\n")
    assert where_to_add([str(tmp_path)]) == str(tmp_path / "requirements.txt")


def test_a_script_names_its_own(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("click\n")
    script = tmp_path / "tool.py"
    script.write_text("# /// script\n# dependencies = []\n# ///\n")
    assert where_to_add([str(script)]) == str(script)


def test_the_search_ends_at_the_repository(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("click\n")
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    assert where_to_add([str(tmp_path / "repo")]) is None
