"""For a person, and unattended, nothing changes: same object, same bytes, same exceptions, same exit codes."""

from __future__ import annotations

import builtins
import copy
import getpass
import inspect
import pickle
import re
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from programs import Ran, at_terminal, environment, imports_for, run
from rich.prompt import Prompt
from test_catalog import ABSENT, resolved

import agentgate
from agentgate.catalog import load_all

# what is asked (`{input}` is replaced by `gate(input)`), and what is typed
SESSIONS = {
    "input": ("name = {input}('Name: ')\nprint(repr(name))", ["ada\r"]),
    "input with readline": (
        "import readline\nfor _ in range(2): print(repr({input}('\\x01\\x1b[1m\\x02Name\\x01\\x1b[0m\\x02: ')))",
        ["ada\x01x\r", "\x1b[A\r"],
    ),
    "input, end of file": ("print(repr({input}('Name: ')))", ["\x04"]),
    "input, interrupted": ("print(repr({input}('Name: ')))", ["\x03"]),
    "input, keyword and type errors": (
        "for call in (lambda: {input}(1, 2), lambda: {input}(prompt='x')):\n"
        "    try: call()\n    except TypeError as error: print(error)",
        [],
    ),
    "getpass": ("print(repr({getpass.getpass}('Key: ')))", ["hunter2\r"]),
    "click": (
        "print({click.prompt}('Port', type=int, default=80), {click.confirm}('Sure?'))\n"
        "print({click.prompt}('Pin', hide_input=True))",
        ["many\r", "8080\r", "y\r", "1\r"],
    ),
    "click, aborted": ("click.command()(lambda: {click.confirm}('Sure?', abort=True))()", ["n\r"]),
    "click pause": ("{click.pause}()\nprint(repr({click.getchar}()))", [" ", "k"]),
    "click options": (
        "@click.command()\n@{click.option}('--name', prompt=True)\n@{click.password_option}()\n"
        "@{click.confirmation_option}()\ndef main(**kw): print(kw)\nmain()",
        ["ada\r", "k\r", "k\r", "y\r"],
    ),
    "typer": (
        "def main(name: str = {typer.Option}(..., prompt=True)): print(name, {typer.prompt}('Port', type=int))\n"
        "typer.run(main)",
        ["ada\r", "80\r"],
    ),
    "rich": (
        "print({Prompt.ask}('[b]Name[/b]', choices=['a', 'b']), {IntPrompt.ask}('Port'), {Confirm.ask}('Sure?'))\n"
        "print({Console().input}('[i]More[/i] '))",
        ["c\r", "a\r", "80\r", "y\r", "x\r"],
    ),
    "questionary": (
        "print({questionary.text}('Name').ask(), {questionary.select}('Tone', choices=['red', 'blue']).ask())",
        ["ada\r", "\x1b[B\r"],
    ),
    "questionary, interrupted": ("print({questionary.confirm}('Sure?').ask())", ["\x03"]),
}


def plain_and_gated(code: str) -> tuple[str, str]:
    return (
        imports_for(code) + re.sub(r"\{([\w.()]+)\}", r"\1", code),
        imports_for(code) + "from agentgate import gate\n" + re.sub(r"\{([\w.()]+)\}", r"gate(\1)", code),
    )


def settled(transcript: str) -> list[str]:
    """A transcript; of a full-screen prompt, which paints as it has time, the last picture."""
    if ("\x1b[?2004" in transcript and "\x1b[?25" in transcript) or "\x1b[6n" in transcript:
        text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", transcript).strip()
        return [text.splitlines()[-1]]
    quoted = re.sub(r"gate\(([\w.]+)\)", r"\1", transcript)  # a traceback quotes the source line
    return re.sub(r"line \d+|\r\n *[\^~]+(?=\r)", "", quoted).split("\r\n")


@pytest.mark.parametrize("what", SESSIONS)
def test_the_same_bytes_on_the_terminal(what: str, tmp_path: Path) -> None:
    code, typed = SESSIONS[what]
    seen = []
    surroundings = environment(agent=False, PYTHON_COLORS="0")
    for number, source in enumerate(plain_and_gated(code)):
        (tmp_path / "app.py").write_text(source, "utf-8")
        ended, transcript, _ = at_terminal([sys.executable, "app.py"], typed, folder=tmp_path, env=surroundings)
        assert ended != "hang", (number, transcript)
        seen.append((ended, settled(transcript)))
    (plain_code, plain), (gated_code, gated) = seen
    assert gated == plain
    assert plain_code == gated_code


