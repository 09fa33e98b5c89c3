"""`--mcp`: programs as MCP servers, driven by the official client from the first list to the last effect."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import anyio
import jsonschema
import pytest
from mcp.shared.exceptions import MCPError
from mcp_client import ERAS, Person, drive, text_of
from programs import ROOT, VALIDATOR, environment, run

from agentgate.surfaces.mcp.form import form_of

APPS = {path.stem.removesuffix("_app"): path for path in (ROOT / "fixtures" / "apps").glob("*_app.py")}
YES, NO = {"agree": True}, {"agree": False}


@pytest.fixture(params=sorted(APPS))
def app(request: pytest.FixtureRequest) -> list[str]:
    return [sys.executable, str(APPS[request.param])]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "here").mkdir()
    return tmp_path / "here"


def program(folder: Path, source: str) -> list[str]:
    path = folder.parent / "app.py"
    path.write_text(textwrap.dedent(source), "utf-8")
    return [sys.executable, str(path)]


def call(argv: list[str], tool: str, arguments: dict[str, Any], **how: Any) -> tuple[bool, dict[str, Any]]:
    """Whether the result of one call is an error, and the document that is its text."""
    result = drive(argv, lambda client: client.call_tool(tool, arguments), **how)
    document = json.loads(text_of(result))
    VALIDATOR.validate(document)
    return result.is_error, document


def hints(tool: Any) -> dict[str, bool] | None:
    return tool.annotations and tool.annotations.model_dump(exclude_none=True)


# ---- the three parsers


def test_the_tools_are_the_commands(app: list[str], folder: Path) -> None:
    tools = drive(app, lambda client: client.list_tools(), folder=folder).tools
    told = {one.name: (one.description, hints(one)) for one in tools}
    assert "drill" not in told
    assert {name: told[name] for name in ("deploy", "status", "rollback")} == {
        "deploy": ("Put a release on a target.", {"read_only_hint": False, "idempotent_hint": True}),
        "status": ("Say what is deployed where.", {"read_only_hint": True}),
        "rollback": ("Take a release away.", {"read_only_hint": False, "destructive_hint": True}),
    }
    for tool in tools:
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        described = run(argv=[*app, "schema", tool.name, "--field", "inputSchema"], folder=folder)
        assert tool.input_schema == json.loads(described.out)


def test_a_result_is_the_json_document_byte_for_byte(app: list[str], folder: Path) -> None:
    calls: list[tuple[str, dict[str, Any], list[str]]] = [
        ("status", {}, ["status", "--json"]),
        ("rollback", {"target": "staging"}, ["rollback", "--json", "--", "staging"]),
        ("deploy", {"target": "prod"}, ["deploy", "--json", "--", "prod"]),
        (
            "deploy",
            {"target": "prod", "release": "1", "size": 3},
            ["deploy", "--release=1", "--size=3", "--json", "--", "prod"],
        ),
    ]

    async def talk(client: Any) -> list[Any]:
        return [await client.call_tool(tool, arguments) for tool, arguments, _ in calls]

    for result, (tool, _, words) in zip(drive(app, talk, folder=folder), calls, strict=True):
        alone = run(argv=[*app, *words], folder=folder, agent=False, env={"AGENTGATE_AGENT": "yes"})
        assert text_of(result) + "\n" == alone.out
        assert result.is_error is (alone.code != 0) is (tool != "status")


@pytest.mark.parametrize("era", ERAS)
def test_what_is_missing_and_the_consent_are_asked_of_the_person(app: list[str], folder: Path, era: str) -> None:
    person = Person({"release": "--confirm"}, YES)
    is_error, document = call(app, "deploy", {"target": "prod"}, folder=folder, person=person, era=era)
    assert not is_error
    assert document["data"] == {"target": "prod", "release": "--confirm", "size": 1}
    assert json.loads((folder / "deployed.json").read_text()) == {"prod": "--confirm"}
    missing, consent = person.forms
    assert missing.message.startswith('"Release" needs an answer.\nCommand: ')
    assert missing.requested_schema == {
        "type": "object",
        "properties": {"release": {"type": "string", "title": "Release"}},
        "required": ["release"],
    }
    asked, reason, command = consent.message.split("\n")
    assert asked == "Deploy --confirm to prod?"
    assert reason == "Reason: cloud:write"
    assert command.startswith("Command: ")
    assert command.endswith("deploy --json --release=--confirm -- prod")
    assert consent.requested_schema["properties"]["agree"]["type"] == "boolean"
    assert consent.requested_schema["required"] == ["agree"]


@pytest.mark.parametrize("era", ERAS)
def test_a_no_is_the_stop_as_it_is(folder: Path, era: str) -> None:
    app, replies = [sys.executable, str(APPS["argparse"])], [NO, "decline", "cancel", {}, {"agree": "true"}]
    person = Person(*replies)

    async def talk(client: Any) -> list[Any]:
        return [await client.call_tool("deploy", {"target": "prod", "release": "1"}) for _ in replies]

    for result in drive(app, talk, folder=folder, person=person, era=era):
        assert result.is_error
        assert json.loads(text_of(result))["error"]["code"] == "consent_required"
    assert len(person.forms) == len(replies)
    assert not (folder / "deployed.json").exists()


@pytest.mark.parametrize("era", ERAS)
def test_a_client_without_forms_gets_the_stop_as_it_is(folder: Path, era: str) -> None:
    app = [sys.executable, str(APPS["argparse"])]
    is_error, document = call(app, "deploy", {"target": "prod"}, folder=folder, era=era)
    assert is_error
    assert document["error"]["code"] == "missing_input"


def test_no_argument_can_be_anything_but_a_value(app: list[str], folder: Path) -> None:
    releases = ["--confirm", "-x", "=x", '$(touch broken)\n`it\'s` "é"', "9" * 90_000]
    person = Person(*[YES] * len(releases))

    async def talk(client: Any) -> list[Any]:
        return [await client.call_tool("deploy", {"target": "prod", "release": one}) for one in releases]

    for release, result in zip(releases, drive(app, talk, folder=folder, person=person), strict=True):
        assert json.loads(text_of(result)).get("data", {}).get("release") == release, text_of(result)[:2000]
    assert os.listdir(folder) == ["deployed.json"]


def test_what_the_schema_does_not_allow_never_runs(app: list[str], folder: Path) -> None:
    refused: list[tuple[dict[str, Any], str]] = [
        ({"target": "x" * 300_000}, "x …"),
        ({"target": "--confirm"}, "target: '--confirm' is not one of ['staging', 'prod']"),
        ({"target": "prod", "size": "big"}, "size: 'big' is not of type 'integer'"),
        ({"target": "prod", "confirm": "0" * 12}, "('confirm' was unexpected)"),
        ({"target": "prod", "--json": True}, "('--json' was unexpected)"),
        ({}, "'target' is a required property"),
        ({"target": "prod", "release": "--"}, "release: some parsers drop a value that is '--'"),
        ({"target": "prod", "release": "a\0b"}, "NUL"),
        ({"target": "prod", "release": "9" * 3_000_000}, "Argument list too long"),
    ]

    async def talk(client: Any) -> list[Any]:
        return [await client.call_tool("deploy", arguments) for arguments, _ in refused]

    person = Person(*[YES] * len(refused))
    for (_, why), result in zip(refused, drive(app, talk, folder=folder, person=person), strict=True):
        document = json.loads(text_of(result))
        VALIDATOR.validate(document)
        assert result.is_error
        assert (document["error"]["code"], document["meta"]["exit_code"]) == ("usage", 2)
        assert why in document["message"]
        assert len(document["message"]) < 700
    assert person.forms == []
    assert not (folder / "deployed.json").exists()


# ---- programs that show one thing

EFFECTS = """
    import argparse, os, subprocess
    from agentgate import effects
    from agentgate.integrations.argparse import run
    top = argparse.ArgumentParser(prog="tool", description="All kinds.")
    commands = top.add_subparsers(required=True, dest="command")
    for name in ("look", "set", "send", "wipe", "plain", "login"):
        commands.add_parser(name)
    for kind, name in (("read_only", "look"), ("idempotent", "set"), ("non_idempotent", "send"), ("withheld", "wipe")):
        effects(kind)(commands.choices[name])
    effects(person=True)(commands.choices["login"])
    commands.add_parser("secret-way", help=argparse.SUPPRESS)
    nested = commands.add_parser("a").add_subparsers(required=True)
    nested.add_parser("b")
    commands.add_parser("a_b")
    def main():
        print("noise")
        os.write(1, b"more noise\\n")
        subprocess.run(["echo", "noise of a child"])
        return {"ran": top.parse_args().command, "agent": os.environ["AGENTGATE_AGENT"]}
    run(main, top)
    """


def test_the_hints_are_the_declared_effects(folder: Path) -> None:
    tools = drive(program(folder, EFFECTS), lambda client: client.list_tools(), folder=folder).tools
    assert {one.name: hints(one) for one in tools} == {
        "look": {"read_only_hint": True},
        "set": {"read_only_hint": False, "idempotent_hint": True},
        "send": {"read_only_hint": False, "destructive_hint": True},
        "plain": None,
        "login": None,
        "a_b": None,
        "a_b_2": None,
    }
    assert [one.name for one in tools if "A person must finish it." in (one.description or "")] == ["login"]


def test_withheld_and_hidden_commands_cannot_be_called(folder: Path) -> None:
    async def talk(client: Any) -> None:
        for name in ("wipe", "secret-way", "nothing", "", "--help"):
            with pytest.raises(MCPError, match="has no tool"):
                await client.call_tool(name, {})

    drive(program(folder, EFFECTS), talk, folder=folder)


def test_a_withheld_command_of_each_parser_is_no_tool(app: list[str], folder: Path) -> None:
    async def talk(client: Any) -> None:
        with pytest.raises(MCPError, match="ship has no tool 'drill'"):
            await client.call_tool("drill", {})

    drive(app, talk, folder=folder)


def test_a_program_cannot_write_into_the_protocol_nor_doubt_who_runs_it(folder: Path) -> None:
    env = {"TOOL_AGENT": "no", "AGENTGATE_AGENT": "no"}
    assert call(program(folder, EFFECTS), "plain", {}, folder=folder, env=env)[1]["data"] == {
        "ran": "plain",
        "agent": "yes",
    }
    assert call(program(folder, EFFECTS), "a_b", {}, folder=folder)[1]["command"].endswith("a b --json")
    assert call(program(folder, EFFECTS), "a_b_2", {}, folder=folder)[1]["command"].endswith("a_b --json")


def message(**parts: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **parts}).encode() + b"\n"


OPENING = message(
    id=1,
    method="initialize",
    params={"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
) + message(method="notifications/initialized")


def test_stdout_is_the_protocol_and_nothing_else(folder: Path) -> None:
    server = subprocess.Popen(
        [*program(folder, EFFECTS), "--mcp"],
        cwd=folder,
        env=environment(agent=False),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert server.stdin and server.stdout
    server.stdin.write(OPENING + message(id=2, method="tools/call", params={"name": "plain", "arguments": {}}))
    server.stdin.flush()
    replies = [json.loads(server.stdout.readline()) for _ in range(2)]
    rest, _ = server.communicate(timeout=20)
    assert [one["id"] for one in replies] == [1, 2]
    assert json.loads(replies[1]["result"]["content"][0]["text"])["data"]["ran"] == "plain"
    assert (rest, server.returncode) == (b"", 0)


PARSERS = {
    "argparse": """
        import argparse
        from agentgate.integrations.argparse import run
        top = argparse.ArgumentParser(prog="tool")
        top.add_argument("--level", type=int)
        sub = top.add_subparsers(required=True, dest="command").add_parser("do")
        sub.add_argument("first")
        sub.add_argument("second", nargs="?")
        sub.add_argument("rest", nargs="*")
        sub.add_argument("-x")
        sub.add_argument("--tag", action="append")
        sub.add_argument("--pair", nargs=2, type=int)
        sub.add_argument("-v", "--verbose", action="count")
        sub.add_argument("--color", action=argparse.BooleanOptionalAction)
        sub.add_argument("--rate", type=float)
        sub.add_argument("--quiet", action="store_true", default=None)
        sub.add_argument("--loud", action="store_false", dest="quiet", default=None)
        sub.add_argument("--no-wait", action="store_false", dest="wait", default=None)
        sub.add_argument("--fast", action="store_const", const="fast", dest="pace")
        sub.add_argument("--slow", action="store_const", const="slow", dest="pace")
        run(lambda: {name: value for name, value in vars(top.parse_args()).items() if value not in (None, [])}, top)
        """,
    "click": """
        import click
        from agentgate.integrations.click import run
        @click.group()
        @click.option("--level", type=int)
        @click.pass_context
        def tool(context, level):
            context.obj = level
        @tool.command("do")
        @click.argument("first")
        @click.argument("second", required=False)
        @click.argument("rest", nargs=-1)
        @click.option("-x")
        @click.option("--tag", multiple=True)
        @click.option("--pair", nargs=2, type=int)
        @click.option("-v", "--verbose", count=True)
        @click.option("--color/--no-color", default=None)
        @click.option("--rate", type=float)
        @click.pass_context
        def do(context, **given):
            given["level"] = context.obj
            given["verbose"] = given["verbose"] or None
            return {name: value for name, value in given.items() if value not in (None, ())}
        run(tool)
        """,
}
ARGUMENTS: list[dict[str, Any]] = [
    {"first": "--json"},
    {"first": "a", "second": "-b", "rest": ["--confirm", "-c", ""]},
    {"first": "a", "x": "-y"},
    {"first": "a", "x": "=y"},
    {"first": "a", "tag": ["--json", "b=c", "d e"], "verbose": 3},
    {"first": "a", "pair": [1, -2], "rate": -0.5},
    {"first": "a", "color": True, "level": -3},
    {"first": "a", "color": False},
]


SWITCHES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"quiet": True}, {"quiet": True}),
    ({"quiet": False}, {"quiet": False}),
    ({"wait": False}, {"wait": False}),
    ({"wait": True}, {}),
    ({"pace": True}, {"pace": "fast"}),
    ({"slow": True}, {"pace": "slow"}),
]


def test_a_switch_means_what_its_name_says(folder: Path) -> None:
    async def talk(client: Any) -> list[Any]:
        return [await client.call_tool("do", {"first": "a", **given}) for given, _ in SWITCHES]

    for (_, seen), result in zip(
        SWITCHES, drive(program(folder, PARSERS["argparse"]), talk, folder=folder), strict=True
    ):
        assert json.loads(text_of(result))["data"] == {"command": "do", "first": "a", **seen}


@pytest.mark.parametrize("parser", sorted(PARSERS))
def test_every_kind_of_parameter_arrives_as_it_was_given(parser: str, folder: Path) -> None:
    async def talk(client: Any) -> list[Any]:
        return [await client.call_tool("do", arguments) for arguments in ARGUMENTS]

    for given, result in zip(ARGUMENTS, drive(program(folder, PARSERS[parser]), talk, folder=folder), strict=True):
        data = json.loads(text_of(result)).get("data")
        assert data is not None, result
        data.pop("command", None)
        assert data == given


def test_what_cannot_be_said_on_a_command_line_is_refused(folder: Path) -> None:
    refused = [
        ({"first": "a", "rest": ["b"]}, "rest cannot be given without second"),
        ({"first": "a", "verbose": 10**9}, "not between 0 and 100"),
        ({"first": "a", "verbose": -1}, "not between 0 and 100"),
    ]

    async def talk(client: Any) -> list[Any]:
        return [await client.call_tool("do", arguments) for arguments, _ in refused]

    for (_, why), result in zip(refused, drive(program(folder, PARSERS["argparse"]), talk, folder=folder), strict=True):
        assert json.loads(text_of(result))["error"]["code"] == "usage"
        assert why in text_of(result)


def test_a_program_of_one_command_is_one_tool(folder: Path) -> None:
    argv = program(
        folder,
        """
        import click
        from agentgate.integrations.click import run
        @click.command()
        @click.password_option("--password", prompt=False)
        @click.argument("name")
        def main(name, password):
            return {"name": name}
        run(main)
        """,
    )
    (tool,) = drive(argv, lambda client: client.list_tools(), folder=folder).tools
    assert list(tool.input_schema["properties"]) == ["name"], "a secret is nothing for a command line"
    assert call(argv, tool.name, {"name": "x"}, folder=folder)[1]["data"] == {"name": "x"}


def test_agentgate_serves_itself(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("input('Name: ')\n")
    argv = [sys.executable, "-m", "agentgate"]

    async def talk(client: Any) -> Any:
        return (await client.list_tools()).tools, await client.call_tool("lint", {"paths": ["app.py"]})

    tools, found = drive(argv, talk, folder=tmp_path)
    assert {"lint", "fix", "detect", "policy_show"} <= {one.name for one in tools}
    assert not {"run", "approve"} & {one.name for one in tools}
    alone = run(argv=[*argv, "lint", "--", "app.py"], folder=tmp_path, agent=False, env={"AGENTGATE_AGENT": "yes"})
    assert text_of(found) + "\n" == alone.out
    assert (found.is_error, alone.code) == (True, 1)


# ---- questions

QUESTIONS = """
    import argparse
    from agentgate import gate, require_consent
    from agentgate.integrations.argparse import run
    import getpass
    top = argparse.ArgumentParser(prog="tool")
    commands = top.add_subparsers(required=True, dest="command")
    for name in ("number", "choose", "several", "loop", "secret", "person", "planned", "sure"):
        commands.add_parser(name)
    commands.choices["secret"].add_argument("--target")
    def main():
        command = top.parse_args().command
        if command == "number":
            import click
            return {"got": gate(click.prompt, name="size")("How many", default=5)}
        if command == "choose":
            return {"got": gate(input, kind="choice", choices=["a", "b"])("Which? ")}
        if command == "several":
            import questionary
            return {"got": gate(questionary.checkbox)("Which?", choices=["a", "b", "c"]).ask()}
        if command == "loop":
            for number in range(99):
                require_consent("delete", f"Delete {number}?")
        if command == "secret":
            return {"got": gate(getpass.getpass)("Token: ")}
        if command == "person":
            require_consent("publish", "Publish?", assurance="person")
        if command == "planned":
            require_consent("delete", "Delete\\nCommand: ls?", plan=["rm \\u202ea", "rm b\\nx"])
            return {"deleted": True}
        if command == "sure":
            return {"got": gate(input)("Really? [y/N] ")}
    run(main, top)
    """


def ask(folder: Path, tool: str, *replies: dict[str, Any] | str, **how: Any) -> tuple[dict[str, Any], Person]:
    person = Person(*replies)
    is_error, document = call(program(folder, QUESTIONS), tool, {}, folder=folder, person=person, **how)
    assert is_error is not document["ok"]
    return document, person


def test_a_form_cannot_bring_what_no_command_line_carries(folder: Path) -> None:
    app, person = [sys.executable, str(APPS["argparse"])], Person({"release": "a\0b"})
    is_error, document = call(app, "deploy", {"target": "prod"}, folder=folder, person=person)
    assert (is_error, document["error"]["code"]) == (True, "usage")
    assert "NUL" in document["message"]


def test_choices_are_offered_and_nothing_else_is_taken(folder: Path) -> None:
    document, person = ask(folder, "choose", {"which": "b"})
    assert document["data"] == {"got": "b"}
    assert person.forms[0].requested_schema["properties"]["which"]["enum"] == ["a", "b"]
    document, person = ask(folder, "choose", {"which": "c"}, {"which": "a"})
    assert (document["error"]["code"], len(person.forms)) == ("missing_input", 1)


def test_several_choices_are_one_list(folder: Path) -> None:
    document, person = ask(folder, "several", {"which": ["a", "c"]})
    assert document["data"] == {"got": ["a", "c"]}
    field = person.forms[0].requested_schema["properties"]["which"]
    assert (field["type"], field["items"]) == ("array", {"type": "string", "enum": ["a", "b", "c"]})


def test_a_default_is_in_the_form(folder: Path) -> None:
    document, person = ask(folder, "number", {"size": "7"})
    assert document["data"] == {"got": 7}
    field = person.forms[0].requested_schema["properties"]["size"]
    assert field == {"type": "string", "title": "How many", "default": "5"}
    document, person = ask(folder, "number", {"size": "many"}, {"size": "7"})
    assert "not a valid integer" in document["message"]
    assert len(person.forms) == 1, "the same is not asked again"


@pytest.mark.parametrize("era", ERAS)
def test_a_person_is_asked_a_bounded_number_of_times_and_never_the_same(folder: Path, era: str) -> None:
    document, person = ask(folder, "loop", *[YES] * 99, era=era)
    assert document["error"]["code"] == "consent_required"
    assert [form.message.split("?")[0] for form in person.forms] == [f"Delete {number}" for number in range(8)]


def test_a_yes_is_a_consent_also_where_the_program_asks_with_input(folder: Path) -> None:
    assert ask(folder, "sure", YES)[0]["data"] == {"got": "y"}
    assert ask(folder, "sure", {"really": "y"})[0]["error"]["code"] == "consent_required"


@pytest.mark.parametrize(("tool", "code"), [("secret", "auth_required"), ("person", "consent_required")])
def test_what_a_form_must_not_ask_is_not_asked(folder: Path, tool: str, code: str) -> None:
    document, person = ask(folder, tool, YES)
    assert document["error"]["code"] == code
    assert person.forms == []


def test_a_plan_is_shown_whole_and_cannot_deceive(folder: Path) -> None:
    document, person = ask(folder, "planned", YES)
    assert document["data"] == {"deleted": True}
    shown = person.forms[0].message.split("\n")
    assert shown[:-1] == [
        "Delete<U+000A>Command: ls?",
        "Reason: delete",
        "Plan:",
        "  | rm <U+202E>a",
        "  | rm b",
        "  | x",
    ]
    assert shown[-1].endswith("planned --json")


def test_a_call_that_comes_back_is_the_one_that_stopped(folder: Path) -> None:
    """The reply to one question opens nothing else: not another call, and nothing twice."""

    async def talk(client: Any) -> None:
        session = client.session
        stopped = await session.call_tool("planned", {}, allow_input_required=True)
        assert stopped.result_type == "input_required"
        reply = {key: {"action": "accept", "content": YES} for key in stopped.input_requests}
        state = stopped.request_state
        for tool, given in (("person", state), ("planned", "guessed"), ("planned", state)):
            with pytest.raises(MCPError, match="no call that waits"):
                await session.call_tool(tool, {}, input_responses=reply, request_state=given, allow_input_required=True)

    drive(program(folder, QUESTIONS), talk, folder=folder, era="2026-07-28", person=Person())


# ---- ends

SLOW = """
    import argparse, os, subprocess, sys, time
    from pathlib import Path
    from agentgate import effects, stream
    from agentgate.integrations.argparse import run
    top = argparse.ArgumentParser(prog="tool")
    commands = top.add_subparsers(required=True, dest="command")
    commands.add_parser("wait")
    commands.add_parser("leave")
    commands.add_parser("crash")
    effects("read_only", live=True)(commands.add_parser("follow"))
    def main():
        command = top.parse_args().command
        if command == "wait":
            stubborn = "import signal, time; signal.signal(15, print); time.sleep(60)"
            child = subprocess.Popen([sys.executable, "-c", stubborn])
            Path("pids").write_text(f"{os.getpid()} {child.pid}")
            time.sleep(60)
        if command == "leave":
            subprocess.Popen(["sleep", "5"])
        if command == "crash":
            os.abort()
        if command == "follow":
            with stream.step("build"):
                stream.progress(40, "compiling")
            stream.event("deployed", {"target": "prod"})
            print("printed")
            return {"done": True}
    run(main, top)
    """


def pids(folder: Path) -> list[int]:
    """The process ids of a call that waits, once it does."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError):
            found = (folder / "pids").read_text().split()
            if len(found) == 2:
                return [int(one) for one in found]
        time.sleep(0.05)
    raise AssertionError("the call did not begin")


