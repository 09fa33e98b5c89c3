"""`agentgate surfaces PROGRAM`, on small programs that know nothing of agentgate, as they would be installed."""

from __future__ import annotations

import json
import os
import shlex
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from programs import ROOT, Ran, run

GREETER = """
    import argparse
    from pathlib import Path

    def build():
        parser = argparse.ArgumentParser(description="Greet people.")
        commands = parser.add_subparsers(dest="command", required=True)
        hello = commands.add_parser("hello", help="Say hello.")
        hello.add_argument("name")
        hello.add_argument("--times", type=int, default=1, help="how often")
        commands.add_parser("secret", help=argparse.SUPPRESS)
        return parser

    PARSER = build()
    """
ENTRIES = {
    "argparse": GREETER
    + """
    def main():
        PARSER.parse_args()
        Path("handled").touch()
    """,
    "argparse known": GREETER
    + """
    def main():
        PARSER.parse_known_args()
        Path("handled").touch()
    """,
    "argparse, help when called with nothing": GREETER
    + """
    def main():
        PARSER.print_help()
        Path("handled").touch()
    """,
    "argparse behind one that looks for its config": GREETER
    + """
    def main():
        early = argparse.ArgumentParser(add_help=False)
        early.add_argument("--config")
        early.parse_known_args()
        PARSER.parse_args()
        Path("handled").touch()
    """,
    "argparse, after its defaults were asked for": GREETER
    + """
    argparse.ArgumentParser().parse_args([])
    def main():
        PARSER.parse_args()
        Path("handled").touch()
    """,
    "argparse, as soon as it is imported": GREETER
    + """
    def main():
        PARSER.parse_args()
        Path("handled").touch()
    main()
    """,
    "argparse in a subclass with its own way to parse": GREETER.replace(
        "argparse.ArgumentParser(d", "Parser(d"
    ).replace(
        "def build",
        """class Parser(argparse.ArgumentParser):
        def parse_args(self, stream):
            return super().parse_args()

    def build""",
    )
    + """
    def main():
        PARSER.parse_args(stream=None)
        Path("handled").touch()
    """,
    "click, imported by the entry": """
    def main():
        import click

        @click.group()
        def greeter():
            '''Greet people.'''

        @greeter.command()
        @click.argument("name")
        @click.option("--times", type=int, default=1, help="how often")
        def hello(name, times):
            '''Say hello.'''
            open("handled", "w")

        @greeter.command(hidden=True)
        def secret():
            open("handled", "w")

        greeter()
    """,
    "click, itself the entry": """
    import click

    @click.group()
    def main():
        '''Greet people.'''

    @main.command()
    @click.argument("name")
    @click.option("--times", type=int, default=1, help="how often")
    def hello(name, times):
        '''Say hello.'''
        open("handled", "w")

    @main.command(hidden=True)
    def secret():
        open("handled", "w")
    """,
    "typer": """
    import typer
    app = typer.Typer(help="Greet people.", add_completion=False)

    @app.command()
    def hello(name: str, times: int = typer.Option(1, help="how often")):
        '''Say hello.'''
        open("handled", "w")

    @app.command(hidden=True)
    def secret():
        open("handled", "w")

    def main():
        app()
    """,
}


def install(folder: Path, source: str, *, name: str = "greeter", scripts: tuple[str, ...] = ("greeter",)) -> None:
    """Put a package where the interpreter finds it, with console scripts that start `main`."""
    site = folder / "site"
    about = site / f"{name}-2.1.dist-info"
    about.mkdir(parents=True)
    (site / f"{name}.py").write_text(textwrap.dedent(source), "utf-8")
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 2.1\n")
    lines = "\n".join(f"{script} = {name}:main" for script in scripts)
    (about / "entry_points.txt").write_text(f"[console_scripts]\n{lines}\n" if scripts else "")


def surfaces(folder: Path, *words: str, agent: bool = False, **env: str) -> Ran:
    (folder / "work").mkdir(exist_ok=True)
    path = os.pathsep.join([str(ROOT), str(folder / "site")])
    argv = [sys.executable, "-m", "agentgate.surfaces", *words]
    return run(folder=folder / "work", argv=argv, agent=agent, limit=60, env={"PYTHONPATH": path, **env})


