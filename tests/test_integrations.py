"""The integrations: one small deployment tool, written with three parsers, gives the same documents."""

from __future__ import annotations

import json
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from programs import ROOT, run

APPS = {path.stem.removesuffix("_app"): path for path in (ROOT / "fixtures" / "apps").glob("*_app.py")}


@pytest.fixture(params=sorted(APPS))
def app(request: pytest.FixtureRequest) -> str:
    return str(APPS[request.param])


def start(app: str, *args: str, folder: Path, **how: Any) -> Any:
    return run(folder=folder, argv=[sys.executable, app, *args], **how)


def test_there_are_three_parsers() -> None:
    assert sorted(APPS) == ["argparse", "click", "typer"]


def test_help_shows_the_options_and_stays_text(app: str, tmp_path: Path) -> None:
    for args in (["--help"], ["deploy", "--help"]):
        shown = start(app, *args, folder=tmp_path)
        assert shown.code == 0
        assert '"agentgate/v1"' not in shown.out
        for option in ("--agent", "--confirm", "--answer", "--answers", "--json"):
            assert option in shown.out


def test_a_missing_option_is_named_by_the_programs_own_flag(app: str, tmp_path: Path) -> None:
    stopped = start(app, "deploy", "prod", folder=tmp_path)
    assert (stopped.code, stopped.error) == (3, "missing_input")
    (question,) = stopped.envelope["inputs"]
    assert (question["name"], question["flag"]) == ("release", "--release")
    assert question["args"] == ["--release", "<release>"]
    assert stopped.envelope["next"][0]["argv"][-2:] == ["--release", "<release>"]


def test_next_leads_to_the_end(app: str, tmp_path: Path) -> None:
    stopped = start(app, "deploy", "prod", folder=tmp_path)
    asked = run(folder=tmp_path, argv=stopped.next_argv(release="1.0"))
    assert (asked.code, asked.error) == (3, "consent_required")
    assert asked.envelope["consent"]["reasons"] == ["cloud:write"]
    assert not (tmp_path / "deployed.json").exists()
    assert "agentgate" not in asked.envelope["next"][0]["argv"], "the program takes the option itself"
    done = run(folder=tmp_path, argv=asked.next_argv())
    assert (done.code, done.envelope["data"]) == (0, {"target": "prod", "release": "1.0", "size": 1})
    assert json.loads((tmp_path / "deployed.json").read_text()) == {"prod": "1.0"}


def test_json_makes_stdout_one_document_with_what_the_command_returned(app: str, tmp_path: Path) -> None:
    for agent in (True, False):
        done = start(app, "status", "--json", folder=tmp_path, agent=agent)
        assert done.code == 0
        assert json.loads(done.out)["data"] == {"deployed": {}}
        assert done.envelope["ok"] is True


def test_json_stays_in_the_next_command(app: str, tmp_path: Path) -> None:
    stopped = start(app, "deploy", "prod", "--release", "1", "--json", folder=tmp_path)
    assert stopped.code == 3
    assert json.loads(stopped.out) == stopped.envelope
    done = run(folder=tmp_path, argv=stopped.next_argv())
    assert json.loads(done.out)["data"] == {"target": "prod", "release": "1", "size": 1}


def test_a_usage_error_is_the_parsers_own_for_a_person(app: str, tmp_path: Path) -> None:
    wrong = start(app, "deploy", "mars", folder=tmp_path, agent=False)
    assert (wrong.code, wrong.out) == (2, "")
    assert "usage:" in wrong.err.lower()
    assert "mars" in wrong.err


def test_a_usage_error_is_an_envelope_too_for_an_agent(app: str, tmp_path: Path) -> None:
    for args in (["deploy", "mars"], ["deploy", "prod", "--size", "big"], ["nothing"], ["deploy", "mars", "--json"]):
        wrong = start(app, *args, folder=tmp_path)
        assert (wrong.code, wrong.error) == (2, "usage"), args
        assert "usage:" in wrong.err.lower()


def test_a_person_is_asked_as_ever(app: str, tmp_path: Path) -> None:
    done = start(app, "deploy", "prod", folder=tmp_path, agent=False, stdin=b"2.0\n")
    assert done.code == 0
    assert done.out.replace("\n", "").endswith("deployed 2.0 to prod on 1")


CONFLICTS = {
    "argparse": """
        import argparse
        from agentgate import gate
        from agentgate.integrations.argparse import run
        parser = argparse.ArgumentParser()
        parser.add_argument("--confirm")
        def main():
            print("own", parser.parse_args().confirm)
            gate(input)("Name: ")
        run(main, parser)
        """,
    "click": """
        import click
        from agentgate import gate
        from agentgate.integrations.click import run
        @click.command()
        @click.option("--confirm")
        def main(confirm):
            print("own", confirm)
            gate(input)("Name: ")
        run(main)
        """,
    "typer": """
        import typer
        from agentgate import gate
        from agentgate.integrations.typer import run
        app = typer.Typer()
        @app.command()
        def main(confirm: str = ""):
            print("own", confirm)
            gate(input)("Name: ")
        run(app)
        """,
}


