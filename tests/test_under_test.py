"""Tests of a gated program keep their results when an agent runs them: mocks, fakes, runners, captured streams."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from programs import run

APP = """
import getpass
from builtins import input as asked
import click, questionary, typer
from rich.console import Console
from rich.prompt import Confirm, IntPrompt, Prompt
from agentgate import gate

console = Console()

def name(): return gate(input)("Name: ")
def name_of_module(): return gate(asked)("Name: ")
def password(): return gate(getpass.getpass)("Password: ")
def port(): return gate(click.prompt)("Port", type=int)
def sure(): return gate(click.confirm)("Delete it?")
def draft(): return gate(click.edit)("text")
def key(): return gate(click.getchar)()
def rich_name(): return gate(Prompt.ask)("Name")
def rich_port(): return gate(IntPrompt.ask)("Port")
def rich_sure(): return gate(Confirm.ask)("Sure?")
def rich_line(): return gate(console.input)("Name: ")
def colour(): return gate(questionary.select)("Colour", choices=["red", "blue"]).ask()
class MyPrompt(Prompt): pass
def my_name(): return gate(MyPrompt.ask)("Name")

@click.command()
@gate(click.option)("--name", prompt=True)
@gate(click.password_option)()
@gate(click.confirmation_option)(prompt="Sure?")
def cli(name, password):
    nick = gate(click.prompt)("Nick", default="none")
    pin = gate(click.prompt)("Pin", hide_input=True, type=int)
    click.echo(f"{name} {password} {nick} {pin} {gate(input)('Last: ')}")

app = typer.Typer()
@app.command()
def main(
    name: str = gate(typer.Option)(..., prompt=True),
    pin: str = gate(typer.Option)(..., prompt=True, hide_input=True),
):
    typer.echo(f"{name} {pin} {gate(typer.prompt)('Port', type=int)} {gate(typer.confirm)('Sure?')}")
"""

TESTS = """
import builtins, functools, io, sys
from unittest import mock
import click, click.testing, pytest, typer.testing
import app

def fake(value):
    return lambda *args, **kwargs: value

@mock.patch("builtins.input", return_value="ada")
def test_mock_builtin(patched):
    assert app.name() == "ada"
    patched.assert_called_once_with("Name: ")

def test_monkeypatch_builtin(monkeypatch):
    monkeypatch.setattr(builtins, "input", fake("ada"))
    assert app.name() == "ada"

def test_module_global(monkeypatch):
    monkeypatch.setattr(app, "input", fake("ada"), raising=False)
    monkeypatch.setattr(app, "asked", fake("bob"))
    assert (app.name(), app.name_of_module()) == ("ada", "bob")

def test_wraps(monkeypatch):
    real = builtins.input
    @functools.wraps(real)
    def wrapped(prompt=""): return "ada"
    monkeypatch.setattr(builtins, "input", wrapped)
    assert app.name() == "ada"

def test_side_effect(monkeypatch):
    with mock.patch("builtins.input", side_effect=["ada", EOFError]):
        assert app.name() == "ada"
        with pytest.raises(EOFError): app.name()

def test_spec(monkeypatch):
    with mock.patch("click.edit", spec=True) as edit, mock.patch("click.getchar", autospec=True) as getchar:
        edit.return_value, getchar.return_value = "new", "k"
        assert (app.draft(), app.key()) == ("new", "k")

def test_partial(monkeypatch):
    monkeypatch.setattr(builtins, "input", functools.partial(fake("ada"), "x"))
    assert app.name() == "ada"

def test_getpass():
    with mock.patch("getpass.getpass", return_value="secret"): assert app.password() == "secret"

def test_click_functions():
    with mock.patch("click.prompt", return_value=8080), mock.patch("click.confirm", return_value=True):
        assert (app.port(), app.sure()) == (8080, True)

def test_click_readers(monkeypatch):
    monkeypatch.setattr("click.termui.visible_prompt_func", fake("8080"))
    assert app.port() == 8080

def test_input_under_rich(monkeypatch):
    monkeypatch.setattr("builtins.input", fake("7"))
    assert (app.rich_name(), app.rich_port(), app.rich_line()) == ("7", 7, "7")

