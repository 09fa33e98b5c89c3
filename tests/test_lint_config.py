"""Settings: where they come from, what they do, and what is said about one that is wrong."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from agentgate.lint import Config, UsageError, config, lint_paths
from agentgate.lint.globs import Globs
from agentgate.trust import policy_files

SCHEMA: dict[str, Any] = json.loads(
    (Path(config.__file__).parent.parent / "schemas" / "config.schema.json").read_text("utf-8")
)


def settings(folder: Path, text: str, name: str = "agentgate.toml") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def found(folder: Path, chosen: Config) -> list[tuple[str, str]]:
    result = lint_paths([str(folder)], config=chosen)
    return [(Path(finding.path).name, finding.code) for finding in result.findings]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in ("a.py", "tests/b.py", "gen/c_pb2.py"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("x = input('x')\nbreakpoint()\n")
    return tmp_path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {"a.py AG101", "a.py AG107", "b.py AG101", "b.py AG107", "c_pb2.py AG101", "c_pb2.py AG107"}),
        ("select = ['AG107']", {"a.py AG107", "b.py AG107", "c_pb2.py AG107"}),
        (
            "select = ['AG107']\nextend-select = ['AG101']\nignore = ['AG107']",
            {"a.py AG101", "b.py AG101", "c_pb2.py AG101"},
        ),
        ("select = ['ag1']\nextend-ignore = ['AG101']", {"a.py AG107", "b.py AG107", "c_pb2.py AG107"}),
        ("ignore = ['ALL']", set()),
        ("extend-exclude = ['tests', '*_pb2.py']", {"a.py AG101", "a.py AG107"}),
        ("exclude = ['gen/**', './tests/']", {"a.py AG101", "a.py AG107"}),
        ("[per-file-ignores]\n'tests/*' = ['AG1']\n'*.py' = ['AG107']", {"a.py AG101", "c_pb2.py AG101"}),
    ],
)
def test_settings(tree: Path, text: str, expected: set[str]) -> None:
    chosen = config.read(str(settings(tree, text)))
    assert {" ".join(one) for one in found(tree, chosen)} == expected


def test_own_prompts(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("from mine.ui import ask_user\nask_user('Which one? ')\n")
    text = "[[prompts]]\ncall = 'mine.ui.ask_user'\nkind = 'choice'\nargs = ['question']\nlabel = 'question'\n"
    [finding] = lint_paths([str(tmp_path)], config=config.read(str(settings(tmp_path, text)))).findings
    assert (finding.code, finding.call, finding.label) == ("AG101", "mine.ui.ask_user", "Which one? ")


CLOUD = """def drop(name, force=False): ...
class Client:
    def purge(self): ...
def reset(name):
    drop(name)
