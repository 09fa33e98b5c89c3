"""`fix --unsafe`: a question is asked before the effect that it stood behind, where that is plain."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from programs import at_terminal, environment, run

from agentgate.fix import fix_source
from agentgate.lint.config import Config

APP = """\
import os

def main():
    # the place
    os.mkdir("made")
    with open("log", "a") as log:
        log.write("run\\n")

    # whose it is
    name = input("Name: ").strip()
    size = int(input("Size: "))
    print(name, size)

main()
"""
MOVED = """\
import os
from agentgate import gate

def main():
    # whose it is
    name = gate(input)("Name: ").strip()
    size = int(gate(input)("Size: "))
    # the place
    os.mkdir("made")
    with open("log", "a") as log:
        log.write("run\\n")

    print(name, size)

main()
"""


def fixed(source: str, **options: bool) -> str:
    change, _ = fix_source("app.py", source.encode(), **options)
    return change.after.decode() if change is not None else source


def test_the_questions_are_moved_with_their_comments() -> None:
    assert fixed(APP, unsafe=True) == MOVED
    assert fixed(MOVED, unsafe=True) == MOVED
    assert fixed(APP).index("mkdir") < fixed(APP).index("input")


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_other_line_ends(end: str) -> None:
    assert fixed(APP.replace("\n", end), unsafe=True) == MOVED.replace("\n", end)


def test_a_person_sees_the_same_and_an_agent_does_the_effect_once(tmp_path: Path) -> None:
    seen = []
    for name, source in (("before", APP), ("after", MOVED)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "app.py").write_text(source)
        argv = [sys.executable, "app.py"]
        seen.append(at_terminal(argv, ["ada\r", "3\r"], folder=folder, env=environment(agent=False))[:2])
    assert seen[0] == seen[1] == (0, "Name: ada\r\nSize: 3\r\nada 3\r\n")
    stopped = run(MOVED, folder=tmp_path)
    stopped = run(argv=stopped.next_argv(name="ada"), folder=tmp_path)
    assert not (tmp_path / "made").exists()
    assert run(argv=stopped.next_argv(size="3"), folder=tmp_path).out == "ada 3\n"
    assert (tmp_path / "log").read_text() == "run\n"


@pytest.mark.parametrize(
    "body",
    [
        "path = os.mkdir('a')\nname = input(f'Name of {path}: ')",  # uses what the effect makes
        "os.mkdir(name)\nname = input('Name: ')",  # sets what the effect uses
        "os.mkdir('a')\nprint('Made.')\nname = input('Name: ')",  # output
        "os.mkdir('a')\nsys.stdout.write('Made.')\nname = input('Name: ')",
        "os.mkdir('a')\nother()\nname = input('Name: ')",
        "os.mkdir('a')\nif name: sys.exit()\nname = input('Name: ')",  # control flow
        "os.mkdir('a')\nself.x = 1\nname = input(f'Name {self.y}: ')",  # an attribute may be anything
        "os.mkdir('a')\nself.name = input('Name: ')",
        "os.mkdir('a')\nname = input(other())",
        "os.mkdir('a')\nname = other(input('Name: '))",
        "os.mkdir('a')\nif input('Go? [y/N] ') != 'y': sys.exit()",
        "os.mkdir('a'); name = input('Name: ')",
        "os.mkdir('a')\nname = input('Name: '); other()",
        "os.mkdir('a')\ninput('Press Enter to continue')",
        "os.mkdir('a')\nname = click.prompt('Name', type=click.Path(exists=True))",
        "os.mkdir('a')\nname = click.prompt('Name', type=kind)",
    ],
)
def test_what_is_not_plain_stays_and_is_reported(body: str) -> None:
    source = "import os, sys, click\n" + body + "\nprint()\n"
    change, left = fix_source("app.py", source.encode(), unsafe=True)
    assert change is not None
    assert change.after.decode().index("mkdir") < change.after.decode().index("gate(")
    (effect,) = (one for one in left if one.finding.code == "AG204")
    assert effect.reason.startswith("ask before it")


def test_a_rule_that_is_not_selected_moves_nothing() -> None:
    for config in (Config(select=("AG1",)), Config(ignore=("AG204",))):
        change, _ = fix_source("app.py", APP.encode(), unsafe=True, config=config)
        assert change is not None
        assert change.after.index(b"mkdir") < change.after.index(b"input")


def test_a_question_in_a_function_of_the_file_is_reported_behind_an_effect() -> None:
    source = "import os\ndef ask():\n    return input('Name: ')\ndef main():\n    os.mkdir('a')\n    ask()\n"
    _, left = fix_source("app.py", source.encode(), config=Config(select=("AG204",)))
    assert [(one.finding.code, one.finding.line) for one in left] == [("AG204", 5)]