@pytest.mark.parametrize("parser", sorted(CONFLICTS))
def test_an_option_that_the_program_declares_itself_is_its_own(parser: str, tmp_path: Path) -> None:
    stopped = run(CONFLICTS[parser], folder=tmp_path, args=("--confirm", "mine"))
    assert stopped.code == 3
    assert (stopped.before_envelope, stopped.err) == ("", "own mine\n")
    argv = stopped.next_argv(name="x")
    assert argv[-3:] == ["app.py", "--confirm", "mine"], "the launcher carries ours"
    assert run(folder=tmp_path, argv=argv).code == 0


NAMESAKES = {
    "argparse": """
        import argparse
        from agentgate import run
        parser = argparse.ArgumentParser()
        parser.add_argument("agent")
        parser.add_argument("--as-json", dest="json", action="store_true")
        parser.add_argument("--environment", dest="answers")
        def main():
            asked = parser.parse_args()
            print(asked.agent, asked.json, asked.answers)
        run(main, parser)
        """,
    "click": """
        import click
        from agentgate import run
        @click.command(context_settings={"auto_envvar_prefix": "APP", "default_map": {"confirm": "x", "schema": "x"}})
        @click.argument("agent")
        @click.option("--as-json", "json", is_flag=True)
        @click.option("--environment", "answers")
        def main(agent, json, answers):
            print(agent, json, answers)
        run(main)
        """,
    "typer": """
        import typer
        from agentgate import run
        app = typer.Typer(context_settings={"auto_envvar_prefix": "APP", "default_map": {"confirm": "x"}})
        @app.command()
        def main(agent: str, as_json: bool = False, answers: str = typer.Option("", "--environment")):
            print(agent, as_json, answers)
        run(app)
        """,
}


@pytest.mark.parametrize("parser", sorted(NAMESAKES))
def test_a_parameter_whose_name_is_an_options_of_ours_keeps_its_value(parser: str, tmp_path: Path) -> None:
    environ = {"APP_EXPLAIN": "x", "APP_VIEW": "neither", "APP_ANSWER": "x"}  # the program never read them
    for agent in (True, False):
        args = ("smith", "--as-json", "--environment", "prod", *(["--no-json"] if agent else ()))
        done = run(NAMESAKES[parser], folder=tmp_path, args=args, agent=agent, env=environ)
        assert (done.code, done.out, done.err) == (0, "smith True prod\n", "")


def test_an_abbreviation_stands_for_the_programs_own_options_only(tmp_path: Path) -> None:
    done = run(NAMESAKES["argparse"], folder=tmp_path, args=("smith", "--env", "prod"), agent=False)
    assert (done.code, done.out, done.err) == (0, "smith False prod\n", "")


INSTALLED_TWICE = {
    "argparse": """
        import argparse
        from agentgate import gate, run
        from agentgate.integrations.argparse import install
        parser = argparse.ArgumentParser()
        def main():
            parser.parse_args()
            return {"name": gate(input)("Name: ")}
        install(parser)
        run(main, parser)
        """,
    "click": """
        import click
        from agentgate import gate, run
        from agentgate.integrations.click import install
        @click.command()
        def main():
            return {"name": gate(input)("Name: ")}
        install(main)
        run(main)
        """,
}


@pytest.mark.parametrize("parser", sorted(INSTALLED_TWICE))
def test_a_second_installation_changes_nothing(parser: str, tmp_path: Path) -> None:
    stopped = run(INSTALLED_TWICE[parser], folder=tmp_path, args=("--json",))
    assert (stopped.code, stopped.error) == (3, "missing_input")
    done = run(folder=tmp_path, argv=stopped.next_argv(name="x"))
    assert (done.code, done.envelope["data"]) == (0, {"name": "x"})
    shown = run(folder=tmp_path, argv=[sys.executable, "app.py", "--help"], agent=False)
    assert (shown.code, shown.out.count("--answer-stdin NAME")) == (0, 1 + (parser == "argparse"))


GROUP_OPTIONS = {
    "click": """
        import click
        from agentgate import gate, run
        @click.group()
        @gate(click.option)("--base", prompt=True)
        def main(base):
            print(base)
        @main.command()
        def go():
            print("went")
        run(main)
        """,
    "typer": """
        import typer
        from agentgate import gate, run
        app = typer.Typer()
        @app.callback()
        def main(base: str = gate(typer.Option)(..., prompt=True)):
            print(base)
        @app.command()
        def go():
            print("went")
        run(app)
        """,
}


@pytest.mark.parametrize("parser", sorted(GROUP_OPTIONS))
def test_the_option_of_a_group_is_answered_behind_its_command_too(parser: str, tmp_path: Path) -> None:
    stopped = run(GROUP_OPTIONS[parser], folder=tmp_path, args=("go",))
    assert (stopped.code, stopped.error) == (3, "missing_input")
    done = run(folder=tmp_path, argv=stopped.next_argv(base="here"))
    assert (done.code, done.envelope["data"]) == (0, {"text": "here\nwent\n"})


