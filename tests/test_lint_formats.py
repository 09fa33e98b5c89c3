"""Every format, on findings whose file names and labels are as bad as they come."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import jsonschema
import pytest
from programs import ROOT, environment

from agentgate.lint import LintResult, lint_paths
from agentgate.lint.messages import RULES
from agentgate.lint.report import FORMATS, renderer

SARIF = json.loads((ROOT / "fixtures" / "formats" / "sarif-2.1.0-rtm.5.json").read_text("utf-8"))
# what GitHub asks of a rule
DESCRIPTIONS = ("shortDescription", "fullDescription", "help")
# a URI reference, as RFC 3986 has it, without a query and a fragment
REFERENCE = re.compile(r"(?:file://)?(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-F]{2})+")
# the elements that are used here, with the attributes that junit-10.xsd of Jenkins' xUnit plugin requires, and allows
JUNIT: dict[str, tuple[set[str], set[str]]] = {
    "testsuites": (set(), {"name", "time", "tests", "failures", "errors"}),
    "testsuite": (
        {"name", "tests", "failures", "errors"},
        {"group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"},
    ),
    "testcase": ({"name"}, {"time", "classname", "group"}),
    "failure": (set(), {"type", "message"}),
}
ODD = b'new\nline \xff%,::&<">.py'


@pytest.fixture
def result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LintResult:
    monkeypatch.chdir(tmp_path)
    Path("plain.py").write_text(
        "import click\nif click.confirm('Sure <&> 100%? \\x1b[1m'): pass\n\n\nx = input()\nx = input()\n"
    )
    with open(os.path.join(os.fsencode(tmp_path), ODD), "wb") as file:
        file.write("x = input('é\\nü')  # \x07\ny = 1  # agentgate: ignore\n".encode())
    Path("broken.py").write_text("input(\n")
    return lint_paths(["."])


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in ("text", "json")])
def test_any_terminal_and_reader_can_take_it(result: LintResult, name: str) -> None:
    text = renderer(name)(result)
    text.encode("utf-8")
    assert all(char == "\n" or char.isprintable() for char in text)
    assert text.endswith("\n")
    assert renderer(name)(result._replace(findings=(), warnings=())).count("input") == 0


def test_jsonl(result: LintResult) -> None:
    records = [json.loads(line) for line in renderer("jsonl")(result).splitlines()]
    assert [record["code"] for record in records] == ["AG901", "AG101", "AG102", "AG101", "AG101", "AG902"]
    assert os.fsencode(records[1]["path"]) == ODD


def test_github(result: LintResult) -> None:
    lines = renderer("github")(result).splitlines()
    assert len(lines) == 6
    assert lines[2].startswith(
        "::error title=agentgate AG102 consent-required,file=plain.py,line=2,col=4,endLine=2,endColumn=17::"
        "plain.py:2:4: AG102 "
    )
    assert "100%25" in lines[2]
    assert 'file=new%0Aline \\udcff%25%2C%3A%3A&<">.py,' in lines[1]
    assert lines[5].startswith("::warning title=agentgate AG902,")


def test_gitlab(result: LintResult) -> None:
    issues: list[dict[str, Any]] = json.loads(renderer("gitlab")(result))
    assert len({issue["fingerprint"] for issue in issues}) == len(issues) == 5
    assert issues[2]["location"]["path"] == "plain.py"
    for issue in issues:  # GitLab takes no issue without these
        assert issue.keys() >= {"description", "check_name", "fingerprint", "severity", "location"}
        assert issue["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert issue["location"]["positions"]["begin"]["line"] >= 1
    Path("plain.py").write_text("# one more line\n" + Path("plain.py").read_text())
    moved = json.loads(renderer("gitlab")(lint_paths(["."])))
    assert [issue["fingerprint"] for issue in moved] == [issue["fingerprint"] for issue in issues]


def sarif(*arguments: str | bytes, code: int = 1) -> dict[str, Any]:
    """The one run in the report of the command, which is valid and has all that GitHub's code scanning asks for."""
    done = subprocess.run(
        [sys.executable, "-m", "agentgate", "lint", "--isolated", "--no-cache", "--format", "sarif", *arguments],
        env=environment(agent=False),
        stdin=subprocess.DEVNULL,
        capture_output=True,
    )
    assert (done.returncode, done.stderr) == (code, b"")
    document = json.loads(done.stdout.decode("ascii"))
    jsonschema.validate(document, SARIF)
    run: dict[str, Any]
    [run] = document["runs"]
    rules = run["tool"]["driver"]["rules"]
    for rule in rules:
        assert all(rule[text]["text"] and len(rule[text]["text"]) <= 1024 for text in DESCRIPTIONS), rule["id"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["partialFingerprints"]
        place = result["locations"][0]["physicalLocation"]
        assert REFERENCE.fullmatch(place["artifactLocation"]["uri"])
        assert urlsplit(place["artifactLocation"]["uri"]).scheme == (
            "" if place["artifactLocation"].get("uriBaseId") == "%SRCROOT%" else "file"
        )
        region = place["region"]
        assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"])
    return run


def artifacts(run: dict[str, Any]) -> list[str]:
    return [one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in run["results"]]


def test_sarif_of_every_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "fixtures" / "lint", tmp_path / "lint")
    (tmp_path / "broken.py").write_text("input(\n")
    (tmp_path / "undecodable.py").write_bytes(b"x = '\xff'\n")
    monkeypatch.chdir(tmp_path)
    run = sarif("--extend-select", "ALL", ".")
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == sorted(RULES)
    assert {rule["id"]: rule["shortDescription"]["text"] for rule in run["tool"]["driver"]["rules"]} == {
        code: rule.title for code, rule in RULES.items()
    }
    assert len({json.dumps(one["partialFingerprints"]) for one in run["results"]}) == len(run["results"])
    assert sorted(artifacts(run)) == artifacts(run)


