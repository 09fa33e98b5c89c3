"""Who runs the program: the answers of the real `@vercel/detect-agent`, our own list, families, modes."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from programs import ROOT, run

from agentgate import detect_agent
from agentgate.runtime import detection, mode, state

VECTORS = [
    json.loads(line)
    for line in (ROOT / "fixtures" / "conformance" / "detect_agent_vectors.jsonl").read_text("utf-8").splitlines()
    if line.strip()
]


def test_there_are_1877_vectors() -> None:
    assert len(VECTORS) == 1877


def test_every_vector_agrees() -> None:
    wrong = []
    for vector in VECTORS:
        there = vector["devin_path_exists"]
        found = detect_agent(vector["env"], stdout_is_tty=False, path_exists=lambda _, there=there: there)
        name = found.name if found and found.source == "detect-agent-1.2.5" else None
        if name != vector["expected"]:
            wrong.append((vector["id"], vector["expected"], found))
    assert not wrong


def test_a_terminal_changes_nothing_but_cursor_trace_id() -> None:
    for vector in VECTORS:
        there = vector["devin_path_exists"]
        found = [
            detect_agent(vector["env"], stdout_is_tty=tty, path_exists=lambda _, there=there: there) for tty in (0, 1)
        ]
        assert found[0] == found[1] or (found[0] is not None and found[0].signal == "CURSOR_TRACE_ID")


def detected(environ: dict[str, str], *, tty: bool = False) -> tuple[str, str, str, str] | None:
    found = detect_agent(environ, stdout_is_tty=tty, path_exists=lambda _: False)
    return (found.name, found.family, found.signal, found.source) if found else None


VERCEL = "detect-agent-1.2.5"
FAMILIES = {
    "claude-code_2-1-263_agent": "claude",
    "github_copilot_vscode_agent": "github-copilot",
    "claude": "claude",
    "Claude Code": "claude",
    "cowork": "claude",
    "cursor-cli": "cursor",
    "augment-cli": "augment",
    "codex@0.1": "codex",
    "codexing": "codexing",
    "my-agent": "my-agent",
    "gemini/1.0": "gemini",
    "v0": "v0",
    "qwen-code": "qwen",
}


@pytest.mark.parametrize(("name", "family"), FAMILIES.items())
def test_families(name: str, family: str) -> None:
    assert detected({"AI_AGENT": f" {name}\ufeff"}) == (name, family, "AI_AGENT", VERCEL)


@pytest.mark.parametrize("name", sorted(name for name, _ in detection._OWN))
def test_own_list_comes_last_and_says_so(name: str) -> None:
    found = detected({name: "1"})
    assert found is not None
    assert found[2:] == (name, "agentgate")
    assert detected({name: ""}) is None
    assert detected({name: "1", "GEMINI_CLI": "1"}) == ("gemini", "gemini", "GEMINI_CLI", VERCEL)


@pytest.mark.parametrize(
    ("value", "name"), [("amp", "amp"), (" Goose ", "goose"), ("1", None), ("true", None), ("ssh", None)]
)
def test_agent_is_an_allow_list(value: str, name: str | None) -> None:
    found = detected({"AGENT": value})
    assert (found and found[0]) == name


def test_cursor_trace_id_needs_a_stdout_that_is_no_terminal() -> None:
    assert detected({"CURSOR_TRACE_ID": "x"}, tty=True) is None
    assert detected({"CURSOR_TRACE_ID": "x"}) == ("cursor", "cursor", "CURSOR_TRACE_ID", VERCEL)
    assert detected({"CURSOR_TRACE_ID": "x", "CLAUDECODE": "1"}, tty=True) == ("claude", "claude", "CLAUDECODE", VERCEL)


def test_devin_by_its_path() -> None:
    found = detect_agent({}, path_exists=lambda path: path == "/opt/.devin")
    assert found is not None
    assert (found.name, found.signal) == ("devin", "/opt/.devin")


@pytest.mark.parametrize("vector", VECTORS[:: len(VECTORS) // 60], ids=lambda vector: vector["id"])
def test_the_process_environment_is_read_like_any_other(
    vector: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    environ: dict[str, str] = vector["env"]  # type: ignore[assignment]
    for name in detection.SIGNALS:
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    nowhere = {"stdout_is_tty": False, "path_exists": lambda _: False}
    assert detect_agent(**nowhere) == detect_agent(environ, **nowhere)  # type: ignore[arg-type]


def test_an_agent_is_a_value() -> None:
    one, same, other = (detect_agent({"AI_AGENT": name}) for name in ("a", "a", "b"))
    assert one == same != other
    assert len({one, same, other}) == 2
    assert repr(one) == "Agent(name='a', family='a', signal='AI_AGENT', source='detect-agent-1.2.5')"


# modes: --agent, then <PROGRAM>_AGENT, then AGENTGATE_AGENT, then detection

OPTIONS = (None, "yes", "no", "auto")
WORDS = {"yes": True, "no": False, "auto": None, None: None}


@pytest.mark.parametrize("claude", [True, False])
@pytest.mark.parametrize(("option", "own", "general"), list(itertools.product(OPTIONS, repeat=3)))
def test_modes(
    option: str | None, own: str | None, general: str | None, claude: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "forced", WORDS[option])
    monkeypatch.setattr(state, "program", "my-tool")
    for name, value in (("MY_TOOL_AGENT", own), ("AGENTGATE_AGENT", general), ("CLAUDECODE", "1" if claude else None)):
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
    wanted = next((WORDS[one] for one in (option, own, general) if WORDS[one] is not None), claude)
    assert mode.agent_run() is wanted


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("1", True),
        ("YES", True),
        (" true ", True),
        ("0", False),
        ("No", False),
        ("false", False),
        ("auto", None),
        ("", None),
    ],
)
def test_words_for_a_mode(word: str, value: bool | None) -> None:
    assert mode.parse_mode(word, "HERE") is value


@pytest.mark.parametrize("agent", [True, False])
def test_an_unknown_mode_is_a_usage_error_that_names_its_variable(agent: bool, tmp_path: Path) -> None:
    source = "import agentgate\nagentgate.run(lambda: print(agentgate.gate(input)('Name: ')), program='my-tool')"
    for variable in ("AGENTGATE_AGENT", "MY_TOOL_AGENT"):
        ran = run(source, folder=tmp_path, agent=agent, env={variable: "perhaps"})
        assert ran.code == 2
        assert variable in ran.err and "perhaps" in ran.err
        assert ('"agentgate/v1"' in ran.out) is agent


def test_detect_prints_no_value(tmp_path: Path) -> None:
    ran = run(
        argv=[sys.executable, "-m", "agentgate", "detect"],
        folder=tmp_path,
        env={"CODEX_THREAD_ID": "secret"},
        agent=False,
    )
    assert ran.code == 0
    assert ran.envelope["data"]["agent"] == {
        "name": "codex",
        "family": "codex",
        "signal": "CODEX_THREAD_ID",
        "source": VERCEL,
    }
    assert "secret" not in ran.out


def test_an_undecodable_environment_is_no_error() -> None:
    environ = {**{os.fsencode(k): os.fsencode(v) for k, v in os.environ.items()}, b"AI_AGENT": b"\xff", b"\xfe": b"1"}
    code = "from agentgate import detect_agent; print(ascii(detect_agent().name))"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**environ, b"PYTHONPATH": os.fsencode(ROOT)}, capture_output=True
    )
    assert done.stdout.strip() == b"'\\udcff'", done
