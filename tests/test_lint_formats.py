"""Every format, on findings whose file names and labels are as bad as they come."""

from __future__ import annotations

import json
import os
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import jsonschema
import pytest

from agentgate.lint import LintResult, lint_paths
from agentgate.lint.messages import RULES
from agentgate.lint.report import FORMATS, renderer

# the parts of SARIF 2.1.0 that are used here, as its schema has them
SARIF = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "$schema": {"type": "string", "format": "uri"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["tool"],
                "additionalProperties": False,
                "properties": {
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name"],
                                "additionalProperties": False,
                                "properties": {
                                    "name": {"type": "string"},
                                    "semanticVersion": {"type": "string"},
                                    "rules": {"type": "array", "uniqueItems": True, "items": {"$ref": "#/$defs/rule"}},
                                },
                            }
                        },
                    },
                    "results": {"type": "array", "items": {"$ref": "#/$defs/result"}},
                    "invocations": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["executionSuccessful"],
                            "additionalProperties": False,
                            "properties": {
                                "executionSuccessful": {"type": "boolean"},
                                "toolExecutionNotifications": {
                                    "type": "array",
                                    "items": {
                                        "type": "object",
                                        "required": ["message"],
                                        "additionalProperties": False,
                                        "properties": {
                                            "level": {"enum": ["none", "note", "warning", "error"]},
                                            "message": {"$ref": "#/$defs/message"},
                                            "locations": {"type": "array", "items": {"$ref": "#/$defs/location"}},
                                        },
                                    },
                                },
                            },
                        },
                    },
                },
            },
        },
    },
    "$defs": {
        "message": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}},
        "rule": {
            "type": "object",
            "required": ["id"],
            "additionalProperties": False,
            "properties": {
                "id": {"type": "string"},
                "name": {"type": "string"},
                "shortDescription": {"$ref": "#/$defs/message"},
                "fullDescription": {"$ref": "#/$defs/message"},
                "defaultConfiguration": {
                    "type": "object",
                    "properties": {"level": {"enum": ["none", "note", "warning", "error"]}},
                },
            },
        },
        "location": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "physicalLocation": {
                    "type": "object",
                    "required": ["artifactLocation"],
                    "properties": {
                        "artifactLocation": {
                            "type": "object",
                            "properties": {"uri": {"type": "string", "pattern": "^[!-~]+$"}},
                        },
                        "region": {
                            "type": "object",
                            "additionalProperties": False,
                            "properties": {
                                "startLine": {"type": "integer", "minimum": 1},
                                "startColumn": {"type": "integer", "minimum": 1},
                                "endLine": {"type": "integer", "minimum": 1},
                                "endColumn": {"type": "integer", "minimum": 1},
                                "snippet": {"type": "object", "properties": {"text": {"type": "string"}}},
                            },
                        },
                    },
                }
            },
        },
        "result": {
            "type": "object",
            "required": ["message"],
            "additionalProperties": False,
            "properties": {
                "ruleId": {"type": "string"},
                "ruleIndex": {"type": "integer", "minimum": 0},
                "level": {"enum": ["none", "note", "warning", "error"]},
                "message": {"$ref": "#/$defs/message"},
                "locations": {"type": "array", "items": {"$ref": "#/$defs/location"}},
                "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
                "properties": {"type": "object"},
            },
        },
    },
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
    assert {issue["severity"] for issue in issues} <= {"info", "minor", "major", "critical", "blocker"}
    Path("plain.py").write_text("# one more line\n" + Path("plain.py").read_text())
    moved = json.loads(renderer("gitlab")(lint_paths(["."])))
    assert [issue["fingerprint"] for issue in moved] == [issue["fingerprint"] for issue in issues]


def test_sarif(result: LintResult) -> None:
    document = json.loads(renderer("sarif")(result))
    jsonschema.validate(document, SARIF, jsonschema.Draft202012Validator)
    [run] = document["runs"]
    for one in run["results"]:
        rule = run["tool"]["driver"]["rules"][one["ruleIndex"]]
        assert (rule["id"], rule["shortDescription"]["text"]) == (one["ruleId"], RULES[one["ruleId"]].title)
    uri = run["results"][1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert unquote_to_bytes(uri) == ODD
    assert len(run["invocations"][0]["toolExecutionNotifications"]) == 1
    jsonschema.validate(json.loads(renderer("sarif")(result._replace(findings=(), warnings=()))), SARIF)


def test_junit(result: LintResult) -> None:
    root = ElementTree.fromstring(renderer("junit")(result))
    assert root.get("failures") == "5"
    assert len(root.findall("./testsuite/testcase/failure")) == 5
    empty = ElementTree.fromstring(renderer("junit")(result._replace(findings=())))
    assert (empty.get("tests"), empty.get("failures")) == ("1", "0")
