"""`agentgate run --gate`: programs that were not rewritten, gated in their own process."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from programs import Ran, run

PROGRAMS = {
    "builtins": (
        """
        import getpass, os
        name, key = input("Name: "), getpass.getpass("Key: ")
        print(name, len(key), os.environ.get("PYTHONPATH"), "AGENTGATE" in str(os.environ))
        """,
        {"name": "bob", "key": "k1"},
    ),
    "click": (
        """
        import click
        @click.command()
        @click.option("--name", prompt=True)
        @click.option("--size", prompt=True, type=int)
        @click.confirmation_option(prompt="Create it?")
        def create(name, size):
            port = click.prompt("Port", type=int)
            click.confirm("Really?", abort=True)
            print(name, size, port)
        create()
        """,
        {"name": "bob", "size": "3", "port": "80"},
    ),
    "typer": (
        """
        import typer
        app = typer.Typer()
        @app.command()
        def create(name: str = typer.Option(..., prompt=True)):
            print(name, typer.prompt("Port", type=int), typer.confirm("Really?"))
        app()
        """,
        {"name": "bob", "port": "80"},
    ),
    "rich": (
        """
        from rich.console import Console
        from rich.prompt import Confirm, IntPrompt, Prompt
        class Own(Prompt):
            pass
        print(Own.ask("Name", choices=["bob"]), IntPrompt.ask("Size"), Confirm.ask("Sure?"), Console().input("Who? "))
        """,
        {"name": "bob", "size": "3", "who": "me"},
    ),
    "questionary": (
        """
        import questionary
        print(questionary.select("Size?", choices=["S", "M"]).ask(), questionary.password("Key?").unsafe_ask())
        print(questionary.form(a=questionary.text("A?"), b=questionary.confirm("B?")).ask())
        print(questionary.prompt([{"type": "text", "name": "c", "message": "C?"}]))
        """,
        {"size": "M", "key": "k1", "a": "1", "c": "2"},
    ),
}


def follow(source: str, answers: dict[str, str], folder: Path) -> tuple[Ran, int]:
    """Follow `next` to the end, the person agreeing to everything; how it ended and in how many runs."""
    (folder / "app.py").write_text("")
    argv = [sys.executable, "-m", "agentgate", "run", "--gate", "--", sys.executable, "app.py"]
    for runs in range(1, 12):
        sent = str(answers).replace("'", '"').encode() if "--answers" in argv else "null"
        ran = run(source, folder=folder, argv=argv, stdin=sent)
        if ran.code != 3:
            return ran, runs
        assert "--gate" in ran.envelope["next"][0]["argv"]
        argv = ran.next_argv(**answers)
    raise AssertionError("no end")


@pytest.mark.parametrize("library", sorted(PROGRAMS))
def test_a_program_is_driven_to_its_end_by_next_alone(library: str, tmp_path: Path) -> None:
    source, answers = PROGRAMS[library]
    ran, runs = follow(source, answers, tmp_path)
    assert ran.code == 0, ran
    assert ran.err == ""
    assert runs <= 9
    expected = {
        "builtins": "bob 2 PYTHONPATH False",
        "click": "bob 3 80",
        "typer": "bob 80 True",
        "rich": "bob 3 True me",
        "questionary": "M k1\n{'a': '1', 'b': True}\n{'c': '2'}",
    }[library]
    assert ran.out.strip() == expected.replace("PYTHONPATH", str(Path(__file__).resolve().parent.parent))


@pytest.mark.parametrize("stdin", ["null", "closed", "idle", "socket", "yes", "terminal"])
def test_it_stops_at_once_on_every_stdin(stdin: str, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text('x = input("Name: ")\n')
    argv = [sys.executable, "-m", "agentgate", "run", "--gate", "--", sys.executable, "app.py"]
    ran = run(folder=tmp_path, argv=argv, stdin=stdin)
    assert (ran.code, ran.error) == (3, "missing_input")


def test_a_person_has_the_program_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text('print("hello", input("Name: "))\n')
    argv = [sys.executable, "-m", "agentgate", "run", "--gate", "--", sys.executable, "app.py"]
    ran = run(folder=tmp_path, argv=argv, stdin=b"bob\n", agent=False)
    assert (ran.code, ran.out) == (0, "Name: hello bob\n")


def test_the_sitecustomize_that_was_there_still_runs(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import builtins; builtins.customized = True\n")
    (tmp_path / "app.py").write_text("print(customized)\n")
    argv = [sys.executable, "-m", "agentgate", "run", "--gate", "--", sys.executable, "app.py"]
    path = f"{tmp_path}:{Path(__file__).resolve().parent.parent}"
    ran = run(folder=tmp_path, argv=argv, env={"PYTHONPATH": path})
    assert (ran.code, ran.out, ran.err) == (0, "True\n", "")


def test_a_child_program_is_not_gated(tmp_path: Path) -> None:
    source = """
        import subprocess, sys
        child = "import sys; print('agentgate' in sys.modules)"
        subprocess.run([sys.executable, "-c", child])
        """
    (tmp_path / "app.py").write_text("")
    argv = [sys.executable, "-m", "agentgate", "run", "--gate", "--", sys.executable, "app.py"]
    assert run(source, folder=tmp_path, argv=argv).out == "False\n"