def test_sarif_of_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text("x = input()  # agentgate: ignore\n")
    assert sarif(".", code=0)["results"] == []
    Path("a.py").write_text("x = input()\n")
    Path("known.json").write_text(
        '{"schema": "agentgate-baseline/v1", "findings":'
        ' [{"path": "a.py", "code": "AG101", "call": "input", "text": "x = input()", "count": 1}]}'
    )
    assert len(sarif(".")["results"]) == 1
    assert sarif("--baseline", "known.json", ".", code=0)["results"] == []
    Path("a.py").write_text("y = 1  # agentgate: ignore\n")
    [told] = sarif(".", code=0)["invocations"][0]["toolExecutionNotifications"]
    assert told["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a.py"


def test_sarif_names_files_whatever_they_are_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [ODD, "ünï𝄞.py".encode(), b"two  words.py", b"back\\slash.py", b"c:drive.py", b"100%25?#.py", b"file:x.py"]
    inside, outside = tmp_path / "in", tmp_path / "out"
    for folder in (inside, outside):
        folder.mkdir()
        for name in names:
            with open(os.path.join(os.fsencode(folder), name), "wb") as file:
                file.write(b"x = input()\n")
    monkeypatch.chdir(inside)
    assert sorted(map(unquote_to_bytes, artifacts(sarif(".")))) == sorted(names)
    assert sorted(map(unquote_to_bytes, artifacts(sarif(str(inside))))) == sorted(names)
    far = sorted(b"file://" + os.path.join(os.fsencode(outside), name) for name in names)
    assert sorted(map(unquote_to_bytes, artifacts(sarif("../out")))) == far
    assert sorted(artifacts(sarif(*names))) == sorted(artifacts(sarif(".")))


def test_sarif_counts_columns_in_characters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text("a = '𝄞é'; b = input()\n", "utf-8")
    Path("b.py").write_bytes("# coding: latin-1\na = 'xé'; b = input()\n".encode("latin-1"))
    run = sarif("a.py", "b.py")
    assert run["columnKind"] == "unicodeCodePoints"
    for one, line in zip(run["results"], (1, 2), strict=True):
        region = one["locations"][0]["physicalLocation"]["region"]
        del region["snippet"]
        assert region == {"startLine": line, "startColumn": 15, "endLine": line, "endColumn": 20}


def test_junit(result: LintResult) -> None:
    for some in (result, result._replace(findings=())):
        for element in ElementTree.fromstring(renderer("junit")(some)).iter():
            required, allowed = JUNIT[element.tag]
            assert required <= set(element.keys()) <= required | allowed
    root = ElementTree.fromstring(renderer("junit")(result))
    assert root.get("failures") == "5"
    assert len(root.findall("./testsuite/testcase/failure")) == 5
    empty = ElementTree.fromstring(renderer("junit")(result._replace(findings=())))
    assert (empty.get("tests"), empty.get("failures")) == ("1", "0")