def printed(folder: Path, *words: str, **how: Any) -> Any:
    ran = surfaces(folder, *words, **how)
    assert (ran.code, ran.err) == (0, ""), ran
    return json.loads(ran.out)


def sentence(folder: Path, *words: str, **how: Any) -> str:
    """The one line that says why there is nothing."""
    ran = surfaces(folder, *words, **how)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), ran
    return ran.err


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_console_script_is_described_without_running_its_handlers(entry: str, tmp_path: Path) -> None:
    install(tmp_path, ENTRIES[entry])
    overview = printed(tmp_path, "greeter")
    assert (overview["framework"], overview["name"], overview["version"]) == (
        entry.split()[0].strip(","),
        "greeter",
        "2.1",
    )
    assert overview["description"] == "Greet people."
    (hello,) = overview["commands"]
    assert (hello["name"], hello["description"]) == ("hello", "Say hello.")
    schema = printed(tmp_path, "greeter", "schema")
    assert "exit_codes" not in schema, "its exit codes are not ours"
    (command,) = schema["commands"]
    jsonschema.Draft202012Validator.check_schema(command["inputSchema"])
    assert command["inputSchema"]["properties"]["times"] == {
        "type": "integer",
        "flag": "--times",
        "description": "how often",
        "default": 1,
    }
    assert command["inputSchema"]["required"] == ["name"]
    assert list((tmp_path / "work").iterdir()) == []


def test_the_forms_have_their_operands(tmp_path: Path) -> None:
    install(tmp_path, ENTRIES["argparse"])
    assert printed(tmp_path, "greeter", "schema", "hello", "--field", "inputSchema.required") == ["name"]
    assert [one["name"] for one in printed(tmp_path, "greeter", "commands")["commands"]] == ["hello"]
    assert [one["name"] for one in printed(tmp_path, "greeter", "commands", "--all")["commands"]] == ["hello", "secret"]
    assert "no command 'goodbye'" in sentence(tmp_path, "greeter", "schema", "goodbye")
    assert "it has: type" in sentence(tmp_path, "greeter", "schema", "hello", "--field", "inputSchema.nothing")
    assert "goes with schema" in sentence(tmp_path, "greeter", "commands", "--field", "name")
    assert "goes with commands" in sentence(tmp_path, "greeter", "--all")


def test_completion_is_text_for_everybody(tmp_path: Path) -> None:
    install(tmp_path, ENTRIES["argparse"])
    person, agent = (surfaces(tmp_path, "greeter", "completion", "bash", agent=agent) for agent in (False, True))
    assert (person.code, person.err) == (0, "")
    assert "--times" in person.out
    assert agent.out == person.out
    assert "completion takes one shell: bash" in sentence(tmp_path, "greeter", "completion", "tcsh")


OBJECTS = {"PARSER": "greeter", "build": "greeter", "main": "greeter", "Made.parser": "greeter", "with_argv": "greeter"}


@pytest.mark.parametrize("path", OBJECTS)
def test_an_object_of_a_module_may_be_a_parser_or_make_one_or_parse(path: str, tmp_path: Path) -> None:
    install(
        tmp_path,
        ENTRIES["argparse"]
        + """
    class Made:
        parser = PARSER

    def with_argv(argv):
        PARSER.parse_args(argv)
        Path("handled").touch()
    """,
        scripts=(),
    )
    overview = printed(tmp_path, f"greeter:{path}")
    assert overview["name"] == OBJECTS[path]
    assert [one["name"] for one in overview["commands"]] == ["hello"]
    assert list((tmp_path / "work").iterdir()) == []


def test_a_module_in_the_working_folder_is_found(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "greeter.py").write_text(textwrap.dedent(GREETER))
    assert printed(tmp_path, "greeter:PARSER")["framework"] == "argparse"


def test_a_distribution_stands_for_its_one_program(tmp_path: Path) -> None:
    install(tmp_path, ENTRIES["argparse"], scripts=("greet",))
    assert printed(tmp_path, "Greeter")["name"] == "greet"


