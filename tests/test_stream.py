"""Live commands: typed lines, each whole and at once, and whatever ends the run, one terminal line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from programs import ROOT, VALIDATOR, Ran, environment, run
from test_view import APPS, framed

SCHEMA = json.loads((ROOT / "agentgate" / "schemas" / "agentgate-stream-v1.schema.json").read_text("utf-8"))
LINES = jsonschema.Draft202012Validator(SCHEMA)

HEAD = """
import argparse, os, sys, threading, time
from agentgate import gate
from agentgate.integrations.argparse import run
from agentgate.surfaces import frames, outcome, stream, view
from agentgate.surfaces.effects import effects
"""
TAIL = """
parser = argparse.ArgumentParser(prog="tool")
def call():
    parser.parse_args()
    return main()
effects(live=True)(parser)
run(call, parser)
"""


def live(body: str) -> str:
    """A program whose one command is live."""
    return f"{HEAD}def main():\n{textwrap.indent(textwrap.dedent(body), '    ')}\n{TAIL}"


def records(out: str, code: int | str) -> list[dict[str, Any]]:
    """The lines of a stream: valid ones, between a start and one envelope."""
    lines: list[dict[str, Any]] = [json.loads(line) for line in out.splitlines()]
    *told, last = lines
    for line in told:
        LINES.validate(line)
    VALIDATOR.validate(last)
    assert last["type"] == ("result" if last["ok"] else "error")
    assert last["meta"]["exit_code"] == code
    assert [line["type"] for line in told].count("start") == 1
    assert told[0]["command"] == last["command"]
    return lines


def without_times(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in line.items() if key not in ("ts", "duration_ms")} for line in lines]


def start(app: str, *args: str, folder: Path, **how: Any) -> Ran:
    return run(argv=[sys.executable, APPS[app], *args], folder=folder, **how)


@pytest.mark.parametrize("app", sorted(APPS))
@pytest.mark.parametrize("agent", [True, False], ids=["agent", "person"])
def test_the_same_stream_from_every_parser(app: str, agent: bool, tmp_path: Path) -> None:
    args = ["logs", "--count", "1", *([] if agent else ["--json"])]
    ran = start(app, *args, folder=tmp_path, agent=agent)
    *told, last = records(ran.out, ran.code)
    assert without_times(told[1:]) == [
        {"type": "step", "name": "connect", "status": "started"},
        {"type": "log", "level": "info", "message": "connected"},
        {"type": "step", "name": "connect", "status": "completed"},
        {"type": "event", "name": "line", "data": {"number": 0}},
        {"type": "progress", "percent": 100.0},
    ]
    assert last["data"] == {"followed": 1}


@pytest.mark.parametrize("app", sorted(APPS))
def test_a_person_reads_text(app: str, tmp_path: Path) -> None:
    for args in ([], ["--format", "text"]):
        ran = start(app, "logs", "--count", "1", *args, folder=tmp_path, agent=bool(args))
        assert ran.out.splitlines()[:2] == ["connect: started", "connected"]
        assert ran.out.splitlines()[2].startswith("connect: completed (0.")
        assert (ran.out.splitlines()[3:], ran.err) == (['line: {"number": 0}'], "100 %\n")


def test_a_command_that_is_not_live_has_no_stream(tmp_path: Path) -> None:
    assert "type" not in start("click", "status", folder=tmp_path).envelope


@pytest.mark.parametrize("app", sorted(APPS))
def test_each_line_is_sent_at_once(app: str, tmp_path: Path) -> None:
    with following(app, tmp_path) as child:
        assert [json.loads(child.stdout.readline())["type"] for _ in range(5)] == [
            "start",
            "step",
            "log",
            "step",
            "event",
        ]
        assert child.poll() is None


@pytest.mark.parametrize("app", sorted(APPS))
@pytest.mark.parametrize(
    ("number", "code", "error"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")]
)
def test_a_signal_ends_it_with_a_terminal_line(
    app: str, number: signal.Signals, code: int, error: str, tmp_path: Path
) -> None:
    with following(app, tmp_path) as child:
        read = [child.stdout.readline() for _ in range(5)]
        child.send_signal(number)
        out = b"".join(read) + child.stdout.read()
        assert child.wait(10) == code
    assert records(out.decode(), code)[-1]["error"]["code"] == error


def following(app: str, folder: Path, *args: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, APPS[app], "logs", "--count", "100", "--pause", "0.3", *args],
        cwd=folder,
        env=environment(agent=True),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
    )


def test_a_signal_in_the_middle_of_a_line_lets_it_end(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(live("while True: stream.event('long', 'x' * 1_000_000)"), "utf-8")
    with subprocess.Popen(
        [sys.executable, "app.py"],
        cwd=tmp_path,
        env=environment(agent=True),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
    ) as child:
        assert child.stdout is not None
        first = child.stdout.readline()
        time.sleep(0.3)  # by now the pipe is full
        child.send_signal(signal.SIGTERM)
        time.sleep(0.1)
        out = first + child.stdout.read()
    assert records(out.decode(), child.returncode)[-1]["error"]["code"] == "terminated"
    assert child.returncode == 143


def test_a_signal_that_the_program_ignores_is_ignored(tmp_path: Path) -> None:
    source = live(
        """
        import signal
        os.kill(os.getpid(), signal.SIGTERM)
        return {"went": "on"}
        """
    ).replace(HEAD, HEAD + "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n")
    ran = run(source, folder=tmp_path)
    assert records(ran.out, 0)[-1]["data"] == {"went": "on"}


ENDS = {
    "a crash": ("print('half', end=''); 1 / 0", 1, "failed", "ZeroDivisionError: division by zero"),
    "a failure": ("outcome.failed('gone', 'It is gone.')", 1, "gone", "It is gone."),
    "an exit": ("sys.exit(7)", 7, "failed", "The command ended with exit code 7."),
    "a stop": ("gate(input)('Name: ')", 3, "missing_input", '"Name" needs an answer.'),
    "a swallowed stop": ("try: gate(input)('Name: ')\nexcept: pass", 3, "missing_input", '"Name" needs an answer.'),
    "a stop in a thread": (
        "threading.Thread(target=gate(input), args=('Name: ',)).start(); time.sleep(5)",
        3,
        "missing_input",
        '"Name" needs an answer.',
    ),
    "a step that fails": ("with stream.step('build'): raise OSError('disk')", 1, "failed", "OSError: disk"),
}


@pytest.mark.parametrize("how", ENDS)
def test_whatever_ends_it_there_is_one_terminal_line(how: str, tmp_path: Path) -> None:
    body, code, error, message = ENDS[how]
    ran = run(live(body), folder=tmp_path)
    last = records(ran.out, code)[-1]
    assert (ran.code, last["error"]) == (code, {**last["error"], "code": error, "message": message})
    if how == "a crash":
        assert json.loads(ran.out.splitlines()[-2])["message"] == "half"
    if how == "a step that fails":
        assert json.loads(ran.out.splitlines()[-2])["error"] == "OSError: disk"


def test_nothing_comes_after_the_terminal_line(tmp_path: Path) -> None:
    source = live(
        """
        def tick():
            while True: stream.event("tick")
        threading.Thread(target=tick, daemon=True).start()
        try: gate(input)("Name: ")
        finally: stream.log("warn", "cleaning"); print("printed"); time.sleep(0.1)
        """
    )
    ran = run(source, folder=tmp_path)
    assert records(ran.out, 3)[-1]["error"]["code"] == "missing_input"
    assert "cleaning" not in ran.out
    assert "printed" in ran.err


def test_lines_of_many_threads_are_whole(tmp_path: Path) -> None:
    source = live(
        """
        def work(n):
            for at in range(200): stream.event("x" * 50, {"n": n, "at": at})
        threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
        [one.start() for one in threads]; [one.join() for one in threads]
        """
    )
    ran = run(source, folder=tmp_path)
    events = [line["data"] for line in records(ran.out, 0) if line["type"] == "event"]
    assert sorted((one["n"], one["at"]) for one in events) == [(n, at) for n in range(8) for at in range(200)]


@pytest.mark.parametrize("where", ["main", "thread"])
def test_a_closed_stdout_ends_it_quietly(where: str, tmp_path: Path) -> None:
    loop = "for at in range(10 ** 9): stream.event('tick'); time.sleep(0.01)"
    body = loop if where == "main" else f"def tick():\n    {loop}\nthreading.Thread(target=tick).start()\n{loop}"
    (tmp_path / "app.py").write_text(live(body), "utf-8")
    child = subprocess.Popen(
        [sys.executable, "app.py"],
        cwd=tmp_path,
        env=environment(agent=True),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.readline()
    child.stdout.close()
    try:
        assert (child.wait(10), child.stderr.read()) == (141, b"")
    finally:
        child.kill()
        child.stderr.close()


def test_what_children_print_becomes_log_lines_too(tmp_path: Path) -> None:
    ran = run(live("os.system('echo child; echo loud >&2'); os.write(1, b'raw')"), folder=tmp_path)
    assert [line["message"] for line in records(ran.out, 0) if line["type"] == "log"] == ["child", "raw"]
    assert ran.err == "loud\n"


def test_a_child_that_goes_on_does_not_hold_it_up(tmp_path: Path) -> None:
    ran = run(live("import subprocess; subprocess.Popen(['sleep', '3'], stderr=subprocess.DEVNULL)"), folder=tmp_path)
    records(ran.out, 0)
    assert ran.is_prompt("click, agentgate.surfaces.stream", 1.5), ran


def test_a_child_that_writes_ends_with_its_reader(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(
        live("return {'code': os.system('while echo tick; do sleep 0.01; done')}"), "utf-8"
    )
    child = subprocess.Popen(
        [sys.executable, "app.py"],
        cwd=tmp_path,
        env=environment(agent=True),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    with child:
        assert child.stdout is not None
        child.stdout.readline()
        child.stdout.close()
        child.wait(10)


def test_what_is_printed_becomes_log_lines(tmp_path: Path) -> None:
    ran = run(live("print('a\\r\\nb\\n\\nc', end='')\nsys.stdout.write('d')\nreturn {'a': 1}"), folder=tmp_path)
    said = [line["message"] for line in records(ran.out, 0) if line["type"] == "log"]
    assert said == ["a", "b", "", "cd"]


def test_a_secret_is_not_told(tmp_path: Path) -> None:
    source = live("token = gate(input, secret=True)('Token: ')\nstream.event('got', token)\nprint('it is', token)")
    ran = run(source, folder=tmp_path, args=("--answer-stdin", "token"), stdin=b"hunter22")
    assert ran.code == 0
    assert "hunter22" not in ran.out


def test_a_level_is_one_of_three() -> None:
    from agentgate.surfaces import stream

    with pytest.raises(ValueError, match="info, warn, error"):
        stream.log("loud", "!")


# in other formats


@pytest.mark.parametrize("app", sorted(APPS))
def test_each_event_is_a_frame(app: str, tmp_path: Path) -> None:
    shown = framed(start(app, "logs", "--view", folder=tmp_path, agent=False))
    kinds = [one["view"]["kind"] for one in shown]
    assert kinds == ["checks", "text", "checks", "card", "card", "card", "card", "card"]
    assert shown[2]["view"]["items"] == [{"id": "connect", "label": "connect", "state": "ok"}]
    assert [one["data"] for one in shown if one["data"].get("number") is not None] == [{"number": 0}, {"number": 1}]
    assert shown[-1]["data"] == {"followed": 2}


def test_a_view_is_drawn_while_it_runs(tmp_path: Path) -> None:
    shown = framed(
        run(live("view.show(frames.qr('code'))\nstream.log('warn', 'x')"), folder=tmp_path, args=("--view",))
    )
    assert [one["view"]["kind"] for one in shown] == ["qr", "text", "text"]


def test_a_stream_in_joelclaws_format_ends_with_its_document(tmp_path: Path) -> None:
    ran = start("click", "logs", "--envelope", "joelclaw", folder=tmp_path)
    *told, last = [json.loads(line) for line in ran.out.splitlines()]
    for line in told:
        LINES.validate(line)
    assert list(last) == ["type", "ts", "ok", "command", "result", "next_actions"]
    stopped = run(live("gate(input)('Name: ')"), folder=tmp_path, args=("--envelope", "joelclaw"))
    last = json.loads(stopped.out.splitlines()[-1])
    assert (last["type"], last["error"]["code"], last["result"]) == ("error", "missing_input", None)


def test_a_stream_in_vyres_format_is_bare_data(tmp_path: Path) -> None:
    ran = start("click", "logs", "--envelope", "vyre", folder=tmp_path)
    assert [json.loads(line) for line in ran.out.splitlines()] == [{"number": 0}, {"number": 1}, {"followed": 2}]


def test_burgees_codes_hold_for_a_stream(tmp_path: Path) -> None:
    with following("click", tmp_path, "--envelope", "burgee") as child:
        assert child.stdout is not None
        child.stdout.readline()
        child.stdout.readline()
        os.kill(child.pid, signal.SIGINT)
        last = json.loads(child.stdout.read().splitlines()[-1])
        assert child.wait(10) == last["error"]["code"] == 130


def test_a_thread_that_goes_on_for_ever_does_not_keep_an_ended_run(tmp_path: Path) -> None:
    source = live(
        """
        def tick():
            while True: stream.event("tick"); time.sleep(0.05)
        threading.Thread(target=tick).start()
        os.kill(os.getpid(), 15); time.sleep(20)
        """
    ).replace(HEAD, HEAD + "from agentgate.runtime import ending; ending.LEAVING_PATIENCE = 0.5\n")
    ran = run(source, folder=tmp_path)
    assert ran.code == 143
    assert records(ran.out, 143)[-1]["error"]["code"] == "terminated"
