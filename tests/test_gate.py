"""What `gate` asks in the program's place: names, kinds, hints, pauses, pagers, stored prompts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from programs import Ran, imports_for, run

HEAD = """
import functools, io, sys
import agentgate
from agentgate import gate
"""


def agent(body: str, folder: Path, *args: str, **how: Any) -> Ran:
    source = imports_for(body) + HEAD + "def main():\n" + "".join(f"    {line}\n" for line in body.strip().splitlines())
    return run(source + "agentgate.run(main)\n", folder=folder, args=args, **how)


# what is asked, and the input that the envelope lists: its name, label and kind
ASKED = {
    "gate(input)('\\x1b[1mProject name\\x1b[0m [demo]: ')": ("project_name", "Project name [demo]", "text"),
    "gate(input)('[1/2] Name: ')": ("name", "[1/2] Name", "text"),
    "gate(input)()": ("answer", "", "text"),
    "gate(input, name='x', label='Say it')('Name: ')": ("x", "Say it", "text"),
    "gate(input, choices=['a', 'b'])('Which: ')": ("which", "Which", "choice"),
    "gate(input, kind='choice', choices=['yes', 'no'])('Tabs? [y/n] ')": ("tabs", "Tabs? [y/n]", "choice"),
    "gate(Prompt.ask)('[b]Bold[/b] name')": ("bold_name", "Bold name", "text"),
    "gate(click.prompt)(text='Port', default='x')": ("port", "Port", "text"),
    "gate(functools.partial(click.prompt, 'Port'))()": ("port", "Port", "text"),
    "gate(click.getchar)()": ("key", "", "key"),
    "gate(click.edit)()": ("text", "", "editor"),
    "gate(questionary.select)('Tone', choices=['a', questionary.Separator()]).ask()": ("tone", "Tone", "choice"),
    "gate(lambda text: text, kind='text')('Odd one')": ("odd_one", "Odd one", "text"),
    "gate.later(input)('Name: ')": ("name", "Name", "text"),
    "gate(Console.input)(Console(), 'Name: ')": ("name", "Name", "text"),
    "gate(functools.partial(Console.input, Console()))('Name: ')": ("name", "Name", "text"),
    "gate(gate.later(input))('Name: ')": ("name", "Name", "text"),
    "type('Asks', (), {'line': gate.later(input)})().line('Name: ')": ("name", "Name", "text"),
}


@pytest.mark.parametrize("expression", ASKED)
def test_what_is_asked(expression: str, tmp_path: Path) -> None:
    ran = agent(expression, tmp_path)
    asked = ran.envelope["inputs"][0]
    assert (asked["name"], asked["label"], asked["kind"]) == ASKED[expression]
    ran = run(argv=ran.next_argv(**{asked["name"]: "a"}), folder=tmp_path)
    assert ran.code == 0, ran


def test_a_value_that_is_spelled_yes_can_be_declared(tmp_path: Path) -> None:
    ran = agent("print(gate(input, kind='choice')('Tabs? [y/N] '))", tmp_path, "--answer=tabs=yes")
    assert (ran.code, ran.out) == (0, "yes\n"), ran


def test_a_yes_can_be_any_literal(tmp_path: Path) -> None:
    body = "print(gate(input, yes='DELETE', reason='delete')('Type DELETE to go on: '))"
    ran = agent(body, tmp_path)
    assert ran.envelope["reason"] == "delete"
    assert run(argv=ran.next_argv(), folder=tmp_path).out == "DELETE\n"


def test_a_stored_prompt_decides_when_it_is_called(tmp_path: Path) -> None:
    source = f"""{HEAD}
import os
def ask(reader=gate.later(input)): return reader("Name: ")
os.environ["AGENTGATE_AGENT"] = "no"
print(ask())
os.environ["AGENTGATE_AGENT"] = "yes"
print(ask())
"""
    ran = run(source, folder=tmp_path, stdin=b"ada\nbob\n")
    assert (ran.code, ran.before_envelope.strip()) == (3, "Name: ada"), ran


@pytest.mark.parametrize(
    "label", ["Press Enter to exit", "Hit any key to quit...", "Press return to close this window"]
)
def test_a_pause_on_the_way_out_goes_on(label: str, tmp_path: Path) -> None:
    ran = agent(f"gate(input)({label!r})\nprint('gone')", tmp_path)
    assert (ran.code, ran.out) == (0, "gone\n"), ran


def test_a_pause_before_an_effect_is_a_consent(tmp_path: Path) -> None:
    ran = agent("gate(input)('Press Enter to continue')\nprint('went on')", tmp_path)
    assert (ran.error, ran.envelope["reason"]) == ("consent_required", "proceed")
    assert run(argv=ran.next_argv(), folder=tmp_path).out == "went on\n"


def test_a_pager_prints(tmp_path: Path) -> None:
    body = "gate(click.echo_via_pager)('one'); gate(click.echo_via_pager)(str(n) for n in range(3))"
    assert agent(body, tmp_path).out == "one\n012\n"


def test_another_stream_is_read_as_ever(tmp_path: Path) -> None:
    ran = agent("print(gate(Prompt.ask)('Name', stream=io.StringIO('ada\\n')))", tmp_path)
    assert (ran.code, ran.out) == (0, "Name: ada\n"), ran


def test_an_editor_on_a_file_writes_the_answer_to_it(tmp_path: Path) -> None:
    (tmp_path / "note").write_text("old", "utf-8")
    assert agent("gate(click.edit)(filename='note')", tmp_path, "--answer=text=new").code == 0
    assert (tmp_path / "note").read_text("utf-8") == "new"


def test_a_question_that_skips_itself_is_not_asked(tmp_path: Path) -> None:
    ran = agent("print(gate(questionary.text)('Name').skip_if(True, default='x').ask())", tmp_path)
    assert (ran.code, ran.out) == (0, "x\n"), ran


def test_piped_data_is_left_to_the_program(tmp_path: Path) -> None:
    body = "print(gate(input)('Name: '), sys.stdin.read())"
    ran = agent(body, tmp_path, "--answer=name=ada", stdin=b"data")
    assert (ran.code, ran.out) == (0, "ada data\n"), ran


def test_other_stops(tmp_path: Path) -> None:
    body = "agentgate.action_required('quota', 'Raise the quota.', next=[['app', 'quota', 'a b']], hint='Ask.')"
    ran = agent(body, tmp_path)
    assert (ran.error, ran.envelope["error"]["hint"]) == ("quota", "Ask.")
    assert ran.envelope["next"][0]["command"] == "app quota 'a b'"
    ran = agent("agentgate.require_auth('Log in first.', login='app login')", tmp_path)
    assert (ran.error, ran.envelope["next"][0]["argv"]) == ("auth_required", ["app", "login"])
    for body in ("agentgate.action_required('quota', 'x')", "agentgate.require_auth('x')"):
        assert agent(body, tmp_path, agent=False).code == 0


def test_an_uncaught_exception_is_an_envelope_and_an_exit_code(tmp_path: Path) -> None:
    ran = agent("print('half'); 1 / 0", tmp_path)
    assert (ran.code, ran.error, ran.before_envelope.split()) == (1, "failed", ["half"])
    assert "Traceback" in ran.err
    ran = agent("raise KeyboardInterrupt", tmp_path)
    assert (ran.code, ran.error) == (130, "interrupted")
    assert agent("sys.exit(7)", tmp_path).code == 7
    assert '"agentgate/v1"' not in agent("1 / 0", tmp_path, agent=False).out
