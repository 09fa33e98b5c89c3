"""The surfaces: one small tool, written with three parsers, describes itself in the same words."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from programs import ROOT, run

APPS = {path.stem.removesuffix("_app"): path for path in sorted((ROOT / "fixtures" / "apps").glob("*_app.py"))}


@pytest.fixture(params=sorted(APPS))
def app(request: pytest.FixtureRequest) -> str:
    return str(APPS[request.param])


def start(app: str, *args: str, folder: Path, **how: Any) -> Any:
    return run(folder=folder, argv=[sys.executable, app, *args], **how)


def printed(app: str, *args: str, folder: Path, **how: Any) -> Any:
    done = start(app, *args, folder=folder, **how)
    assert done.code == 0, done
    return json.loads(done.out)


def test_three_parsers_give_one_schema(tmp_path: Path) -> None:
    first, *others = (printed(str(path), "--schema", folder=tmp_path) for path in APPS.values())
    for document in (first, *others):
        document["commands"].sort(key=lambda command: command["name"])  # click lists them by name
    assert all(other == first for other in others)


def test_the_schema_is_what_a_validator_reads(app: str, tmp_path: Path) -> None:
    for agent in (True, False):
        document = printed(app, "schema", folder=tmp_path, agent=agent)
        assert set(document["exit_codes"]) == {"0", "1", "2", "3", "130"}
        commands = {command["name"]: command for command in document["commands"]}
        assert {name: command.get("effects") for name, command in commands.items()} == {
            "deploy": "idempotent",
            "status": "read_only",
            "rollback": "non_idempotent",
            "drill": "withheld",
            "logs": "read_only",
            "login": None,
        }
        for command in commands.values():
            jsonschema.Draft202012Validator.check_schema(command["inputSchema"])
        takes = jsonschema.Draft202012Validator(commands["deploy"]["inputSchema"])
        assert takes.is_valid({"target": "prod", "size": 3})
        for wrong in ({}, {"target": "mars"}, {"target": "prod", "size": "3"}, {"target": "prod", "other": 1}):
            assert not takes.is_valid(wrong), wrong


def test_the_schema_tells_which_questions_come(app: str, tmp_path: Path) -> None:
    asked = printed(app, "schema", "deploy", "--field", "prompts", folder=tmp_path)
    assert [(one["name"], one["label"], one["kind"], one.get("flag")) for one in asked] == [
        ("release", "Release", "text", "--release"),
        ("cloud:write", "Deploy {…} to {…}?", "confirm", None),
    ]


def test_a_field_of_the_schema_is_golden(app: str, tmp_path: Path) -> None:
    expected = (
        '{"type": "object", "properties": {"target": {"type": "string", "enum": ["staging", "prod"]}, '
        '"release": {"type": "string", "flag": "--release", "description": "what to deploy"}, '
        '"size": {"type": "integer", "flag": "--size", "description": "how many machines", "default": 1}}, '
        '"required": ["target"], "additionalProperties": false}\n'
    )
    for args in (("--schema", "deploy", "--field", "inputSchema"), ("schema", "deploy", "--field=inputSchema")):
        assert start(app, *args, folder=tmp_path).out == expected


def test_a_command_or_field_that_there_is_not_is_a_usage_error(app: str, tmp_path: Path) -> None:
    wrong = start(app, "schema", "undeploy", folder=tmp_path)
    assert (wrong.code, wrong.error) == (2, "usage")
    assert "its commands are: " in wrong.envelope["message"]
    wrong = start(app, "schema", "deploy", "--field", "inputs", folder=tmp_path)
    assert "has no 'inputs'; it has: name, summary" in wrong.envelope["message"]
    for number in ("99", "\u00b2", "9" * 5000):
        wrong = start(app, "schema", "--field", f"commands.{number}", folder=tmp_path)
        assert f"commands has no '{number}'" in wrong.envelope["message"]


def test_commands(app: str, tmp_path: Path) -> None:
    document = printed(app, "commands", "--json", folder=tmp_path, agent=False)
    assert list(document) == ["v", "commands"]
    commands = {command["name"]: command for command in document["commands"]}
    assert list(commands["deploy"]) == ["name", "summary", "group", "usage", "args", "flags", "read"]
    assert commands["deploy"]["args"] == [{"name": "target", "required": True, "choices": ["staging", "prod"]}]
    assert commands["deploy"]["flags"] == [{"name": "release", "value": True}, {"name": "size", "value": True}]
    assert {name: command["read"] for name, command in commands.items()} == {
        "deploy": False,
        "status": True,
        "rollback": False,
        "drill": False,
        "logs": True,
        "login": False,
    }
    assert printed(app, "commands", "status", folder=tmp_path)["commands"] == [commands["status"]]
    assert start(app, "commands", "nothing", folder=tmp_path).error == "usage"
    text = start(app, "commands", folder=tmp_path, agent=False).out
    assert "deploy    Put a release on a target." in text


def test_no_arguments_give_an_agent_the_commands_and_a_person_the_help(app: str, tmp_path: Path) -> None:
    shown = start(app, folder=tmp_path)
    assert shown.code == 0
    commands = {one["name"]: one for one in shown.envelope["data"]["commands"]}
    assert commands["status"]["description"] == "Say what is deployed where."
    assert commands["status"]["usage"].startswith("ship status")
    assert shown.envelope["next"][0]["params"]["command"]["enum"] == list(commands)
    person = start(app, folder=tmp_path, agent=False)
    assert "usage:" in (person.out + person.err).lower()
    assert "agentgate/v1" not in person.out


def test_the_manual_is_data_and_text(app: str, tmp_path: Path) -> None:
    for agent in (True, False):
        manual = start(app, "deploy", "--help", "--json", folder=tmp_path, agent=agent).envelope["data"]
        assert (manual["name"], manual["summary"]) == ("deploy", "Put a release on a target.")
        assert manual["arguments"][0]["choices"] == ["staging", "prod"]
        flags = [flag for option in manual["options"] for flag in option["flags"]]
        assert {"--release", "--size", "--help", "--json", "--confirm"} <= set(flags)
        assert "what to deploy" in manual["text"]


def test_help_and_version_stay_text_for_an_agent(app: str, tmp_path: Path) -> None:
    for args in (("--help",), ("deploy", "--help")):
        shown = start(app, *args, folder=tmp_path)
        assert shown.code == 0
        assert not shown.out.startswith("{")
        assert "usage:" in shown.out.lower()


def test_an_agent_gets_a_document_and_may_have_text(app: str, tmp_path: Path) -> None:
    assert start(app, "status", folder=tmp_path).envelope["data"] == {"deployed": {}}
    for words in (["--no-json"], ["--format", "text"], ["--format=text"]):
        assert start(app, "status", *words, folder=tmp_path).out == "nothing is deployed\n"
    for words in (["--json"], ["--format", "json"]):
        assert start(app, "status", *words, folder=tmp_path, agent=False).envelope["data"] == {"deployed": {}}
    assert start(app, "status", folder=tmp_path, agent=False).out == "nothing is deployed\n"


def test_only_what_stands_before_the_dashes_is_ours(app: str, tmp_path: Path) -> None:
    wrong = start(app, "status", "--", "--json", folder=tmp_path, agent=False)
    assert (wrong.code, wrong.out) == (2, "")


def test_fields(app: str, tmp_path: Path) -> None:
    (tmp_path / "deployed.json").write_text('{"prod": "1"}')
    assert start(app, "status", "--json=deployed", folder=tmp_path).envelope["data"] == {"deployed": {"prod": "1"}}
    unknown = start(app, "status", "--json=other", folder=tmp_path)
    assert (unknown.code, unknown.envelope["data"]) == (0, {})
    assert unknown.envelope["message"] == "There is no field other."


def test_explain(app: str, tmp_path: Path) -> None:
    said = start(app, "deploy", "prod", "--release", "2", "--explain", "--release", folder=tmp_path)
    assert said.envelope["data"] == {"name": "release", "value": "2", "source": "flag", "location": "--release"}
    said = start(app, "deploy", "prod", "--explain=size", folder=tmp_path, agent=False)
    assert said.out == "size = 1 (default --size)\n"
    assert start(app, "deploy", "prod", "--explain", "colour", folder=tmp_path).error == "usage"
    assert not (tmp_path / "deployed.json").exists()


def test_the_envelope_tells_where_values_come_from_and_whether_anything_changed(app: str, tmp_path: Path) -> None:
    line = ("deploy", "prod", "--release", "2")
    for changed in (True, False):
        done = run(folder=tmp_path, argv=start(app, *line, folder=tmp_path).next_argv())
        assert done.code == 0
        assert done.envelope["meta"]["changed"] is changed
        assert done.envelope["meta"]["provenance"]["release"] == {"source": "flag", "location": "--release"}
        assert done.envelope["meta"]["provenance"]["size"] == {"source": "default", "location": "--size"}


def test_next_after_every_outcome(app: str, tmp_path: Path) -> None:
    failed = start(app, "rollback", "prod", folder=tmp_path)
    assert (failed.code, failed.error) == (1, "not_deployed")
    assert failed.envelope["error"]["fix"] == "ship status says what is."
    manual = run(folder=tmp_path, argv=failed.next_argv())
    assert manual.envelope["data"]["name"] == "rollback"
    (tmp_path / "deployed.json").write_text('{"prod": "1"}')
    done = run(folder=tmp_path, argv=start(app, "rollback", "prod", folder=tmp_path).next_argv())
    assert done.envelope["next"][0]["argv"] == ["ship", "deploy", "prod"]
    deployed = run(folder=tmp_path, argv=start(app, "deploy", "prod", "--release=2", folder=tmp_path).next_argv())
    looked = run(folder=tmp_path, argv=deployed.next_argv())
    assert looked.envelope["data"] == {"deployed": {"prod": "2"}}


def test_a_failure_is_a_sentence_for_a_person(app: str, tmp_path: Path) -> None:
    failed = start(app, "rollback", "prod", folder=tmp_path, agent=False)
    assert (failed.code, failed.out) == (1, "")
    assert failed.err == "Error: Nothing is deployed to prod.\nship status says what is.\n"


def test_a_usage_error_says_what_repairs_it(app: str, tmp_path: Path) -> None:
    for line, fix in (
        (["deply"], "Use deploy instead of deply."),
        (["deploy", "prod", "--relase", "1"], "Use --release instead of --relase."),
        (["deploy", "mars"], "target is one of: staging, prod."),
    ):
        wrong = start(app, *line, folder=tmp_path)
        assert (wrong.code, wrong.envelope["error"]["fix"]) == (2, fix)
        assert wrong.envelope["next"][0]["argv"][-2:] == ["--help", "--json"]


def test_a_person_at_a_terminal_who_asks_for_a_document_is_not_prompted(app: str, tmp_path: Path) -> None:
    stopped = start(app, "deploy", "prod", "--json", folder=tmp_path, agent=False, stdin="terminal")
    assert (stopped.code, stopped.error) == (3, "missing_input")


def test_what_a_child_process_prints_is_in_the_document_too(tmp_path: Path) -> None:
    source = """
        import subprocess, sys
        import click
        from agentgate import gate, run
        @click.command()
        @click.option("--ask", is_flag=True)
        def main(ask):
            print("from the program")
            subprocess.run([sys.executable, "-c", "print('from the child')"], stdout=sys.stdout)
            gate(input)("Name: ") if ask else None
        run(main)
        """
    done = run(source, folder=tmp_path)
    assert sorted(done.envelope["data"]["text"].splitlines()) == ["from the child", "from the program"]
    assert done.err == ""
    stopped = run(source, folder=tmp_path, args=("--ask",))
    assert (stopped.code, stopped.error, stopped.before_envelope) == (3, "missing_input", "")
    assert sorted(stopped.err.splitlines()) == ["from the child", "from the program"]


def test_a_program_that_closes_its_stdout_has_a_document_all_the_same(tmp_path: Path) -> None:
    source = """
        import sys
        import click
        from agentgate import run
        @click.command()
        def main():
            sys.stdout.close()
            return {"done": True}
        run(main)
        """
    assert run(source, folder=tmp_path).envelope["data"] == {"done": True}


def test_bytes_and_json_that_a_program_prints_are_data(tmp_path: Path) -> None:
    source = """
        import sys
        import click
        from agentgate import run
        @click.command()
        @click.argument("what")
        def main(what):
            sys.stdout.buffer.write(bytes.fromhex(what))
        run(main)
        """
    for what, data in (
        ("ff00", {"base64": "/wA="}),
        ("7b7d", {}),
        ("68c3a9", {"text": "hé"}),
        ("5b315d", [1]),
        ("5b" * 20_000, {"text": "[" * 20_000}),
    ):
        assert run(source, folder=tmp_path, args=(what,)).envelope["data"] == data


GROUPED = """
    import click
    from agentgate import run
    @click.group()
    @click.option("--region", default="eu")
    def main(region): pass
    @main.command()
    @click.argument("name")
    @click.option("--colour", type=click.Choice(["red", "blue"]))
    @click.option("--size", type=int)
    def add(name, colour, size): pass
    run(main)
    """


@pytest.mark.parametrize(
    ("args", "fix"),
    [
        (["--region", "us", "add", "b", "--colour", "green"], "--colour is one of: red, blue."),
        (["--region", "us", "add", "b", "--size", "big"], "It is called as: main add [OPTIONS] NAME"),
        (["--region", "ad", "addd"], "Use add instead of addd."),
        (["nothing", "add", "--region", "us"], "Use one of: add."),
        (["add", "b", "--region", "us"], "Put --region before add."),
        (["--regoin", "us", "add", "b"], "Use --region instead of --regoin."),
        (["add", "b", "--jsonn"], "Leave out --jsonn."),
    ],
)
def test_what_repairs_it_is_looked_for_where_the_word_stands(args: list[str], fix: str, tmp_path: Path) -> None:
    wrong = run(GROUPED, folder=tmp_path, args=tuple(args))
    assert (wrong.code, wrong.envelope["error"]["fix"]) == (2, fix)


UNSAYABLE = """
    import sys
    import click
    from agentgate import run
    @click.command()
    @click.argument("what")
    def main(what):
        if what == "printed":
            print('{"n": NaN}')
        if what == "object":
            sys.exit({"no": "shelf"})
        if what == "true":
            sys.exit(True)
        loop = {"n": float("nan"), "far": [float("-inf")], (1, 2): {3: 4}}
        loop["loop"] = [loop]
        return {"data": loop}.get(what)
    run(main)
    """


def test_data_that_json_cannot_say_is_said_all_the_same(tmp_path: Path) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    expected = {"printed": {"n": None}, "data": {"n": None, "far": [None], "(1, 2)": {"3": 4}, "loop": ["..."]}}
    for what, data in expected.items():
        for form in ("--json", "--view"):
            done = run(UNSAYABLE, folder=tmp_path, args=(what, form))
            assert done.code == 0
            assert json.loads(done.out.splitlines()[0], parse_constant=refuse)["data"] == data


def test_an_exit_code_that_is_no_number_is_read_as_python_reads_it(tmp_path: Path) -> None:
    for what, message in (("object", "{'no': 'shelf'}"), ("true", "The command ended with exit code 1.")):
        failed = run(UNSAYABLE, folder=tmp_path, args=(what,))
        assert (failed.code, failed.envelope["meta"]["exit_code"]) == (1, 1)
        assert failed.envelope["message"] == message


def test_a_crash_is_a_document_with_what_was_printed(tmp_path: Path) -> None:
    source = """
        import click
        from agentgate import run
        @click.command()
        def main():
            print("half")
            raise RuntimeError("broken")
        run(main)
        """
    for agent in (True, False):
        failed = run(source, folder=tmp_path, args=("--json",), agent=agent)
        assert (failed.code, failed.error, failed.envelope["data"]) == (1, "failed", {"text": "half\n"})
        assert failed.err.endswith("RuntimeError: broken\n")


LEFT_OUT = """
    import click
    from agentgate import run
    @click.group()
    def main(): ...
    @main.command()
    def schema():
        print("own")
    run(main, without=["json", "commands", "overview"])
    """


def test_a_surface_can_be_left_out_and_a_programs_own_word_is_its_own(tmp_path: Path) -> None:
    assert run(LEFT_OUT, folder=tmp_path, args=("schema",)).out == "own\n"
    for args in (("commands",), (), ("--json", "schema")):
        assert run(LEFT_OUT, folder=tmp_path, args=args).code == 2
    wrong = run(LEFT_OUT.replace('"json"', '"jsn"'), folder=tmp_path, agent=False)
    assert "there is no surface 'jsn': they are json, " in wrong.err


def test_agentgate_describes_itself(tmp_path: Path) -> None:
    own = [sys.executable, "-m", "agentgate"]
    document = json.loads(run(folder=tmp_path, argv=[*own, "--schema"]).out)
    effects = {command["name"]: command.get("effects") for command in document["commands"]}
    assert effects["rule"] == effects["policy show"] == "read_only"
    assert effects["fix"] == "idempotent"
    for command in document["commands"]:
        jsonschema.Draft202012Validator.check_schema(command["inputSchema"])
    listed = json.loads(run(folder=tmp_path, argv=[*own, "commands", "--json"], agent=False).out)
    verbs = {one["name"]: [verb["verb"] for verb in one.get("verbs", ())] for one in listed["commands"]}
    assert verbs["policy"] == ["show", "check", "set", "path"]
    assert run(folder=tmp_path, argv=own).envelope["data"]["version"]
    wrong = run(folder=tmp_path, argv=[*own, "lnt"])
    assert (wrong.code, wrong.envelope["error"]["fix"]) == (2, "Use lint instead of lnt.")


LARGE = """
    import click
    from typing import TypedDict
    from agentgate import effects, run
    class Row(TypedDict):
        name: str
        size: int
    @click.group(context_settings={"auto_envvar_prefix": "LARGE", "default_map": {"listing": {"depth": 3}}})
    def main(): ...
    @main.command()
    @click.option("--depth", type=click.IntRange(1, 9), default=1, help="how far down")
    @click.option("--token", hide_input=True, prompt=True)
    @click.option("--sort/--no-sort", default=True)
    @click.argument("paths", nargs=-1, type=click.Path())
    @effects("read_only")
    def listing(depth, token, sort, paths) -> list[Row]:
        '''List all rows.

        Examples:

        \\b
            large listing --depth 2 .
        '''
        return [{"name": path, "size": depth} for path in paths]
    for number in range(int(__import__("os").environ.get("MANY", "0"))):
        main.add_command(click.Command(f"command-{number}", help="It does " + "many things " * 20,
            params=[click.Option([f"--option-{one}"], help="one of many") for one in range(10)]))
    run(main)
    """


def test_a_schema_over_the_budget_is_a_summary_that_says_how_to_get_the_rest(tmp_path: Path) -> None:
    document = json.loads(run(LARGE, folder=tmp_path, args=("--schema",), env={"MANY": "100"}).out)
    assert (document["truncated"], document["total"]) == (True, 101)
    assert len(json.dumps(document)) < 48_000
    assert "--schema COMMAND" in document["hint"]
    assert list(document["commands"][0]) == ["name", "summary"]
    one = json.loads(run(LARGE, folder=tmp_path, args=("schema", "command-7"), env={"MANY": "100"}).out)
    assert len(one["inputSchema"]["properties"]) == 10


def test_what_a_parameter_is_stands_in_the_schema(tmp_path: Path) -> None:
    found = json.loads(run(LARGE, folder=tmp_path, args=("schema", "listing")).out)
    assert found["examples"] == ["large listing --depth 2 ."]
    properties = found["inputSchema"]["properties"]
    assert properties["paths"] == {"type": "array", "format": "path", "items": {"type": "string"}}
    assert properties["depth"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 9,
        "flag": "--depth",
        "description": "how far down",
        "environment": ["LARGE_LISTING_DEPTH"],
        "default": 3,
    }
    assert properties["token"]["writeOnly"] is True
    assert properties["sort"]["off"] == "--no-sort"
    assert [one["kind"] for one in found["prompts"]] == ["secret"]


def test_where_a_value_comes_from(tmp_path: Path) -> None:
    def explained(option: str, **variables: str) -> dict[str, Any]:
        args = ("listing", "--token=geheim", "--explain", option)
        data: dict[str, Any] = run(LARGE, folder=tmp_path, args=args, env=variables).envelope["data"]
        return {key: data[key] for key in ("value", "source", "location")}

    assert explained("depth") == {"value": 3, "source": "config", "location": "default_map"}
    assert explained("depth", LARGE_LISTING_DEPTH="4") == {
        "value": 4,
        "source": "environment",
        "location": "LARGE_LISTING_DEPTH",
    }
    assert explained("--no-sort") == {"value": True, "source": "default", "location": "--sort"}
    assert explained("token") == {"value": "***", "source": "flag", "location": "--token"}


def test_fields_of_rows_and_which_there_are(tmp_path: Path) -> None:
    args = ("listing", "--token=x", "a", "b")
    assert run(LARGE, folder=tmp_path, args=(*args, "--json=name")).envelope["data"] == [{"name": "a"}, {"name": "b"}]
    listed = run(LARGE, folder=tmp_path, args=("listing", "--json="), agent=False)
    assert listed.envelope["data"] == {"fields": ["name", "size"]}


SECRETS = {
    "click": """
        import click
        from agentgate import require_consent, run
        @click.command()
        @click.option("-t", "--token", hide_input=True, prompt=True)
        def main(token):
            require_consent("publish", f"Publish as {token}?")
            return {"length": len(token), "token": token}
        run(main)
        """,
    "argparse": """
        import argparse
        from agentgate import require_consent, run
        parser = argparse.ArgumentParser()
        parser.add_argument("-t", "--token", required=True).secret = True
        def main():
            token = parser.parse_args().token
            require_consent("publish", f"Publish as {token}?")
            return {"length": len(token), "token": token}
        run(main, parser)
        """,
    "typer": """
        import typer
        from agentgate import require_consent, run
        app = typer.Typer()
        @app.command()
        def main(token: str = typer.Option(..., "-t", "--token", hide_input=True, prompt=True)):
            require_consent("publish", f"Publish as {token}?")
            return {"length": len(token), "token": token}
        run(app)
        """,
}


@pytest.mark.parametrize("parser", sorted(SECRETS))
def test_a_secret_option_is_shown_by_its_stdin_form_and_repeated_nowhere(parser: str, tmp_path: Path) -> None:
    tokens = set()
    for words in (["--token", "geheim"], ["--token=geheim"], ["-t", "geheim"], ["-tgeheim"], ["--token=anders"]):
        stopped = run(SECRETS[parser], folder=tmp_path, args=tuple(words))
        assert (stopped.code, stopped.error) == (3, "consent_required"), stopped
        assert "geheim" not in stopped.out + stopped.err
        assert stopped.envelope["message"] == "Publish as ***?"
        assert stopped.next_argv()[2:] == ["--token-stdin", "--confirm", stopped.envelope["consent"]["token"]]
        tokens.add(stopped.envelope["consent"]["token"])
    assert len(tokens) == 1
    done = run(folder=tmp_path, argv=stopped.next_argv(), stdin=b"geheim\n")
    assert done.envelope["data"] == {"length": 6, "token": "***"}
    for stdin in ("null", "idle"):
        assert run(folder=tmp_path, argv=stopped.next_argv(), stdin=stdin).error == "usage"
    schema = json.loads(run(folder=tmp_path, argv=[sys.executable, "app.py", "--schema"]).out)
    assert schema["commands"][0]["inputSchema"]["properties"]["token"]["stdin"] == "--token-stdin"


@pytest.mark.parametrize("flag", ["--token", "-t"])
@pytest.mark.parametrize("parser", ["argparse", "click"])
def test_a_secret_option_without_its_value_is_a_usage_error(parser: str, flag: str, tmp_path: Path) -> None:
    ran = run(SECRETS[parser].replace(", prompt=True", ""), folder=tmp_path, args=(flag,))
    assert (ran.code, ran.error) == (2, "usage"), ran
    assert "argument" in ran.envelope["message"]


def test_a_program_that_prints_its_help_without_a_command_gives_an_agent_the_commands(tmp_path: Path) -> None:
    source = """
        import argparse, sys
        from agentgate import run
        parser = argparse.ArgumentParser(prog="tool")
        parser.add_subparsers(dest="command").add_parser("go", help="Go there.")
        def main():
            if parser.parse_args().command is None:
                parser.print_help()
                return 1
        sys.exit(run(main, parser))
        """
    shown = run(source, folder=tmp_path)
    assert (shown.code, shown.envelope["data"]["commands"][0]["name"]) == (0, "go")
    assert run(source, folder=tmp_path, agent=False).code == 1
    left_out = source.replace("run(main, parser)", "run(main, parser, without=['overview'])")
    assert run(left_out, folder=tmp_path).envelope["data"]["text"].startswith("usage: tool")


def test_an_aborted_run_says_so(tmp_path: Path) -> None:
    source = """
        import click
        from agentgate import run
        @click.command()
        def main():
            raise click.Abort()
        run(main)
        """
    assert run(source, folder=tmp_path).error == "aborted"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
@pytest.mark.parametrize("asked", [["status"], ["--schema"], ["commands"], ["--help", "--json"]])
def test_a_document_that_cannot_be_written_is_no_success(app: str, tmp_path: Path, asked: list[str]) -> None:
    ran = start(app, *asked, folder=tmp_path, redirect=">/dev/full")
    assert ran.code == 1
    assert ran.err == "agentgate: the output cannot be written: No space left on device\n"
