"""A program that asks only at a terminal, once it was fixed: nothing new but that an agent comes to the question."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from programs import STDINS, at_terminal, environment, run, run_all

from agentgate.fix import fix_source

APP = """\
import sys

def branch():
    if sys.stdin is None or not sys.stdin.isatty():
        return "main"
    return input("Branch: ")

print("on", branch())
"""


def fixed(source: str) -> str:
    change, left = fix_source("app.py", source.encode())
    assert change is not None and not left, left
    return change.after.decode()


def test_an_agent_comes_to_the_question_whatever_its_stdin_is(tmp_path: Path) -> None:
    ran = run_all(fixed(APP), folder=tmp_path, stdins=tuple(kind for kind in STDINS if kind != "closed"))
    assert {kind: (one.code, one.error) for kind, one in ran.items()} == dict.fromkeys(ran, (3, "missing_input"))
    argv = ran["idle"].next_argv(branch="dev")
    assert run(argv=argv, folder=tmp_path, stdin="idle").out == "on dev\n"


@pytest.mark.parametrize("stdin", ["null", "idle", "closed", b"dev\n"])
def test_nothing_changes_where_nobody_is_there(stdin: str | bytes, tmp_path: Path) -> None:
    before = run(APP, folder=tmp_path, stdin=stdin, agent=False)
    after = run(fixed(APP), folder=tmp_path, stdin=stdin, agent=False)
    assert (after.code, after.out, after.err) == (before.code, before.out, before.err) == (0, "on main\n", "")


def test_nothing_changes_for_a_person(tmp_path: Path) -> None:
    seen = []
    for source in (APP, fixed(APP)):
        (tmp_path / "app.py").write_text(source)
        argv = [sys.executable, "app.py"]
        seen.append(at_terminal(argv, ["dev\r"], folder=tmp_path, env=environment(agent=False))[:2])
    assert seen[0] == seen[1] == (0, "Branch: dev\r\non dev\r\n")


TESTS = """\
import io, sys, unittest
from unittest import mock
import app

class Terminal(io.StringIO):
    def isatty(self): return True

class Tests(unittest.TestCase):
    def test_real(self): self.assertEqual(app.branch(), "main")
    def test_text(self):
        with mock.patch("sys.stdin", io.StringIO("x")): self.assertEqual(app.branch(), "main")
    def test_terminal(self):
        with mock.patch("sys.stdin", Terminal("x\\n")): self.assertEqual(app.branch(), "x")
    def test_mock(self):
        with mock.patch("sys.stdin") as stdin:
            stdin.isatty.return_value = False
            self.assertEqual(app.branch(), "main")

unittest.main()
"""


@pytest.mark.parametrize("agent", [False, True])
def test_its_tests_keep_their_results(agent: bool, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(fixed(APP).replace("print(", "__name__ == '__main__' and print("))
    ran = run(TESTS, folder=tmp_path, agent=agent, name="tests.py")
    assert (ran.code, ran.err.splitlines()[-1]) == (0, "OK"), ran


def test_a_guard_stays_where_its_question_is_not_gated_in_this_run() -> None:
    change, left = fix_source("app.py", APP.replace('"Branch: ")', '"Branch: ")  # agentgate: ignore').encode())
    assert change is None
    assert [(one.finding.code, one.reason) for one in left] == [
        ("AG301", "a question behind it is not gated in this run")
    ]
