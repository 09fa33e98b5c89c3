"""`--view`: vyre's golden frames, views made and derived, and a surface that follows the prompts to the end."""

from __future__ import annotations

import json
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from programs import ROOT, Ran, run
from test_profiles import CONSENT, envelope, step

from agentgate.surfaces import frames, view

APPS = {path.stem.removesuffix("_app"): str(path) for path in (ROOT / "fixtures" / "apps").glob("*_app.py")}
DONE = '{"v":1,"done":true,"exit":0}'
START = ["tool"]


def rendered(document: dict[str, Any], *shown: frames.View, command: str = "list") -> list[dict[str, Any]]:
    lines, code = view.render(document, command, START, shown)
    assert lines[-1] == {"v": 1, "done": True, "exit": code}
    return lines[:-1]


def spelled(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def test_golden() -> None:
    shown = frames.table([], {"name": "Thread"})
    lines, code = view.render(envelope(data=[]), "threads list", START, [shown])
    assert code == 0
    assert [spelled(line) for line in lines] == [
        '{"v":1,"cmd":"threads list","view":{"kind":"table","columns":[{"key":"name","label":"Thread"}],"rows":[]},'
        '"data":[]}',
        DONE,
    ]


VIEWS = [
    (
        frames.table([{"a_b": 1, "c": [2]}], title="All", empty="None"),
        '{"kind":"table","columns":[{"key":"a_b","label":"A b"},{"key":"c","label":"C"}],"rows":[{"a_b":1,"c":"[2]"}],'
        '"title":"All","empty":"None"}',
    ),
    (frames.table([{"a": 1, "b": 2}], ["b"]), '{"kind":"table","columns":[{"key":"b","label":"B"}],"rows":[{"b":2}]}'),
    (
        frames.card({"Name": "x"}, title="One", state="ok"),
        '{"kind":"card","title":"One","fields":[{"label":"Name","value":"x"}],"state":"ok"}',
    ),
    (frames.text("a\nb"), '{"kind":"text","lines":["a","b"]}'),
    (frames.qr("https://x.invalid", caption="Scan it"), '{"kind":"qr","text":"https://x.invalid","caption":"Scan it"}'),
    (
        frames.checks([("Is up", "ok"), ("Disk", "failed", "it is full")], title="Health"),
        '{"kind":"checks","items":[{"id":"is-up","label":"Is up","state":"ok"},'
        '{"id":"disk","label":"Disk","state":"failed","note":"it is full"}],"title":"Health"}',
    ),
    (
        frames.text(["a"], actions=[frames.Action("Open", "threads show", {"id": 1}), frames.Action("New", "new")]),
        '{"kind":"text","lines":["a"],"actions":[{"label":"Open","tool":"threads show","input":{"id":1}},'
        '{"label":"New","tool":"new"}]}',
    ),
]


@pytest.mark.parametrize(("made", "expected"), VIEWS)
def test_a_view_is_made_by_its_builder(made: frames.View, expected: str) -> None:
    assert spelled(made.document()) == expected


def test_a_check_has_one_of_four_states() -> None:
    with pytest.raises(ValueError, match="ok, wait, failed, unknown"):
        frames.checks([("Disk", "broken")])


ROWS = [{"name": "a", "n": 1}, {"name": "b", "more": None}]


@pytest.mark.parametrize(
    ("data", "kind", "part", "value"),
    [
        (ROWS, "table", "columns", [{"key": key, "label": key.capitalize()} for key in ("name", "n", "more")]),
        ([{str(n): n for n in range(9)}], "table", "columns", [{"key": str(n), "label": str(n)} for n in range(6)]),
        ([], "table", "rows", []),
        ({"open_threads": ROWS}, "table", "title", "Open threads"),
        ({"total": 2, "threads": ROWS}, "table", "rows", ROWS),
        ({"threads": []}, "table", "rows", []),
        ({"names": ["a"]}, "table", "rows", [{"value": "a"}]),
        (
            {"name": "x", "tags": ["a"]},
            "card",
            "fields",
            [{"label": "Name", "value": "x"}, {"label": "Tags", "value": '["a"]'}],
        ),
        ({"a": ROWS, "b": ROWS}, "card", "title", None),
        ({}, "card", "fields", []),
        ({"text": "a\nb"}, "text", "lines", ["a", "b"]),
        ("a\nb", "text", "lines", ["a", "b"]),
        (["a", 1], "text", "lines", ["a", "1"]),
        (7, "text", "lines", ["7"]),
        (None, "text", "lines", []),
    ],
)
def test_a_view_is_derived_from_the_data(data: Any, kind: str, part: str, value: Any) -> None:
    derived = frames.derived(data).document()
    assert (derived["kind"], derived.get(part)) == (kind, value)


# stops and failures


def question(name: str = "release", **parts: Any) -> dict[str, Any]:
    asked = {"name": name, "label": name.title(), "kind": "text", "secret": False, "required": True, "answer": "flag"}
    return {**asked, **parts}


def stopped(code: str, argv: str, *inputs: dict[str, Any], **parts: Any) -> dict[str, Any]:
    return envelope(
        "action_required",
        exit_code=3,
        code=code,
        reason=code,
        next=[step(f"tool {argv}", "t")],
        **({"inputs": list(inputs)} if inputs else {}),
        **parts,
    )


FLAG = question(flag="--release", args=["--release", "<release>"])
ANSWER = question("name", flag="--answer", args=["--answer", "name=<name>"])
SECRET = question("token", kind="secret", secret=True, answer="stdin", args=["--answers", "-"])
CHOICE = question("color", flag="--color", args=["--color", "<color>"], choices=["red", "blue"], kind="choice")


@pytest.mark.parametrize(
    ("document", "prompts"),
    [
        (
            stopped("missing_input", "deploy --view --release <release>", FLAG),
            [
                {
                    "name": "release",
                    "label": "Release",
                    "args": ["deploy", "--view"],
                    "answer": "flag",
                    "flag": "release",
                }
            ],
        ),
        (
            stopped("missing_input", "new --answer name=<name>", ANSWER),
            [{"name": "name", "label": "Name", "args": ["new", "--answer-stdin", "name"], "answer": "stdin"}],
        ),
        (
            stopped("missing_input", "new --color <color> -- x", CHOICE),
            [
                {
                    "name": "color",
                    "label": "Color",
                    "args": ["new", "--answer-stdin", "color", "--", "x"],
                    "answer": "stdin",
                    "choices": ["red", "blue"],
                }
            ],
        ),
        (
            stopped("missing_input", "new <release>", question(answer="word", args=["<release>"])),
            [{"name": "release", "label": "Release", "args": ["new"], "answer": "word"}],
        ),
        (
            stopped("auth_required", "login --answers - --color <color>", SECRET, CHOICE),
            [
                {
                    "name": "color",
                    "label": "Color",
                    "args": ["login"],
                    "answer": "flag",
                    "flag": "color",
                    "choices": ["red", "blue"],
                },
                {
                    "name": "token",
                    "label": "Token",
                    "args": ["login", "--answer-stdin", "token"],
                    "answer": "stdin",
                    "secret": True,
                },
            ],
        ),
        (
            CONSENT
            | {"next": [step("tool deploy --confirm 0123456789ab", "t"), step("tool deploy --answer x=n", "no")]},
            [
                {
                    "name": "confirm",
                    "label": "deploying to prod needs confirmation",
                    "args": ["deploy", "--confirm", "0123456789ab"],
                    "answer": "confirm",
                }
            ],
        ),
    ],
)
def test_a_stop_is_one_prompt_for_each_input(document: dict[str, Any], prompts: list[dict[str, Any]]) -> None:
    lines, code = view.render(document, "list", START)
    assert [line["view"] for line in lines[:-1]] == [{"kind": "prompt", **one} for one in prompts]
    assert code == 2


def test_a_consents_plan_is_shown_before_it_is_asked() -> None:
    consent = {**CONSENT["consent"], "plan": ["delete a", "delete b"]}
    document = {**CONSENT, "consent": consent, "next": [step("tool rm --confirm 0123456789ab", "t")]}
    kinds = [line["view"]["kind"] for line in rendered(document)]
    assert kinds == ["text", "prompt"]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (stopped("auth_required", "login"), 3),
        (CONSENT | {"consent": {"reasons": ["delete"], "assurance": "person", "id": "01234567"}}, 3),
        (stopped("policy_denied", "policy"), 3),
        (CONSENT | {"next": [step("agentgate run --confirm 0123456789ab -- tool", "only the launcher can")]}, 3),
        (envelope("failed", exit_code=7, code="not_found"), 1),
        (envelope("failed", exit_code=2, code="usage"), 2),
        (envelope("failed", exit_code=130, code="interrupted"), 130),
    ],
)
def test_whatever_else_is_an_error(document: dict[str, Any], expected: int) -> None:
    lines, code = view.render(document, "list", START)
    shown = lines[-2]["view"]
    assert (len(lines), shown["kind"], shown["code"], code) == (2, "error", document["error"]["code"], expected)