"""
OWN_EFFECTS = """
[[effects]]
calls = ["mine.cloud.drop", "mine.cloud.Client.purge"]
destroys = true
idempotent = ["force"]
[[effects]]
calls = ["mine.cloud.log"]
modes = "w"
"""


@pytest.mark.parametrize(
    ("imports", "call", "named"),
    [
        ("from mine.cloud import drop", "drop('a')", "drop"),
        ("from mine.cloud import drop as d", "d('a')", "drop"),
        ("import mine.cloud", "mine.cloud.drop('a')", "drop"),
        ("from .cloud import drop", "drop('a')", "drop"),
        ("from . import cloud", "cloud.drop('a')", "drop"),
        ("from mine import drop", "drop('a')", "drop"),
        ("from mine.cloud import Client", "Client().purge()", "Client.purge"),
        ("from .cloud import Client", "client = Client(); client.purge()", "Client.purge"),
        ("from .cloud import drop", "drop('a', force=True)", None),
        ("from .cloud import drop", "drop('a', force=False)", "drop"),
        ("from .cloud import reset", "reset('a')", None),
        ("from .other import drop", "drop('a')", None),
    ],
)
def test_own_effects(tmp_path: Path, imports: str, call: str, named: str | None) -> None:
    package = tmp_path / "mine"
    package.mkdir()
    (package / "__init__.py").write_text("from .cloud import drop\n")
    (package / "cloud.py").write_text(CLOUD)
    (package / "other.py").write_text("def drop(name): ...\n")
    (package / "app.py").write_text(
        f"import click\n{imports}\n@click.command()\ndef first():\n    {call}\n"
        f"def second():\n    {call}\n    input('x')\n"
    )
    chosen = config.read(str(settings(tmp_path, f"select = ['AG2']\n{OWN_EFFECTS}")))
    result = lint_paths([str(package)], config=chosen)
    names = [(finding.code, finding.call, finding.fix) for finding in result.findings]
    # what a call of the project's own prints, nobody knows: no question is moved before it
    expected = [(code, f"mine.cloud.{named}", "none") for code in ("AG201", "AG204")]
    assert names == (expected if named else [])


def test_own_effects_in_their_own_module(tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text(
        "import click\n@click.command()\ndef main():\n    wipe()\n    log('f', 'w')\n    log('f', 'r')\n"
        "    input('x')\ndef wipe(): ...\ndef log(path, mode): ...\n"
    )
    text = "select = ['AG2']\n[[effects]]\ncalls = ['tool.wipe']\ndestroys = true\n"
    text += "[[effects]]\ncalls = ['tool.log']\nmodes = 'w'\n"
    findings = lint_paths([str(tmp_path)], config=config.read(str(settings(tmp_path, text)))).findings
    assert [(one.code, one.line) for one in findings] == [("AG201", 4), ("AG204", 4), ("AG204", 5)]


def test_own_prompts_by_whatever_way_they_come(tmp_path: Path) -> None:
    package = tmp_path / "mine"
    package.mkdir()
    (package / "__init__.py").write_text("from .ui import ask_user\n")
    (package / "ui.py").write_text("from click import confirm\ndef ask_user(question): ...\nx = ask_user('0')\n")
    (package / "app.py").write_text(
        "from .ui import ask_user as a\nfrom . import ui, ask_user\nfrom mine import ui as u\n"
        "x = [a('1'), ui.ask_user('2'), ask_user('3'), u.ask_user('4'), u.confirm('5')]\n"
    )
    text = "[[prompts]]\ncall = 'mine.ui.ask_user'\nkind = 'text'\nargs = ['question']\nlabel = 'question'\n"
    findings = lint_paths([str(package)], config=config.read(str(settings(tmp_path, text)))).findings
    assert [finding.label for finding in findings] == ["1", "2", "3", "4", "5", "0"]


def test_an_own_prompt_is_of_the_kind_that_the_project_says(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("from ui import ask, wait\nask('Name')\nask('Press Enter to continue')\nwait('x')\n")
    text = "".join(
        f"[[prompts]]\ncall = 'ui.{name}'\nkind = '{kind}'\nargs = ['q']\nlabel = 'q'\n"
        for name, kind in (("ask", "text"), ("wait", "pause"))
    )
    findings = lint_paths([str(tmp_path)], config=config.read(str(settings(tmp_path, text)))).findings
    assert [finding.code for finding in findings] == ["AG101", "AG105", "AG105"]


def test_the_nearest_file_counts(tree: Path) -> None:
    settings(tree, "[project]\nname = 'agentgate-user'\n[tool.agentgate]\nselect = ['AG101']\n", "pyproject.toml")
    settings(tree / "tests", "[project]\nname = 'agentgate'\n", "pyproject.toml")
    assert config.find([str(tree / "tests" / "b.py")]) == str(tree / "pyproject.toml")
    settings(tree / "tests", "")
    assert config.find([str(tree / "tests")]) == str(tree / "tests" / "agentgate.toml")
    assert config.find([str(tree)]) == str(tree / "pyproject.toml")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("select = []\nslect = []", 2, "unknown key 'slect'; did you mean select?"),
        ("\n\nselect = ['AG999']", 3, "there is no rule AG999"),
        ("select = 'AG101'", 1, "select is a list of strings"),
        ("exclude = [1]", 1, "exclude is a list of strings"),
        ("respect-gitignore = 1", 1, "true or false"),
        ("per-file-ignores = ['x']", 1, "is a table"),
        ("[per-file-ignores]\n'a.py' = 1", 2, "per-file-ignores 'a.py' is a list of strings"),
        ("\n[[prompts]]\ncall = 'x.y'\nkindd = 'text'", 4, "unknown key 'kindd'; did you mean kind?"),
        ("\n[[prompts]]\ncall = 'x.y'\nkind = 'nonsense'", 2, "is not one of"),
        ("\n[[prompts]]\nkind = 'text'", 2, "prompts: call is missing"),
        ("\n[[prompts]]\ncall = 'ask'\nkind = 'text'", 3, "'ask' is not a qualified name"),
        ("\n[[prompts]]\ncall = 'x.y'\nkind = 'text'\nargs = 'question'", 5, "args is a list of strings"),
        ("\n[[prompts]]\ncall = 'x.y'\nkind = 'text'\nprompts_when = {x = 1}", 2, "'x'"),
        ("prompts = 1", 1, "prompts is a list of tables: [[prompts]]"),
        ("effects = 1", 1, "effects is a list of tables: [[effects]]"),
        ("\n[[effects]]\ncalls = ['x.y']\ndestroy = true", 4, "unknown key 'destroy'; did you mean destroys?"),
        ("\n[[effects]]\ncalls = ['x.y']\ndestroys = 1", 4, "destroys is true or false"),
        ("\n[[effects]]\ncalls = 'x.y'", 3, "calls is a list of strings"),
        ("\n[[effects]]\ncalls = ['x.y', 'x y']", 3, "'x y' is not a qualified name"),
        ("\n[[effects]]\ndestroys = true", 2, "effects: calls is missing"),
        ("effect = []", 1, "unknown key 'effect'; did you mean effects?"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, text: str, line: int, message: str) -> None:
    path = settings(tmp_path, text)
    with pytest.raises(UsageError, match=r"agentgate\.toml") as caught:
        config.read(str(path))
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert message in str(caught.value)
    inside = settings(tmp_path, "[project]\nslect = 1\n[tool.agentgate]\nslect = 1\n", "pyproject.toml")
    with pytest.raises(UsageError, match=r"pyproject.toml:4: unknown key"):
        config.read(str(inside))


def test_settings_that_cannot_be_read_are_not_passed_over(tmp_path: Path) -> None:
    path = settings(tmp_path, "[tool]\nagentgate = ['AG101']\n", "pyproject.toml")
    with pytest.raises(UsageError, match=r"pyproject\.toml: tool\.agentgate is a table"):
        config.find([str(tmp_path)])
    path.unlink()
    settings(tmp_path, "").chmod(0)
    assert config.find([str(tmp_path)]) == str(tmp_path / "agentgate.toml")


@pytest.mark.parametrize("name", ["agentgate.toml", "pyproject.toml"])
def test_a_pipe_is_no_configuration_file(name: str, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    os.mkfifo(inner / name)
    above = settings(tmp_path, "")
    assert config.find([str(inner)]) == str(above)


def test_broken_toml(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"is not valid TOML: .*line 1"):
        config.read(str(settings(tmp_path, "select = }")))
    for text in ("select = " + "[" * 20_000, "select = " + "9" * 5000):
        with pytest.raises(UsageError, match="is not valid TOML"):
            config.read(str(settings(tmp_path, text)))
    with pytest.raises(UsageError, match="cannot be read"):
        config.read(str(tmp_path / "nothing.toml"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "select = ['AG101', 'all']\nignore = ['AG2']\nextend-select = []\nextend-ignore = []",
        "exclude = ['a']\nextend-exclude = ['b/**']\nrespect-gitignore = false",
        "[per-file-ignores]\n'*' = ['AG1']",
        "[[prompts]]\ncall = 'a.b'\nkind = 'text'\nargs = ['x']\nlabel = 'x'\nalso = ['a.c']",
        "[[prompts]]\ncall = 'ask'\nkind = 'text'",
        "[[prompts]]\ncall = 'a.b'\nkind = 'text'\nargs = 'x'",
        "[[effects]]\ncalls = ['a.b', 'a.C.d']\ndestroys = true\nidempotent = ['force']\nmodes = 'w'",
        "[[effects]]\ncalls = []",
        "[[effects]]\ncalls = 'a.b'",
        "[[effects]]\ncalls = ['a']",
        "[[effects]]\ndestroys = true",
        "[[effects]]\ncalls = ['a.b']\ndestroys = 'yes'",
        "[[effects]]\ncalls = ['a.b']\nmode = 'w'",
        "effects = {}",
        "effects = ['a.b']",
        "slect = []",
        "select = 'AG101'",
        "select = ['nonsense']",
        "exclude = 1",
        "respect-gitignore = 'yes'",
        "per-file-ignores = []",
        "[per-file-ignores]\n'*' = 'AG101'",
        "prompts = {}",
        "[[prompts]]\nkind = 'text'",
        "[[prompts]]\ncall = 'a.b'\nkind = 'nonsense'",
        "[[prompts]]\ncall = 'a.b'\nkind = 'text'\nfix = 'maybe'",
        "[consent]\ndefault = 'once'\nttl = '15m'\nunattended = 'deny'",
        "[consent]\nttl = 60\n[[consent.rule]]\nreason = ['a', 'b*']\nrequire = 'person'",
        "[[consent.rule]]\nreason = 'x'\nprogram = 'y'\nagent = 'z'\nrequire = 'deny'",
        "[consents]\ndefault = 'once'",
        "consent = 1",
        "[consent]\ndefault = 'yes'",
        "[consent]\nttl = 0",
        "[consent]\nttl = 3000000",
        "[consent]\nttl = '0m'",
        "[consent]\nttl = 'soon'",
        "[consent]\nunattended = false",
        "[consent]\nrule = 1",
        "[[consent.rule]]\nreason = 'x'",
        "[[consent.rule]]\nreason = []\nrequire = 'deny'",
        "[[consent.rule]]\nreasons = 'x'\nrequire = 'deny'",
        "[approve]\nnotify = ['notify-send']",
        "approve = 1",
    ],
)
def test_the_schema_says_what_the_parser_says(tmp_path: Path, text: str) -> None:
    """And so does the policy's, for which the same file has tables."""
    path = str(settings(tmp_path, text))
    try:
        config.read(path)
        policy_files.read(path, "project")
        accepted = True
    except (UsageError, policy_files.PolicyError):
        accepted = False
    assert jsonschema.Draft202012Validator(SCHEMA).is_valid(tomllib.loads(text)) is accepted
    assert set(SCHEMA["properties"]) == set(config.KEYS)


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("a", ["a", "x/a", "a/b.py"], ["ab", "b/xa"]),
        ("*.py", ["a.py", "x/a.py"], ["a.pyw"]),
        ("x/*.py", ["x/a.py"], ["x/y/a.py", "y/x/a.py"]),
        ("x/**", ["x/a", "x/y/a.py"], ["y/x/a"]),
        ("**/x/[!b].py", ["x/a.py", "y/x/a.py"], ["x/b.py"]),
        ("./x/", ["x/a.py"], ["a.py"]),
        ("a?.py", ["ab.py"], ["a.py", "a/.py"]),
        ("[^a]x", ["bx"], ["ax"]),
        ("[[a&&b|]x", ["[x", "&x", "|x", "ax"], ["cx"]),
        ("[z-a]", ["[z-a]"], ["a", "z", "-"]),
        ("[^]", ["[^]"], ["a", "^"]),
        ("[\\]", ["\\"], ["a"]),
    ],
)
def test_patterns(pattern: str, matching: list[str], others: list[str]) -> None:
    globs = Globs([pattern])
    assert all(map(globs.matches, matching))
    assert not any(map(globs.matches, others))