def test_a_prompt_in_a_class_body_is_bound_as_it_is_without_the_gate(tmp_path: Path) -> None:
    """A builtin and a bound method do not take the instance, a function does."""
    code = (
        "class Asks:\n    line, page, shown = {input}, {Console().input}, {Prompt.ask}\n    key = {getpass.getpass}\n"
        "asks = Asks()\nprint(asks.line('Name: '), asks.page('Page: '), asks.shown('Shown'), Asks.line('Again: '))\n"
        "try: asks.key('Key: ', 1, 2)\nexcept TypeError as error: print(error)"
    )
    plain, gated = plain_and_gated(code)
    surroundings, typed = environment(agent=False), ["ada\r", "1\r", "x\r", "b\r"]
    seen = [
        at_terminal([sys.executable, "-c", source], typed, folder=tmp_path, env=surroundings)[:2]
        for source in (plain, gated.replace("gate(", "gate.later("))
    ]
    assert seen[0] == seen[1]
    assert "ada 1 x b" in seen[0][1]


PIPED = {
    "input": ("print({input}('Name: '), {input}())", b"ada\nbob\n"),
    "input, end of file": ("print({input}('Name: '))", b""),
    "click": ("print({click.prompt}('Port', type=int), {click.confirm}('Sure?'))", b"many\n80\ny\n"),
    "click, end of file": ("print({click.prompt}('Port', type=int))", b""),
    "click options": (
        "@click.command()\n@{click.option}('--name', prompt=True)\ndef main(name): print(name)\nmain()",
        b"ada\n",
    ),
    "rich": ("print({IntPrompt.ask}('Port'))", b"x\n80\n"),
    "getpass": ("import warnings; warnings.simplefilter('ignore'); print({getpass.getpass}('Key: '))", b"k\n"),
}


def outcome(ran: Ran) -> tuple[int | str, str, str]:
    return ran.code, ran.out, ran.err.strip().rpartition("\n")[2]


@pytest.mark.parametrize("what", PIPED)
def test_unattended_is_unchanged(what: str, tmp_path: Path) -> None:
    code, piped = PIPED[what]
    plain, gated = (run(source, folder=tmp_path, stdin=piped, agent=False) for source in plain_and_gated(code))
    assert outcome(gated) == outcome(plain)
    forced = run(plain_and_gated(code)[1], folder=tmp_path, stdin=piped, env={"AGENTGATE_AGENT": "no"})
    assert outcome(forced) == outcome(plain), "an agent that asked to be treated as a person"


def test_gate_returns_the_very_prompt() -> None:
    assert agentgate.gate(input) is builtins.input
    assert agentgate.gate(getpass.getpass) is getpass.getpass
    for hints in ({"name": "x"}, {"kind": "confirm"}, {"secret": True, "flag": "--x"}):
        assert agentgate.gate(input, **hints) is builtins.input


@pytest.mark.parametrize("prompt", [input, getpass.getpass, click.prompt, Prompt.ask], ids=lambda one: one.__name__)
def test_a_stored_prompt_stands_for_the_prompt(prompt: Any) -> None:
    later = agentgate.gate.later(prompt, name="x")
    for name in ("__name__", "__qualname__", "__module__", "__doc__", "__wrapped__"):
        assert getattr(later, name) == getattr(prompt, name, prompt)
    assert repr(later) == repr(prompt)
    assert (prompt in [later], later in {prompt}, later == print) == (True, True, False)
    assert inspect.signature(later) == inspect.signature(prompt)
    for same in (copy.copy(later), copy.deepcopy(later), pickle.loads(pickle.dumps(later))):
        assert type(same) is type(later)
        assert vars(same) == vars(later)
    assert hasattr(later, "__get__") is inspect.isfunction(prompt)


@pytest.mark.parametrize("entry", [one.call for library in load_all() for one in library.prompts if not one.declares])
def test_gate_returns_every_prompt_of_the_catalog_as_it_is(entry: str) -> None:
    if entry in ABSENT:
        pytest.skip("Python 2's builtin: there is no such object")
    target = resolved(entry)
    again = agentgate.gate(target)  # type: ignore[type-var]
    assert again is target