def test_what_a_check_found_is_shown_before_its_error() -> None:
    found = rendered(envelope("failed", exit_code=1, code="findings", data=[{"at": 1}]))
    assert [line["view"]["kind"] for line in found] == ["table", "error"]
    assert found[0]["data"] == [{"at": 1}]


# whole programs, and a surface that draws them


def framed(ran: Ran) -> list[dict[str, Any]]:
    """The frames of a run, which are all that it printed; the last one says how it ended."""
    lines: list[dict[str, Any]] = [json.loads(line) for line in ran.out.splitlines()]
    *shown, done = lines
    assert done == {"v": 1, "done": True, "exit": ran.code}, ran
    assert all(list(line) == ["v", "cmd", "view", "data"] for line in shown)
    return shown


def follow(app: list[str], args: list[str], answers: dict[str, str], *, folder: Path, **how: Any) -> list[list[dict]]:
    """Do as vyre's surface does: ask each prompt and run its `args` again, until there is none."""
    seen, stdin = [], b""
    for _ in range(8):
        ran = run(argv=[*app, *args], folder=folder, stdin=stdin or "null", **how)
        shown = framed(ran)
        seen.append(shown)
        asked = next((one["view"] for one in shown if one["view"]["kind"] == "prompt"), None)
        if asked is None:
            return seen
        assert ran.code == 2
        args, stdin, answer = asked["args"], b"", answers.get(asked["name"], "")
        if asked["answer"] == "word":
            args = [*args, answer]
        elif asked["answer"] == "flag":
            args = [*args, f"--{asked['flag']}", answer]
        elif asked["answer"] == "stdin":
            stdin = answer.encode()
    raise AssertionError(f"it never ends: {seen}")


