"""`agentgate init`: a project adopts agentgate, in steps that are shown first and taken once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from programs import ROOT, at_terminal, environment
from test_lint_command import envelope, run

from agentgate.fix import hooks
from agentgate.lint import config

PYPROJECT = '[project]\nname = "t"\nversion = "1"\ndependencies = ["click"]\n'
HOOKS = "repos:\n  - repo: https://example.org/y\n    hooks:\n      - id: z\n\n# of CI\nci:\n  skip: []\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    (tmp_path / ".pre-commit-config.yaml").write_text(HOOKS)
    (tmp_path / "a.py").write_text("name = input('Name: ')\nbreakpoint()\n")
    (tmp_path / "tests" / "test_a.py").write_text("name = input('Name: ')\n")
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_all_steps_and_no_second_time(project: Path) -> None:
    before = contents(project)
    diff = run("init", "--diff", "--ci", "github", cwd=project).stdout
    assert contents(project) == before
    done = run("init", "--yes", "--ci", "github", cwd=project)
    after = contents(project)
    assert [line for line in done.stdout.splitlines() if line.startswith(("wrote", "changed"))] == [
        "changed pyproject.toml",
        "changed a.py",
        "changed .pre-commit-config.yaml",
        "wrote .github/workflows/agentgate.yml",
    ]
    assert after["a.py"] == b"from agentgate import gate\nname = gate(input)('Name: ')\nbreakpoint()\n"
    assert after["tests/test_a.py"] == before["tests/test_a.py"]
    assert after["pyproject.toml"].startswith(
        before["pyproject.toml"][:-2] + b', "agentgate-consent"]\n\n[tool.agentgate]'
    )
    assert config.read(str(project / "pyproject.toml")).per_file_ignores == (("tests/*", ("AG1",)),)
    again = run("init", "--yes", "--ci", "github", cwd=project)
    assert "Nothing was changed." in again.stdout
    assert contents(project) == after
    # the diff says the same as the writing
    for name, data in before.items():
        (project / name).write_bytes(data)
    (project / ".github" / "workflows" / "agentgate.yml").unlink()
    subprocess.run(["patch", "-s", "-p1"], input=diff, text=True, check=True, cwd=project)
    assert contents(project) == after


def test_a_baseline_in_place_of_the_rewriting(project: Path) -> None:
    before = contents(project)
    run("init", "--yes", "--baseline", "--ci", "github", cwd=project)
    after = contents(project)
    assert after["a.py"] == before["a.py"]
    assert b"agentgate-consent" not in after["pyproject.toml"]
    assert len(json.loads(after["agentgate-baseline.json"])["findings"]) == 2
    assert (
        b"run: agentgate lint --baseline agentgate-baseline.json --format github\n"
        in after[".github/workflows/agentgate.yml"]
    )
    run("lint", "--baseline", "agentgate-baseline.json", cwd=project)
    assert "Nothing was changed." in run("init", "--yes", "--baseline", cwd=project).stdout


def test_a_person_is_asked_before_each_step(project: Path) -> None:
    command = [sys.executable, "-m", "agentgate", "init"]
    env = {**environment(agent=False), "PYTHONPATH": str(ROOT)}
    code, out, _ = at_terminal(command, ["n\n", "\n", "y\n", "\x04"], folder=project, env=env)
    assert code == 0, out
    assert out.count("[Y/n]") == 4
    after = contents(project)
    assert b"tool.agentgate" not in after["pyproject.toml"]
    assert b"agentgate-consent" in after["pyproject.toml"]
    assert b"gate(input)" in after["a.py"]
    assert after[".pre-commit-config.yaml"] == HOOKS.encode()
    assert "  agentgate lint\r\n" in out


def test_nobody_to_ask(project: Path) -> None:
    before = contents(project)
    assert "there is nobody to ask" in run("init", cwd=project, code=2, input="y\n" * 9).stderr
    assert contents(project) == before
    run("init", "nowhere", cwd=project, code=2)
    (project / "agentgate.toml").write_text("nothing = 1\n")
    assert "unknown key" in run("init", "--yes", cwd=project, code=2).stderr


@pytest.mark.parametrize("options", [[], ["--yes"]])
def test_an_agent_needs_one_consent_to_all_of_it(options: list[str], project: Path) -> None:
    before = contents(project)
    stopped = envelope(run("init", *options, cwd=project, agent=True, code=3))
    assert stopped["error"]["code"] == "consent_required"
    assert [step["step"] for step in stopped["consent"]["plan"]] == ["configuration", "fix", "dependency", "pre-commit"]
    assert contents(project) == before
    token = stopped["consent"]["token"]
    (project / "a.py").write_text("name = input('Other: ')\n")
    other = envelope(run("init", *options, "--confirm", token, cwd=project, agent=True, code=3))
    done = envelope(run("init", *options, "--confirm", other["consent"]["token"], cwd=project, agent=True))
    assert done["meta"]["changed"] is True
    assert done["data"]["ci"] == ["pip install agentgate-consent", "agentgate lint"]
    assert b"gate(input)" in contents(project)["a.py"]
    shown = envelope(run("init", "--diff", "--json", cwd=project, agent=True))
    assert shown["data"]["diff"] == ""


def test_a_project_of_one_script(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "setup.py").write_text("setup()\n")
    script = tmp_path / "tool.py"
    script.write_text("# /// script\n# dependencies = []\n# ///\nx = input('x')\n")
    done = run("init", "--yes", str(tmp_path))
    assert script.read_text() == (
        '# /// script\n# dependencies = ["agentgate-consent"]\n# ///\n'
        "from agentgate import gate\n\nx = gate(input)('x')\n"
    )
    assert f"wrote {tmp_path / 'agentgate.toml'}\n" in done.stdout
    (tmp_path / "b.py").write_text("x = input('x')\n")
    done = run("init", "--yes", str(tmp_path))
    assert "setup.py: it is a program: add" in done.stdout


def test_a_file_that_cannot_be_written_is_one_clear_error(project: Path) -> None:
    (project / ".github").write_text("")
    done = run("init", "--yes", "--ci", "github", cwd=project, code=1)
    assert "not written: .github/workflows/agentgate.yml: cannot be written: " in done.stdout
    assert b"gate(input)" in contents(project)["a.py"]


ENTRY = "agentgate lint"


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("text", "before"),
    [
        (HOOKS, "\n# of CI\nci:"),
        ("repos:\n- repo: local\n  hooks: []\n", ""),
        ("repos: # all\n- repo: local\n  hooks: []", ""),
        (
            "# x\nfail_fast: true\nrepos:\n# y\n    - repo: local\n      hooks: []\n    # z\n\nexclude: x\n",
            "\nex",
        ),
    ],
)
def test_the_hook_is_put_at_the_end_of_the_list(text: str, before: str, newline: str) -> None:
    yaml = pytest.importorskip("yaml")
    data = text.replace("\n", newline).encode()
    after = hooks.added(data, ENTRY)
    assert after is not None
    old, new = yaml.safe_load(data), yaml.safe_load(after)
    hook = new["repos"].pop()
    assert new == old
    assert hook["hooks"][0]["entry"] == "agentgate lint --force-exclude"
    assert after.count(b"\n") - after.count(b"\r\n") == (0 if newline == "\r\n" else after.count(b"\n"))
    at = data.index(before.replace("\n", newline).encode()) if before else len(data)
    assert after.startswith(data[:at])
    assert after.endswith(data[at:])
    assert hooks.added(after, ENTRY) == after


@pytest.mark.parametrize("text", ["", "repos: []\n", "repos: [{repo: local, hooks: []}]\n", "fail_fast: true\n"])
def test_another_list_is_left_alone(text: str) -> None:
    assert hooks.added(text.encode(), ENTRY) is None


def test_a_file_that_cannot_be_read_is_one_clear_error(project: Path) -> None:
    (project / ".pre-commit-config.yaml").unlink()
    (project / ".pre-commit-config.yaml").mkdir()
    error = run("init", "--yes", cwd=project, code=2).stderr
    assert error == "agentgate: init: .pre-commit-config.yaml: cannot be read: Is a directory\n"
