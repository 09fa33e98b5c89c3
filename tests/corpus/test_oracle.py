"""The oracle must itself be right, above all about names that only look like a prompt."""

import json
import sys
from pathlib import Path

import oracle
import pytest
from packages import Package, load

FOUND = [
    ("x = input('x')", "builtins.input AG101"),
    ("def f(): return input('x')", "builtins.input AG101"),
    ("import builtins; x = builtins.input()", "builtins.input AG101"),
    ("x = input('Sure? [y/N] ')", "builtins.input AG102"),
    ("x = input('Delete %s (y/n): ' % 1)", "builtins.input AG102"),
    ("def f():\n    a = input('Sure? ')\n    if a.strip().lower() == 'yes': ...", "builtins.input AG102"),
    ("def f(b):\n    if b: a = input()\n    else: a = 'yes'\n    if a == 'yes': ...", "builtins.input AG102"),
    ("if input('Sure? ') != 'yes': ...", "builtins.input AG102"),
    ("def f():\n    a = input()\n    while a[0].lower() not in 'yn': ...", "builtins.input AG102"),
    ("def f():\n    a = input()\n    a = g()\n    if a == 'yes': ...", "builtins.input AG101"),
    ("def f():\n    a = input()\n    if a == 'exit': ...", "builtins.input AG101"),
    ("raw_input = input", "builtins.input AG108"),
    ("raw_input = raw_input", "builtins.raw_input AG108"),
    ("import cmd\nclass A(cmd.Cmd):\n    def f(self): self.cmdloop()", "cmd.Cmd.cmdloop AG101"),
    ("input('Press Enter')", "builtins.input AG105"),
    ("read = input", "builtins.input AG108"),
    ("ask = lambda read=input: read()", "builtins.input AG108"),
    (
        "def f():\n    input = 1\n    def g():\n        global input\n        return input()",
        "builtins.input AG101",
    ),
    ("class A:\n    input = 1\n    def f(self): return input()", "builtins.input AG101"),
    pytest.param(
        "x = [input for input in ()], [input() for y in ()]",
        "builtins.input AG101",
        marks=pytest.mark.skipif(
            sys.version_info >= (3, 12), reason="symtable gives what a comprehension binds to the scope around it"
        ),
    ),
    ("from getpass import getpass as g\ng()", "getpass.getpass AG103"),
    ("import getpass\nf(getpass.getpass)", "getpass.getpass AG108"),
    ("import click\nclick.prompt('x', hide_input=True)", "click.prompt AG103"),
    ("import rich_click as c\nc.confirm('x')", "click.confirm AG102"),
    ("import click\n@click.option('--x', prompt=True)\ndef f(): ...", "click.option AG104"),
    ("import typer\ndef f(x: str = typer.Option(..., prompt='x')): ...", "typer.Option AG104"),
    ("import rich.prompt\nrich.prompt.Prompt.ask('x', password=True)", "rich.prompt.Prompt.ask AG103"),
    (
        "from rich.prompt import Confirm\nclass A(Confirm): ...\nclass B(A): ...\nB.ask()",
        "rich.prompt.Confirm.ask AG102",
    ),
    ("from rich.console import Console\nc = Console()\nc.input()", "rich.console.Console.input AG101"),
    ("from rich.console import Console\nConsole().input()", "rich.console.Console.input AG101"),
    ("from questionary import *\ntext('x').ask()", "questionary.text AG101"),
    ("import questionary\nnot questionary.confirm('x').ask()", "questionary.confirm AG102"),
]

SHADOWED = [
    "def f(input): return input()",
    "def f(*, input=1): return input()",
    "def f():\n    input = g\n    return input()",
    "def f():\n    input = g\n    return lambda: input()",
    "def input(): ...\ninput()",
    "from fileinput import input\ninput()",
    "x = [input() for input in ()]",
    "for input in (): input()",
    "try: ...\nexcept E as input: input()",
    "with a as input: input()",
    "self.input()",
    "class A:\n    def f(self): self.cmdloop()",
    "import click\nclick.option('--x', prompt=False)",
    "import click\nclick.option('--prompt')",
    "from mine import click\nclick.prompt()",
    "import click\ndef f(click): click.prompt()",
    "class Form:\n    def ask(self): ...\nForm.ask()",
    "console.input()",
    "'input()'  # input()",
]


def found(source: str, folder: Path) -> list[str]:
    (folder / "module.py").write_text(source + "\n")
    return [f"{site.call} {site.code}" for site in oracle.find(folder, [folder / "module.py"])]


@pytest.mark.parametrize(("source", "expected"), FOUND)
def test_prompt_is_found(source: str, expected: str, tmp_path: Path) -> None:
    assert found(source, tmp_path) == [expected]


@pytest.mark.parametrize("source", SHADOWED)
def test_shadowed_name_is_not_a_prompt(source: str, tmp_path: Path) -> None:
    assert found(source, tmp_path) == []


@pytest.mark.parametrize("package", load().values(), ids=lambda package: package.name)
def test_verified_sites_are_those_of_the_sdist(package: Package) -> None:
    if not package.source.exists():
        pytest.skip("not fetched: run `python tests/corpus/fetch.py`")
    root = package.source / package.files
    sites = oracle.find(root, oracle.python_files(root, set(package.exclude)))
    assert [site._asdict() for site in sites] == json.loads(package.sites.read_text())


@pytest.mark.parametrize("package", load().values(), ids=lambda package: package.name)
def test_each_command_comes_to_a_verified_site(package: Package) -> None:
    places = {f"{site['path']}:{site['line']}" for site in json.loads(package.sites.read_text())}
    assert {line.asks for line in package.commands} <= places