@pytest.fixture(params=sorted(APPS))
def app(request: pytest.FixtureRequest) -> list[str]:
    return [sys.executable, APPS[request.param]]


@pytest.mark.parametrize("agent", [True, False], ids=["agent", "person"])
def test_a_surface_follows_the_prompts_to_the_end(app: list[str], agent: bool, tmp_path: Path) -> None:
    seen = follow(app, ["deploy", "prod", "--view"], {"release": "1.0 b"}, folder=tmp_path, agent=agent)
    assert [[one["view"]["kind"] for one in shown] for shown in seen] == [["prompt"], ["prompt"], ["card"]]
    assert seen[-1][0]["data"] == {"target": "prod", "release": "1.0 b", "size": 1}
    assert {one["cmd"] for shown in seen for one in shown} == {"deploy"}


def test_a_secret_goes_in_on_stdin_and_is_not_repeated(app: list[str], tmp_path: Path) -> None:
    seen = follow(app, ["login", "--view"], {"token": "hunter22\n"}, folder=tmp_path)
    assert seen[0][0]["view"]["secret"] is True
    assert seen[-1][0]["data"] == {"logged_in": True}
    assert "hunter22" not in json.dumps(seen)


def test_usage_errors_are_frames_too(app: list[str], tmp_path: Path) -> None:
    for args in (["deploy", "mars", "--view"], ["deploy", "prod", "--view", "--confirm"], ["status", "--view", "--x"]):
        for agent in (True, False):
            ran = run(argv=[*app, *args], folder=tmp_path, agent=agent)
            assert (ran.code, framed(ran)[-1]["view"]["code"]) == (2, "usage"), ran


SEVERAL = """
    import argparse, getpass, os, sys
    from agentgate import gate, require_consent
    from agentgate.integrations.argparse import run
    from agentgate.surfaces import frames, view
    parser = argparse.ArgumentParser(prog="tool")
    def main():
        parser.parse_args()
        name = gate(input)("Name: ")
        require_consent("write", "Write it?", plan=[name])
        place = gate(input)("Place: ")
        token = gate(getpass.getpass)("Token: ")
        require_consent("delete", "Delete it?")
        assert (name, place, token) == ("Ada", "Turin", "hunter22"), (name, place, token)
        assert sys.stdin.read() == "" and os.read(0, 9) == b"", "nothing is read from stdin"
        print("chatter")
        view.show(frames.text("chosen"))
        view.show(frames.qr("code"))
        return {"no_color": os.environ["NO_COLOR"]}
    run(main, parser)
    """


