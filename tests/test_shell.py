"""`cmd.Cmd.cmdloop`, gated: an agent's commands are its answers."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from programs import at_terminal, environment, run

SHELL = """\
import cmd, io, sys
from agentgate import gate

class Shell(cmd.Cmd):
    prompt = "shelf> "
    def do_add(self, what): print("added", what)
    def do_ask(self, _): print("said", gate(input)("Word: "))
    def do_quit(self, _): return True
    def postloop(self): print("left")

shell = Shell(stdin=io.StringIO("add script\\nquit\\n") if "script" in sys.argv else None)
shell.use_rawinput = "lines" not in sys.argv and "script" not in sys.argv
gate(shell.cmdloop)("Welcome")
print("done", shell.completekey, shell.use_rawinput)
"""


@pytest.mark.parametrize("how", [(), ("lines",)])
def test_commands_run_in_order_and_then_the_shell_is_left(how: tuple[str, ...], tmp_path: Path) -> None:
    stopped = run(SHELL, folder=tmp_path, args=how, stdin="idle")
    assert (stopped.code, stopped.error, stopped.before_envelope) == (3, "missing_input", "")
    (asked,) = stopped.envelope["inputs"]
    assert (asked["name"], asked["kind"]) == ("command", "text")
    argv = stopped.next_argv(command="add a book")
    argv[argv.index("--") : argv.index("--")] = ["--answer", "command=add another"]
    ran = run(argv=argv, folder=tmp_path, stdin="idle")
    raw = str(not how)
    assert (ran.code, ran.out) == (0, f"Welcome\nadded a book\nadded another\nleft\ndone tab {raw}\n")


def test_a_command_that_ends_the_shell_does(tmp_path: Path) -> None:
    answers = {"AGENTGATE_ANSWERS": '{"command": ["quit", "add a"]}'}
    assert run(SHELL, folder=tmp_path, env=answers).out == "Welcome\nleft\ndone tab True\n"


def test_a_question_of_a_command_is_the_commands_own(tmp_path: Path) -> None:
    ran = run(SHELL, folder=tmp_path, env={"AGENTGATE_ANSWERS": '{"command": "ask"}'})
    assert [one["name"] for one in ran.envelope["inputs"]] == ["word"]
    answers = '{"command": ["ask", "quit"], "word": "hi"}'
    assert "said hi" in run(SHELL, folder=tmp_path, env={"AGENTGATE_ANSWERS": answers}).out


def test_a_script_of_its_own_is_read_as_before(tmp_path: Path) -> None:
    ran = run(SHELL, folder=tmp_path, args=("script",))
    assert (ran.code, "added script" in ran.out) == (0, True)


@pytest.mark.parametrize("stdin", ["null", b"add x\nquit\n"])
def test_nothing_changes_where_nobody_is_there(stdin: str | bytes, tmp_path: Path) -> None:
    plain = SHELL.replace("gate(shell.cmdloop)", "shell.cmdloop").replace(
        "return True", "return True\n    do_EOF = do_quit"
    )
    gated = plain.replace("shell.cmdloop(", "gate(shell.cmdloop)(")
    before, after = (run(text, folder=tmp_path, stdin=stdin, agent=False) for text in (plain, gated))
    assert (before.code, before.out, before.err) == (after.code, after.out, after.err)


def test_nothing_changes_for_a_person(tmp_path: Path) -> None:
    seen = []
    for text in (SHELL.replace("gate(shell.cmdloop)", "shell.cmdloop"), SHELL):
        (tmp_path / "app.py").write_text(text)
        typed = ["add x\r", "quit\r"]
        seen.append(at_terminal([sys.executable, "app.py"], typed, folder=tmp_path, env=environment(agent=False))[:2])
    assert seen[0] == seen[1]
    assert "added x" in seen[1][1]


def test_a_test_that_patches_input_drives_it(tmp_path: Path) -> None:
    (tmp_path / "shelf.py").write_text(SHELL.partition("\nshell = ")[0] + "\n")
    tests = """
        import unittest
        from unittest import mock
        import shelf
        from agentgate import gate

        class Tests(unittest.TestCase):
            def test_loop(self):
                with mock.patch("builtins.input", side_effect=["add x", "quit"]):
                    gate(shelf.Shell().cmdloop)()

        unittest.main()
    """
    ran = run(tests, folder=tmp_path, name="tests.py")
    assert (ran.code, "added x" in ran.out) == (0, True), ran
