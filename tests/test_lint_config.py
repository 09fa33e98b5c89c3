"""Settings: where they come from, what they do, and what is said about one that is wrong."""

from __future__ import annotations

import json
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
        ("\n[[prompts]]\nkind = 'text'", 2, "call"),
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


def test_broken_toml(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"is not valid TOML: .*line 1"):
        config.read(str(settings(tmp_path, "select = }")))
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
    ],
)
def test_patterns(pattern: str, matching: list[str], others: list[str]) -> None:
    globs = Globs([pattern])
    assert all(map(globs.matches, matching))
    assert not any(map(globs.matches, others))