def test_an_agent_gets_an_envelope_and_can_go_on(tmp_path: Path) -> None:
    install(tmp_path, ENTRIES["click, itself the entry"])
    described = surfaces(tmp_path, "greeter", agent=True)
    assert described.envelope["data"]["commands"][0]["name"] == "hello"
    assert described.envelope["data"] == printed(tmp_path, "greeter"), "the same as a person"
    assert described.envelope["command"].endswith("agentgate surfaces greeter")
    of_command = next(one for one in described.envelope["next"] if "params" in one)
    assert of_command["params"]["command"]["enum"] == ["hello"]
    words = [word.replace("<command>", "hello") for word in of_command["argv"]]
    path = os.pathsep.join([str(ROOT), str(tmp_path / "site")])
    schema = run(folder=tmp_path, argv=words, env={"PYTHONPATH": path}, limit=60)
    assert schema.envelope["data"]["inputSchema"]["required"] == ["name"]


def test_the_description_is_the_same_in_every_run(tmp_path: Path) -> None:
    install(
        tmp_path,
        """
        import argparse, os, tempfile

        def main():
            parser = argparse.ArgumentParser()
            parser.add_argument("--cache", default=tempfile.gettempdir(), help="(default: %(default)s)")
            parser.add_argument("--home", default=os.path.expanduser("~/x"))
            parser.add_argument("--colour", choices={"red", "green", "blue"})
            parser.add_argument("--stream", default=object())
            parser.parse_args()
        """,
    )
    first, second = (surfaces(tmp_path, "greeter", "schema").out for _ in range(2))
    assert first == second
    assert json.loads(first)["commands"][0]["inputSchema"]["properties"]["home"]["default"] == "~/x"


def test_nothing_is_touched_on_the_way_to_the_parser(tmp_path: Path) -> None:
    install(
        tmp_path,
        """
        import argparse, os, pathlib, socket, sqlite3, subprocess, sys

        def refused(what, *arguments, **options):
            try:
                what(*arguments, **options)
            except PermissionError:
                return
            print("went through:", what, file=open(os.path.expanduser("~/said"), "a"))

        def main():
            print("a greeting on stdout")
            print("and one on stderr", file=sys.stderr)
            assert sys.stdin.read() == ""
            os.makedirs(os.path.expanduser("~/.config/greeter"))
            pathlib.Path("~/.config/greeter/config").expanduser().write_text("its own")
            refused(open, "written", "w")
            refused(os.open, "written", os.O_CREAT | os.O_WRONLY)
            refused(os.mkdir, "made")
            refused(os.remove, "kept")
            refused(os.rename, "kept", os.path.expanduser("~/moved"))
            refused(os.chmod, "kept", 0)
            refused(sqlite3.connect, "base.db")
            refused(subprocess.run, ["touch", "written"])
            refused(os.system, "touch written")
            refused(socket.create_connection, ("127.0.0.1", 9))
            refused(socket.getaddrinfo, "example.invalid", 80)
            said = pathlib.Path("~/said").expanduser()
            argparse.ArgumentParser(description=said.read_text() if said.exists() else "all refused").parse_args()
        """,
    )
    home = tmp_path / "home"
    home.mkdir()
    work = tmp_path / "work"
    work.mkdir()
    (work / "kept").write_text("as it was")
    overview = printed(tmp_path, "greeter", HOME=str(home), XDG_CONFIG_HOME=str(home))
    assert overview["description"] == "all refused"
    assert [one.name for one in work.iterdir()] == ["kept"]
    assert list(home.iterdir()) == []


ENDS = {
    "def main(): pass": "greeter does not parse with argparse, click or typer",
    "import sys\ndef main(): sys.exit('not today')": "greeter does not parse with argparse, click or typer",
    "import optparse\ndef main(): optparse.OptionParser().parse_args()": "does not parse with argparse, click or typer",
    "def main(): raise RuntimeError('broken')": "greeter failed before it came to its parser: RuntimeError: broken",
    "def main(): raise RuntimeError('\\none line\\nmore')": "its parser: RuntimeError: one line\n",
    "import nothing_of_that_name": "ModuleNotFoundError: No module named 'nothing_of_that_name'",
    "import os\ndef main(): os._exit(7)": "greeter ended with exit code 7 before it came to its parser",
    "main = 7": "greeter does not parse with argparse, click or typer",
    "nothing = 7": "greeter has no 'main'",
}