@pytest.mark.parametrize("parser", sorted(GROUP_OPTIONS))
def test_the_option_of_a_group_is_explained_behind_its_command_too(parser: str, tmp_path: Path) -> None:
    shown = run(GROUP_OPTIONS[parser], folder=tmp_path, args=("--base", "here", "go", "--explain", "base"))
    assert shown.envelope["data"] == {"name": "base", "value": "here", "source": "flag", "location": "--base"}


BARE_GROUPS = {
    "click": """
        import click
        from agentgate import run
        @click.group()
        def main(): pass
        @main.group()
        def items(): pass
        @items.command(no_args_is_help=True)
        @click.argument("what")
        def put(what): pass
        run(main)
        """,
    "typer": """
        import typer
        from agentgate import run
        app, items = typer.Typer(), typer.Typer(no_args_is_help=True)
        app.add_typer(items, name="items")
        @app.command()
        def other(): pass
        @items.command(no_args_is_help=True)
        def put(what: str): pass
        @items.command()
        def take(what: str): pass
        run(app)
        """,
}


@pytest.mark.parametrize("parser", sorted(BARE_GROUPS))
def test_a_command_that_shows_its_help_says_in_a_sentence_what_is_missing(parser: str, tmp_path: Path) -> None:
    for args, sentence in ((("items",), "Missing command."), (("items", "put"), "Missing arguments.")):
        wrong = run(BARE_GROUPS[parser], folder=tmp_path, args=args)
        assert (wrong.code, wrong.error, wrong.envelope["message"]) == (2, "usage", sentence)


def test_a_console_script_is_called_by_its_own_name_and_not_its_functions(tmp_path: Path) -> None:
    script = tmp_path / "depot"
    script.write_text(f"#!{sys.executable}" + textwrap.dedent(BARE_GROUPS["click"]))
    script.chmod(0o755)
    for env in ({}, {"DEPOT_AGENT": "yes"}):
        shown = run(folder=tmp_path, argv=[str(script)], agent=not env, env=env)
        assert (shown.envelope["data"]["name"], shown.envelope["data"]["usage"].split()[0]) == ("depot", "depot")


def test_a_test_runner_calls_a_click_command_as_it_was(tmp_path: Path) -> None:
    source = """
        import sys
        sys.path.insert(0, "APPS")
        from click.testing import CliRunner
        from click_app import ship
        for args in (["deploy", "prod"], ["status", "--json"]):
            result = CliRunner().invoke(ship, args, input="1.0\\n")
            print(result.exit_code, result.output.splitlines()[0])
        """.replace("APPS", str(ROOT / "fixtures" / "apps"))
    # the option's prompt is the runner's business; the consent in the handler still is a person's
    expected = {True: ("3 Release: 1.0", "0 nothing is deployed"), False: ("0 Release: 1.0", "0 prod: 1.0")}
    for agent, lines in expected.items():
        shown = run(source, folder=tmp_path, agent=agent, name="check.py")
        assert tuple(shown.out.splitlines()) == lines, shown


PASSES_ON = {
    "click": """
        import click
        from agentgate import require_consent, run
        @click.group()
        def main(): ...
        @main.command(name="exec", context_settings={"ignore_unknown_options": True})
        @click.argument("words", nargs=-1, type=click.UNPROCESSED)
        def execute(words):
            require_consent("exec")
            print(*words)
        run(main)
        """,
    "argparse": """
        import argparse
        from agentgate import require_consent, run
        parser = argparse.ArgumentParser()
        parser.add_subparsers(dest="command").add_parser("exec").add_argument("words", nargs=argparse.REMAINDER)
        def main():
            require_consent("exec")
            print(*parser.parse_args().words)
        run(main, parser)
        """,
    "typer": """
        import typer
        from agentgate import require_consent, run
        app = typer.Typer()
        @app.callback()
        def main(): ...
        @app.command("exec", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
        def execute(words: list[str]):
            require_consent("exec")
            print(*words)
        run(app)
        """,
}


@pytest.mark.parametrize("parser", sorted(PASSES_ON))
def test_options_that_a_command_passes_on_are_not_ours(parser: str, tmp_path: Path) -> None:
    words = ("exec", "tool", "--json", "--format", "json", "--confirm", "x", "--answers", "y", "--agent", "z")
    passed = " ".join(words[1:]) + "\n"
    assert run(PASSES_ON[parser], folder=tmp_path, args=words, agent=False).out == passed
    stopped = run(PASSES_ON[parser], folder=tmp_path, args=words)
    assert (stopped.code, stopped.error) == (3, "consent_required")
    argv = stopped.next_argv()
    assert tuple(argv[-len(words) :]) == words, "the launcher carries the consent"
    done = run(folder=tmp_path, argv=argv)
    assert (done.code, done.out) == (0, passed)