def all_end(numbers: list[int]) -> bool:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and any(map(is_alive, numbers)):
        time.sleep(0.05)
    return not any(map(is_alive, numbers))


def is_alive(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("era", ERAS)
def test_a_call_that_is_cancelled_ends_with_all_that_it_started(folder: Path, era: str) -> None:
    async def talk(client: Any) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "wait", {})
            running = await anyio.to_thread.run_sync(pids, folder)
            group.cancel_scope.cancel()
        assert await anyio.to_thread.run_sync(all_end, running)
        assert len((await client.list_tools()).tools) == 4, "the server goes on"

    drive(program(folder, SLOW), talk, folder=folder, era=era)


@pytest.mark.parametrize("end", ["gone", "terminated"])
def test_a_server_leaves_nothing_behind(folder: Path, end: str) -> None:
    server = subprocess.Popen(
        [*program(folder, SLOW), "--mcp"],
        cwd=folder,
        env=environment(agent=False),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    assert server.stdin
    server.stdin.write(OPENING + message(id=2, method="tools/call", params={"name": "wait", "arguments": {}}))
    server.stdin.flush()
    running = pids(folder)
    if end == "gone":
        server.stdin.close()
    else:
        server.terminate()
    assert server.wait(timeout=10) == (0 if end == "gone" else -signal.SIGTERM)
    assert all_end(running)
    server.stdin.close()


def test_what_a_command_leaves_running_does_not_hold_its_result(folder: Path) -> None:
    start = time.monotonic()
    result = drive(program(folder, SLOW), lambda client: client.call_tool("leave", {}), folder=folder)
    assert not result.is_error
    assert time.monotonic() - start < 30  # what it leaves would hold it for a minute


def test_a_crash_is_a_failure_with_a_sentence(folder: Path) -> None:
    is_error, document = call(program(folder, SLOW), "crash", {}, folder=folder)
    assert is_error
    assert document["message"] == f"The program ended with exit code {-signal.SIGABRT} and told nothing."


@pytest.mark.parametrize("era", ERAS)
def test_a_live_command_tells_of_its_progress(folder: Path, era: str) -> None:
    told: list[tuple[float, str | None]] = []

    async def progress(done: float, _: float | None, said: str | None) -> None:
        told.append((done, said))

    async def talk(client: Any) -> Any:
        return await client.call_tool("follow", {}, progress_callback=progress)

    result = drive(program(folder, SLOW), talk, folder=folder, era=era)
    document = json.loads(text_of(result))
    assert (document["type"], document["data"], result.is_error) == ("result", {"done": True}, False)
    said = ["build: started", "compiling", "build: completed", "deployed", "printed"]
    assert [message for _, message in told][1:] == said
    assert [done for done, _ in told] == [1, 2, 3, 4, 5, 6]


def test_a_missing_package_is_named(folder: Path) -> None:
    (folder.parent / "mcp.py").write_text("raise ModuleNotFoundError('no mcp', name='mcp')", "utf-8")
    wrong = run(argv=[*program(folder, SLOW), "--mcp"], folder=folder)
    assert (wrong.code, wrong.error) == (2, "usage")
    assert "install agentgate-consent[mcp]" in wrong.envelope["message"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"error": 1}', "[" * 100_000], ids=lambda text: text[:40])
def test_what_is_no_envelope_asks_for_nothing(text: str) -> None:
    assert form_of(text, several=True) is None