@pytest.mark.parametrize("source", ENDS)
def test_a_program_without_such_a_parser_is_one_sentence(source: str, tmp_path: Path) -> None:
    install(tmp_path, source)
    assert ENDS[source] in sentence(tmp_path, "greeter")


def test_a_program_that_never_comes_to_its_parser_is_ended(tmp_path: Path) -> None:
    install(tmp_path, "import time\ndef main(): time.sleep(60)")
    source = """
        from agentgate.surfaces.foreign import NotFound, describe
        try:
            describe("greeter", [], seconds=2)
        except NotFound as error:
            print(error)
        """
    path = os.pathsep.join([str(ROOT), str(tmp_path / "site")])
    ended = run(source, folder=tmp_path, env={"PYTHONPATH": path}, limit=40)
    assert ended.out == "greeter did not come to its parser within 2 seconds\n", ended


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_what_a_module_starts_when_it_is_imported_is_ended(tmp_path: Path) -> None:
    install(
        tmp_path,
        """
        import argparse, subprocess, sys
        started = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])

        def main():
            argparse.ArgumentParser(description=str(started.pid)).parse_args()
        """,
    )
    stat = Path("/proc", printed(tmp_path, "greeter")["description"], "stat")
    deadline = time.monotonic() + 30
    while stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z":
        assert time.monotonic() < deadline, "it goes on running"
        time.sleep(0.05)


def test_a_program_that_is_not_here_is_one_sentence_that_says_where_it_was_looked_for(tmp_path: Path) -> None:
    install(tmp_path, ENTRIES["argparse"], scripts=("greeter", "greeter-admin"), name="greetings")
    assert f"no Python package in {sys.prefix} has a program 'nonesuch'" in sentence(tmp_path, "nonesuch")
    assert "there is greeter" in sentence(tmp_path, "greter")
    assert "several programs, name one: greeter, greeter-admin" in sentence(tmp_path, "greetings")
    assert "no module 'nonesuch'" in sentence(tmp_path, "nonesuch:main")
    assert "greetings has no 'nothing'" in sentence(tmp_path, "greetings:nothing")
    assert surfaces(tmp_path, "nonesuch", agent=True).error == "usage"


def test_a_program_of_another_kind_or_environment_is_told_apart(tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, first in (("shellish", "#!/bin/sh"), ("elsewhere", "#!/opt/other/bin/python3")):
        (programs / name).write_text(f"{first}\n")
        (programs / name).chmod(0o755)
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    assert "shellish is no console script of a Python package" in sentence(tmp_path, "shellish", PATH=path)
    assert "is run by /opt/other/bin/python3" in sentence(tmp_path, "elsewhere", PATH=path)


def test_a_command_that_cannot_be_loaded_leaves_the_others(tmp_path: Path) -> None:
    install(
        tmp_path,
        """
        import click

        class Lazy(click.Group):
            def list_commands(self, ctx):
                return ["broken", "gone", "works"]

            def get_command(self, ctx, name):
                if name == "broken":
                    import a_plugin_that_is_not_installed
                return click.Command("works", help="It does.") if name == "works" else None

        main = Lazy()
        """,
    )
    commands = {one["name"]: one["description"] for one in printed(tmp_path, "greeter")["commands"]}
    assert commands == {"broken": "(This command cannot be loaded.)", "works": "It does."}


def test_a_program_with_very_many_commands_stays_within_the_budget(tmp_path: Path) -> None:
    install(
        tmp_path,
        """
        import argparse
        parser = argparse.ArgumentParser()
        commands = parser.add_subparsers(required=True)
        for number in range(900):
            commands.add_parser(f"command-{number}", help="What this one of them does, in a line.").add_argument("--x")
        main = parser
        """,
    )
    for words in ((), ("schema",)):
        described = printed(tmp_path, "greeter", *words)
        assert (described["total"], described["truncated"]) == (900, True)
        assert len(json.dumps(described)) <= 48_000
    way = described["hint"].split("`")[1]
    assert shlex.split(way) == ["agentgate", "surfaces", "greeter", "schema", "COMMAND"]
    assert printed(tmp_path, "greeter", "schema", "command-899")["name"] == "command-899"