def test_questions_without_flags_consents_and_a_secret_between_them_all_come_to_an_end(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(textwrap.dedent(SEVERAL), "utf-8")
    answers = {"name": "Ada", "place": "Turin\n", "token": "hunter22"}
    seen = follow([sys.executable, "app.py"], ["--view"], answers, folder=tmp_path)
    assert [[one["view"]["kind"] for one in shown] for shown in seen][-1] == ["text", "qr"]
    assert {one["data"]["no_color"] for one in seen[-1]} == {"1"}
    assert "hunter22" not in json.dumps(seen)


def test_a_secret_is_asked_last_of_several_options(tmp_path: Path) -> None:
    source = """
        import click
        from agentgate import gate, run
        @click.command()
        @gate(click.option)("--token", prompt=True, hide_input=True)
        @gate(click.option)("--name", prompt=True)
        def main(token, name):
            return {"ok": token == "hunter22", "name": name}
        run(main)
        """
    (tmp_path / "app.py").write_text(textwrap.dedent(source), "utf-8")
    answers = {"token": "hunter22", "name": "Ada"}
    seen = follow([sys.executable, "app.py"], ["--view"], answers, folder=tmp_path)
    assert [[one["view"].get("name") for one in shown] for shown in seen] == [["name", "token"], ["token"], [None]]
    assert seen[-1][0]["data"] == {"ok": True, "name": "Ada"}


def test_show_changes_nothing_for_others(tmp_path: Path) -> None:
    source = """
        import argparse
        from agentgate.integrations.argparse import run
        from agentgate.surfaces import frames, view
        parser = argparse.ArgumentParser(prog="tool")
        def main():
            parser.parse_args()
            view.show(frames.text("chosen"))
            print("plain")
        run(main, parser)
        """
    assert run(source, folder=tmp_path, agent=False).out == "plain\n"
    assert run(source, folder=tmp_path).envelope["data"] == {"text": "plain\n"}


# one raw answer on stdin

RAW = """
    import agentgate, getpass
    def main():
        name = agentgate.gate(input)("Name: ")
        token = agentgate.gate(getpass.getpass)("Token: ")
        print(name, token == "hunter22")
    agentgate.run(main)
    """


def test_an_answer_for_no_secret_may_be_repeated_once_that_is_known(tmp_path: Path) -> None:
    asked = run(RAW, folder=tmp_path, args=("--answer-stdin", "name"), stdin=b"Ada\n")
    assert asked.envelope["next"][0]["argv"][-4:] == ["--answer", "name=Ada", "--answers", "-"]
    secret = run(RAW, folder=tmp_path, args=("--answer-stdin", "token", "--answer", "name=Ada"), stdin=b"hunter22\n")
    assert (secret.code, secret.out) == (0, "Ada True\n")


def test_a_secret_given_that_way_is_sent_again_as_json(tmp_path: Path) -> None:
    asked = run(RAW, folder=tmp_path, args=("--answer-stdin", "token"), stdin=b"hunter22")
    (following,) = asked.envelope["next"]
    assert following["argv"][-4:] == ["--answers", "-", "--answer", "name=<name>"]
    assert set(following["params"]) == {"name", "token"}
    assert "hunter22" not in asked.out
    again = run(argv=asked.next_argv(name="Ada"), folder=tmp_path, stdin=b'{"token": "hunter22"}')
    assert (again.code, again.out) == (0, "Ada True\n")


@pytest.mark.parametrize("stdin", ["null", "closed", b""])
def test_nothing_on_stdin_is_no_answer(stdin: str | bytes, tmp_path: Path) -> None:
    asked = run(RAW, folder=tmp_path, args=("--answer-stdin", "name"), stdin=stdin)
    assert (asked.code, asked.error) == (3, "missing_input")


def test_a_terminal_is_not_read_from(tmp_path: Path) -> None:
    asked = run(RAW, folder=tmp_path, args=("--answer-stdin", "name"), stdin="terminal")
    assert asked.code == 2
    assert "--answer-stdin reads from stdin, which is a terminal here" in asked.out


def test_a_stop_before_the_question_keeps_the_token_of_a_later_one(tmp_path: Path) -> None:
    source = """
        import agentgate
        def main():
            agentgate.gate(input)("Name: ")
            agentgate.require_consent("delete", "Delete it?")
        agentgate.run(main)
        """
    asked = run(source, folder=tmp_path, args=("--confirm", "0123456789ab"))
    assert asked.envelope["next"][0]["argv"][-4:] == ["--answer", "name=<name>", "--confirm", "0123456789ab"]