def test_rich_methods():
    ask = mock.patch.object(app.Confirm, "ask", return_value=True)
    with mock.patch("rich.prompt.Prompt.ask", return_value="ada"), ask:
        assert (app.rich_name(), app.rich_sure()) == ("ada", True)

def test_subclass(monkeypatch):
    monkeypatch.setattr(app.MyPrompt, "ask", classmethod(lambda cls, text: "ada"))
    assert app.my_name() == "ada"

def test_questionary():
    with mock.patch("questionary.select") as select:
        select.return_value.ask.return_value = "blue"
        assert app.colour() == "blue"

def test_stdin_in_memory(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("ada\\n8080\\ny\\nbob\\n7\\n\\n"))
    assert (app.name(), app.port(), app.sure(), app.rich_name(), app.rich_port()) == ("ada", 8080, True, "bob", 7)
    assert app.rich_line() == ""
    with pytest.raises(EOFError): app.name()

def test_captured_stdin():
    with pytest.raises(OSError): app.name()

def test_click_runner():
    text = "ada\\nhidden\\nhidden\\ny\\nnick\\n42\\nlast\\n"
    result = click.testing.CliRunner().invoke(app.cli, [], input=text)
    assert result.exit_code == 0, (result.output, result.exception)
    assert result.output.endswith("ada hidden nick 42 last\\n"), result.output

def test_click_runner_without_input():
    result = click.testing.CliRunner().invoke(app.cli, ["--yes", "--name", "x"], input="")
    assert result.exit_code == 1 and "Aborted!" in result.output, result.output

def test_click_runner_given_options():
    result = click.testing.CliRunner().invoke(app.cli, ["--yes", "--name=x", "--password=y"], input="\\n1\\nz\\n")
    assert result.output.endswith("x y none 1 z\\n"), result.output

def test_typer_runner():
    result = typer.testing.CliRunner().invoke(app.app, [], input="ada\\nhidden\\n80\\ny\\n")
    assert result.exit_code == 0 and result.output.endswith("ada hidden 80 True\\n"), (result.output, result.exception)

def test_fails_as_it_should(capsys):
    with mock.patch("builtins.input", return_value="ada"):
        assert app.name() == "bob", "on purpose"
"""
EXPECTED_FAILURES = 1


def results(out: str) -> list[str]:
    return sorted(
        re.sub(r" - .*", "", line) for line in out.splitlines() if line.startswith(("PASSED", "FAILED", "ERROR"))
    )


@pytest.mark.parametrize("capture", ["fd", "sys"])
def test_same_results(capture: str, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(APP, "utf-8")
    (tmp_path / "test_app.py").write_text(TESTS, "utf-8")
    pytest_run = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-rA",
        "-p",
        "no:randomly",
        "-p",
        "no:cacheprovider",
        f"--capture={capture}",
    ]
    plain = run(argv=pytest_run, folder=tmp_path, agent=False)
    assert results(plain.out), plain
    assert len([line for line in results(plain.out) if "FAILED" in line]) == EXPECTED_FAILURES, plain.out
    for more in ({"CLAUDECODE": "1"}, {"CI": "1"}, {"AI_AGENT": "x", "CI": "true"}):
        again = run(argv=pytest_run, folder=tmp_path, agent=False, env=more)
        assert (again.code, results(again.out)) == (plain.code, results(plain.out)), (more, again.out)


def test_a_unittest_suite(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(APP, "utf-8")
    (tmp_path / "test_app.py").write_text(
        "import io, sys, unittest\nfrom unittest import mock\nimport app\n"
        "class Tests(unittest.TestCase):\n"
        "    @mock.patch('builtins.input', return_value='ada')\n"
        "    def test_mock(self, _): self.assertEqual(app.name(), 'ada')\n"
        "    @mock.patch('sys.stdin', io.StringIO('bob\\n'))\n"
        "    def test_stdin(self): self.assertEqual(app.name(), 'bob')\n",
        "utf-8",
    )
    for agent in (False, True):
        ran = run(argv=[sys.executable, "-m", "unittest", "-q", "test_app"], folder=tmp_path, agent=agent)
        assert ran.code == 0, ran
