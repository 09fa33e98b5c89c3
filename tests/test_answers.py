"""Answers given ahead: by option, file, stdin and environment; converted and judged by the library itself."""

from __future__ import annotations

import inspect
import json
import os
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from programs import Ran, imports_for, run

HEAD = """
import datetime, enum, sys
import agentgate
from agentgate import gate, require_consent
class Tone(enum.Enum): red = 1; blue = 2
def main():
"""


def program(body: str) -> str:
    return (
        imports_for(body)
        + HEAD
        + "".join(f"    {line}\n" for line in body.strip().splitlines())
        + "agentgate.run(main)\n"
    )


def answered(body: str, folder: Path, *args: str, **how: Any) -> Ran:
    return run(program(body), folder=folder, args=args, **how)


# the expression, the answer, and what comes out of it
CONVERTED = {
    "input": ("gate(input)('Name: ')", "ada", "'ada'"),
    "input, empty": ("gate(input)('Name: ')", "", "''"),
    "click int": ("gate(click.prompt)('Name', type=int)", "8080", "8080"),
    "click float": ("gate(click.prompt)('Name', type=float)", "0.5", "0.5"),
    "click bool": ("gate(click.prompt)('Name', type=bool)", "no", "False"),
    "click choice": ("gate(click.prompt)('Name', type=click.Choice(['red', 'blue']))", "red", "'red'"),
    "click enum": ("gate(click.prompt)('Name', type=click.Choice(Tone)).value", "blue", "2"),
    "click date": ("gate(click.prompt)('Name', type=click.DateTime()).year", "2026-11-30", "2026"),
    "click path": ("gate(click.prompt)('Name', type=click.Path(exists=True))", "app.py", "'app.py'"),
    "click range": ("gate(click.prompt)('Name', type=click.IntRange(1, 9))", "9", "9"),
    "click value_proc": ("gate(click.prompt)('Name', value_proc=lambda v: v.split('-'))", "a-b", "['a', 'b']"),
    "click default": ("gate(click.prompt)('Name', default=5)", "", "5"),
    "typer": ("gate(typer.prompt)('Name', type=int)", "7", "7"),
    "rich": ("gate(Prompt.ask)('Name')", "ada", "'ada'"),
    "rich int": ("gate(IntPrompt.ask)('Name')", "7", "7"),
    "rich float": ("gate(FloatPrompt.ask)('Name')", "7.5", "7.5"),
    "rich choices": ("gate(Prompt.ask)('Name', choices=['a', 'b'])", "b", "'b'"),
    "rich default": ("gate(Prompt.ask)('Name', default='x')", "", "'x'"),
    "questionary text": ("gate(questionary.text)('Name').ask()", "a\tb \u00e9", "'a\\tb \u00e9'"),
    "questionary default": ("gate(questionary.text)('Name', default='x').ask()", "", "'x'"),
    "questionary replaces the default": ("gate(questionary.text)('Name', default='x').ask()", "y", "'y'"),
    "questionary multiline": ("gate(questionary.text)('Name', multiline=True).ask()", "y", "'y'"),
    "questionary select": ("gate(questionary.select)('Name', choices=['a', 'b']).ask()", "b", "'b'"),
    "questionary value": (
        "gate(questionary.select)('Name', choices=["
        "questionary.Choice('B', value=2), questionary.Choice('C', value=3)]).ask()",
        "C",
        "3",
    ),
    "questionary rawselect": ("gate(questionary.rawselect)('Name', choices=['a', 'b']).ask()", "2", "'b'"),
    "questionary checkbox": ("gate(questionary.checkbox)('Name', choices=['a', 'b', 'c']).ask()", "c", "['c']"),
    "questionary checkbox, default": (
        "gate(questionary.checkbox)('Name', choices=[questionary.Choice('a', checked=True), 'b']).ask()",
        "",
        "['a']",
    ),
    "questionary autocomplete": ("gate(questionary.autocomplete)('Name', choices=['ab', 'b']).ask()", "ab", "'ab'"),
    "questionary path": ("gate(questionary.path)('Name').ask()", "/tmp/x y", "'/tmp/x y'"),
    "questionary validate": ("gate(questionary.text)('Name', validate=lambda t: t == 'a').ask()", "a", "'a'"),
    "questionary async": (
        "__import__('asyncio').run(gate(questionary.select)('Name', choices=['a', 'b']).ask_async())",
        "b",
        "'b'",
    ),
    "click edit": ("gate(click.edit, name='Name')('draft')", "new text", "'new text'"),
    "any callable": ("gate(lambda text: 1 / 0, kind='text')('Name')", "x", "'x'"),
}


def test_what_an_editor_opens_is_a_default_and_no_name(tmp_path: Path) -> None:
    ran = answered("gate(click.edit)('user: null')", tmp_path)
    (asked,) = ran.envelope["inputs"]
    assert (asked["name"], asked["kind"], asked["default"]) == ("text", "editor", "user: null")


@pytest.mark.parametrize("names", ["'a'", "pathlib.Path('a')", "['a', 'b']", "('a', 'b')"])
def test_an_editor_on_files_leaves_the_answers_in_them(names: str, tmp_path: Path) -> None:
    several = "," in names
    if several and "Iterable" not in str(inspect.signature(click.edit)):
        pytest.skip("this click edits one file")
    for name in "ab":
        (tmp_path / name).write_text("old")
    body = f"import pathlib; print(gate(click.edit)(filename={names}))"
    ran = answered(body, tmp_path, "--answer", "text=1")
    if several:
        assert ran.error == "missing_input"
        assert (tmp_path / "a").read_text() == "old"
        ran = run(argv=ran.next_argv(text="2"), folder=tmp_path)
    assert (ran.code, ran.out) == (0, "None\n"), ran
    assert [(tmp_path / name).read_text() for name in "ab"] == ["1", "2" if several else "old"]


def test_an_enums_choices_are_what_is_typed(tmp_path: Path) -> None:
    source = """
        import enum
        import typer
        from agentgate import gate
        Tone = enum.Enum("Tone", {"RED": "red", "BLUE": "blue"})
        app = typer.Typer()
        @app.command()
        def main(tone: Tone = gate(typer.Option)(..., prompt=True)): ...
        app()
        """
    (asked,) = run(source, folder=tmp_path).envelope["inputs"]
    assert (asked["kind"], asked["choices"]) == ("choice", ["red", "blue"])


def test_converted_by_the_library(tmp_path: Path) -> None:
    """All in one process: each question has a name of its own."""
    body, answers, wanted = [], {}, []
    for number, (expression, answer, result) in enumerate(CONVERTED.values()):
        name = f"n{number}"
        body.append(f"print(repr({expression.replace(repr('Name'), repr(name)).replace('Name: ', name)}))")
        answers[name] = answer
        wanted.append(result)
    (tmp_path / "answers.json").write_text(json.dumps(answers), "utf-8")
    ran = answered("\n".join(body), tmp_path, "--answers", "answers.json")
    got = ran.out.splitlines()
    assert dict(zip(CONVERTED, got, strict=False)) == dict(zip(CONVERTED, wanted, strict=True)), ran
    assert ran.code == 0, ran


WHEN = {
    "a value": ("gate(input)('Name: ')", "with a value in place of each <…>"),
    "a secret": ("gate(getpass.getpass)('Key: ')", "with the secrets as a JSON object on stdin"),
    "both": (
        "gate(questionary.form)(a=gate(questionary.text)('Name'), b=gate(questionary.password)('Key')).ask()",
        "with a value in place of each <…>, the secrets as a JSON object on stdin",
    ),
    "several choices": (
        "gate(questionary.checkbox)('Colours', choices=['a', 'b']).ask()",
        "with a value in place of each <…>, an --answer of its own for each of several choices",
    ),
}


@pytest.mark.parametrize("what", WHEN)
def test_next_says_how_the_answers_are_handed_over(what: str, tmp_path: Path) -> None:
    body, when = WHEN[what]
    assert answered(body, tmp_path).envelope["next"][0]["when"] == when


def test_a_question_without_a_label_goes_by_its_name(tmp_path: Path) -> None:
    said = answered("print('1) add  2) quit'); gate(input)('> ')", tmp_path).envelope["message"]
    assert said == 'A question without a label, named "answer", needs an answer.'


@pytest.mark.parametrize("private", [False, True], ids=["--answer", "--answers"])
def test_json_values(private: bool, tmp_path: Path) -> None:
    body = """
print(gate(questionary.checkbox)('Colours', choices=['a', 'b', 'c']).ask())
print(gate(questionary.checkbox)('Colours', choices=['a', 'b', 'c']).ask())
print(gate(click.prompt)('Port', type=int), gate(input)('Data: '), end=' ')
print(gate(input)('Empty: ') == '', gate(click.prompt)('Flag', type=bool))
"""
    if private:
        given = {"colours": [["a", "c"], ["b"]], "port": 80, "data": {"a": 1}, "empty": None, "flag": True}
        ran = answered(body, tmp_path, "--answers", "-", stdin=json.dumps(given).encode())
        assert ran.out.splitlines() == ["['a', 'c']", "['b']", '80 {"a": 1} True True'], ran
    else:
        ran = answered(body, tmp_path, "--answer=colours=a", "--answer", "colours=c")
        assert ran.out.splitlines()[0] == "['a', 'c']"
        assert (ran.code, ran.envelope["inputs"][0]["name"]) == (3, "colours")


# the expression, the bad answer, and what the library says about it
REJECTED = {
    "click int": ("gate(click.prompt)('Name', type=int)", "many", "valid integer"),
    "click choice": ("gate(click.prompt)('Name', type=click.Choice(['red', 'blue']))", "green", "not one of"),
    "typer": ("gate(typer.prompt)('Name', type=int)", "many", "valid integer"),
    "rich int": ("gate(IntPrompt.ask)('Name')", "many", "valid integer"),
    "rich choices": ("gate(Prompt.ask)('Name', choices=['a', 'b'])", "c", "available options"),
    "questionary validate": (
        "gate(questionary.text)('Name', validate=lambda t: len(t) > 3 or 'too short').ask()",
        "abc",
        "too short",
    ),
    "questionary select": ("gate(questionary.select)('Name', choices=['a', 'b']).ask()", "c", "not one of a, b"),
    "questionary checkbox": ("gate(questionary.checkbox)('Name', choices=['a', 'b']).ask()", "c", "not one of a, b"),
}


@pytest.mark.parametrize("what", REJECTED)
def test_rejected_by_the_library(what: str, tmp_path: Path) -> None:
    expression, bad, complaint = REJECTED[what]
    ran = answered(f"print({expression})", tmp_path, "--answer", f"name={bad}")
    assert ran.error == "missing_input"
    assert complaint in ran.envelope["message"], ran.envelope["message"]
    assert f"name={bad}" not in ran.next_argv(), "the next run must not carry the bad answer"
    assert "name=<name>" in ran.next_argv()


def test_repeated_answers_are_used_in_order_and_never_twice(tmp_path: Path) -> None:
    body = "for _ in range(3): print(gate(input)('File: '))"
    ran = answered(body, tmp_path, "--answer", "file=a", "--answer=file=b=c")
    assert (ran.code, ran.before_envelope.split()) == (3, ["a", "b=c"]), ran
    ran = answered("print(gate(click.prompt)('Port', type=int))", tmp_path, "--answer=port=x", "--answer=port=5")
    assert (ran.code, ran.out) == (0, "5\n"), ran


def test_environment_answers_are_not_inherited(tmp_path: Path) -> None:
    body = """
import os, subprocess
print(gate(input)('Name: '))
print([name for name in os.environ if name.startswith('AGENTGATE_')])
code = 'import os; print(os.environ.get("AGENTGATE_ANSWERS"))'
print(subprocess.run([sys.executable, '-c', code], capture_output=True).stdout)
"""
    for source in (program(body), program(body).replace("agentgate.run(main)", "main()")):
        ran = run(source, folder=tmp_path, env={"AGENTGATE_ANSWERS": '{"name": "ada"}'})
        assert ran.out.splitlines() == ["ada", "[]", "b'None\\n'"], ran


@pytest.mark.parametrize(
    ("args", "stdin", "env", "says"),
    [
        (("--answers", "missing.json"), "null", {}, "No such file"),
        (("--answers", "-"), b"[1]", {}, "JSON object"),
        (("--answers", "-"), b"{", {}, "not JSON"),
        (("--answers", "-"), b"", {}, "not JSON"),
        (("--answers", "-"), b"[" * 20_000, {}, "not JSON"),
        (("--answers", "-"), b"\xff", {}, "--answers -: what came on stdin is not UTF-8"),
        (("--answer-stdin", "name"), b"\xff", {}, "--answer-stdin: what came on stdin is not UTF-8"),
        (("--answers", "-"), "closed", {}, "not JSON"),
        (("--answers",), "null", {}, "needs a value"),
        (("--answer", "name"), "null", {}, "NAME=VALUE"),
        (("--answer", "=x"), "null", {}, "NAME=VALUE"),
        (("--answer", "--answers"), "null", {}, "needs a value"),
        (("--answer", "name=<name>"), "null", {}, "placeholder"),
        (("--answers", "-"), b'{"name": "<name>"}', {}, "placeholder"),
        (("--name", "<name>"), "null", {}, "placeholder"),
        (("--name=<name>",), "null", {}, "placeholder"),
        ((), "null", {"AGENTGATE_ANSWERS": "name=x"}, "AGENTGATE_ANSWERS is not JSON"),
        ((), "null", {"AGENTGATE_PRIVATE_FD": "x"}, "did not come through"),
        ((), "idle", {"AGENTGATE_PRIVATE_FD": "0"}, "did not come through"),
        ((), "null", {"AGENTGATE_AGENT": "maybe"}, "AGENTGATE_AGENT"),
        (("--agent", "maybe"), "null", {}, "--agent"),
    ],
)
def test_usage_errors(
    args: tuple[str, ...], stdin: str | bytes, env: dict[str, str], says: str, tmp_path: Path
) -> None:
    ran = answered("print(gate(input)('Name: '))", tmp_path, *args, stdin=stdin, env=env)
    assert (ran.code, ran.error) == (2, "usage"), ran
    assert says in ran.envelope["message"]
    assert says in ran.err


@pytest.mark.parametrize("option", [("--answers", "-"), ("--answer-stdin", "name")])
def test_a_byte_order_mark_is_no_part_of_an_answer(option: tuple[str, str], tmp_path: Path) -> None:
    text = '{"name": "ada"}' if option[1] == "-" else "ada"
    ran = answered("print(ascii(gate(input)('Name: ')))", tmp_path, *option, stdin=text.encode("utf-8-sig"))
    assert ran.out == "'ada'\n", ran


CHILDREN = """
import subprocess, sys
for _ in range(2):
    done = subprocess.run([sys.executable, "app.py"], close_fds={close})
sys.exit(done.returncode)
"""


@pytest.mark.parametrize("close", [False, True])
def test_secrets_come_through_a_program_between_or_the_run_says_why_not(close: bool, tmp_path: Path) -> None:
    (tmp_path / "between.py").write_text(CHILDREN.format(close=close))
    (tmp_path / "app.py").write_text("from agentgate import gate\nprint(gate(input)('Name: '))\n")
    launched = [sys.executable, "-m", "agentgate", "run", "--answers", "-", "--", sys.executable, "between.py"]
    ran = run(folder=tmp_path, argv=launched, stdin=b'{"name": "ada"}')
    if close:
        assert (ran.code, "did not come through" in ran.err) == (2, True), ran
    else:
        assert (ran.code, ran.out) == (0, "ada\nada\n"), ran


@pytest.mark.parametrize("owned", [False, True])
def test_the_environments_answers_stand_beside_those_of_options(owned: bool, tmp_path: Path) -> None:
    body = "print(gate(input)('A: '), gate(input)('B: '))"
    source = program(body) if owned else program(body).replace("agentgate.run(main)", "main()")
    given = {"AGENTGATE_ANSWERS": '{"a": "1"}', "AGENTGATE_CONFIRM": "0123456789ab"}
    stopped = run(source, folder=tmp_path, env=given)
    assert [one["name"] for one in stopped.envelope["inputs"]] == ["b"]
    for argv in (stopped.next_argv(b="2"), _launched("--answer", "b=2")):
        assert run(source, folder=tmp_path, argv=argv, env=given).out == "1 2\n"
    twice = source.replace("'B: '", "'A: '")
    again = run(twice, folder=tmp_path, argv=_launched("--answer", "a=3"), env=given)
    assert "--answer a=3 --answer 'a=<a>'" in again.envelope["next"][0]["command"], "each was offered once"


def _launched(*options: str) -> list[str]:
    return [sys.executable, "-m", "agentgate", "run", *options, "--", sys.executable, "app.py"]


@pytest.mark.parametrize("stdin", ["terminal", "idle"])
def test_answers_on_a_stdin_that_brings_none(stdin: str, tmp_path: Path) -> None:
    ran = answered("print(gate(input)('Name: '))", tmp_path, "--answers", "-", stdin=stdin)
    assert ran.code == 2
    assert ran.is_prompt("agentgate.runtime.entry", 7), ran


def test_answers_on_a_pipe_that_is_never_closed(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.write(write, b'{"name": "ada"}\n')
    source = program("print(gate(input)('Name: '))")
    ran = _with_pipe(source, tmp_path, read)
    os.close(read)
    os.close(write)
    assert ran == (0, "ada\n")


def _with_pipe(source: str, folder: Path, read: int) -> tuple[int, str]:
    import subprocess

    from programs import environment

    (folder / "app.py").write_text(source, "utf-8")
    done = subprocess.run(
        [sys.executable, "app.py", "--answers", "-"],
        cwd=folder,
        env=environment(agent=True),
        stdin=read,
        capture_output=True,
        text=True,
        timeout=10,
    )
    return done.returncode, done.stdout


NO = "delete_it=no"
CONFIRMS = {
    "input": "print(gate(input)('Delete it? [y/N] '))",
    "input, spelled": "print(gate(input)('Delete it? (yes/no) '))",
    "click": "print(gate(click.confirm)('Delete it?', default=True))",
    "typer": "print(gate(typer.confirm)('Delete it?'))",
    "rich": "print(gate(Confirm.ask)('Delete it?', default=True))",
    "questionary": "print(gate(questionary.confirm)('Delete it?').ask())",
    "any": "print(gate(lambda text: 1 / 0, kind='confirm')('Delete it?'))",
}
SAID_NO = {"input": "n", "input, spelled": "no"}
SAID_YES = {"input": "y", "input, spelled": "yes"}


@pytest.mark.parametrize("what", CONFIRMS)
def test_a_no_is_an_answer_and_a_yes_is_not(what: str, tmp_path: Path) -> None:
    ran = answered(CONFIRMS[what], tmp_path, "--answer", NO)
    assert (ran.code, ran.out) == (0, SAID_NO.get(what, "False") + "\n"), ran
    ran = answered(CONFIRMS[what], tmp_path, "--answers", "-", stdin=b'{"delete_it": false}')
    assert (ran.code, ran.out) == (0, SAID_NO.get(what, "False") + "\n"), ran
    for yes in ("yes", " Y", "anything", *(() if what == "typer" else ("",))):
        ran = answered(CONFIRMS[what], tmp_path, f"--answer=delete_it={yes}")
        assert (ran.code, ran.error) == (3, "consent_required"), (yes, ran)
        assert "was not used" in ran.envelope["error"]["hint"]
        assert not any("delete_it" in word for word in ran.next_argv())
    token = ran.envelope["consent"]["token"]
    for args in (("--confirm", token), ("--answer=delete_it=yes", f"--confirm={token}")):
        ran = answered(CONFIRMS[what], tmp_path, *args)
        assert (ran.code, ran.out) == (0, SAID_YES.get(what, "True") + "\n"), ran


def test_enter_takes_a_default_of_no(tmp_path: Path) -> None:
    ran = answered("print(gate(click.confirm)('Delete it?', default=False))", tmp_path, "--answer=delete_it=")
    assert (ran.code, ran.out) == (0, "False\n"), ran


SECRETS = {
    "getpass": "gate(getpass.getpass)('API key: ')",
    "click": "gate(click.prompt)('API key', hide_input=True, confirmation_prompt=True)",
    "typer": "gate(typer.prompt)('API key', hide_input=True)",
    "rich": "gate(Prompt.ask)('API key', password=True)",
    "questionary": "gate(questionary.password)('API key', default='hunter2').ask()",
    "input": "gate(input, secret=True)('API key: ')",
}


@pytest.mark.parametrize("what", SECRETS)
def test_a_secret_comes_by_answers_only_and_is_never_repeated(what: str, tmp_path: Path) -> None:
    body = f"key = {SECRETS[what]}\nprint(len(key), key == 'hunter2')\n"
    body += "require_consent('publish', 'Publish?', plan={'key': key})"
    stopped = [
        answered(body, tmp_path),
        answered(body, tmp_path, "--answer=api_key=hunter2"),
        answered(body, tmp_path, env={"AGENTGATE_ANSWERS": '{"api_key": "hunter2"}'}),
    ]
    for ran in stopped:
        assert (ran.code, ran.error) == (3, "auth_required"), ran
        assert "hunter2" not in ran.out + ran.err
        assert ran.next_argv()[-2:] == ["--answers", "-"]
        assert ran.envelope["inputs"][0]["answer"] == "stdin"
    for ran in stopped[1:]:
        assert "no secret" in ran.envelope["error"]["hint"]
    given = b'{"api_key": "hunter2"}'
    ran = answered(body, tmp_path, "--answers", "-", stdin=given)
    assert (ran.code, ran.error, ran.before_envelope.strip()) == (3, "consent_required", "7 True"), ran
    assert "hunter2" not in ran.out.replace("7 True", "")
    again = run(argv=ran.next_argv(), folder=tmp_path, stdin=given)
    assert (again.code, again.out) == (0, "7 True\n"), again
    other = run(argv=ran.next_argv(), folder=tmp_path, stdin=b'{"api_key": "another"}')
    assert other.code == 3, "the plan holds the secret, so another one is another question"


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="reads what a process was started with from /proc")
def test_the_launcher_hands_no_secret_over_in_the_environment(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(
        "import getpass, os\nfrom agentgate import gate\nstarted = open('/proc/self/environ').read()\n"
        "print(gate(getpass.getpass)('API key: '), 'hunter2' in started + str(os.environ))\n"
    )
    argv = [sys.executable, "-m", "agentgate", "run", "--answers", "-", "--", sys.executable, "app.py"]
    ran = run(argv=argv, folder=tmp_path, stdin=b'{"api_key": "hunter2"}')
    assert (ran.code, ran.out) == (0, "hunter2 False\n"), ran


def test_a_refused_secret_is_not_in_the_complaint(tmp_path: Path) -> None:
    body = "gate(click.prompt)('Pin', hide_input=True, type=int)"
    ran = answered(body, tmp_path, "--answers", "-", stdin=b'{"pin": "hunter2"}')
    assert (ran.code, ran.error) == (3, "auth_required")
    assert "hunter2" not in ran.out + ran.err


def test_a_secret_in_an_exception_is_masked_in_the_envelope(tmp_path: Path) -> None:
    body = "raise ValueError('bad key ' + gate(getpass.getpass)('API key: '))"
    ran = answered(body, tmp_path, "--answers", "-", stdin=b'{"api_key": "hunter2"}')
    assert (ran.code, ran.error) == (1, "failed")
    assert ran.envelope["message"] == "ValueError: bad key ***"


OPTIONS = """
import agentgate, click
from agentgate import gate
@click.command()
@gate(click.option)("--name", prompt="Project name")
@gate(click.option)("--port", type=int, prompt=True)
@gate(click.option)("--tone", type=click.Choice(["red", "blue"]), prompt=True, default="red")
@gate(click.option)("--given", prompt=True)
@gate(click.password_option)("--key")
@gate(click.confirmation_option)(prompt="Really?")
def main(**kw): print(sorted(kw.items()))
{start}
"""
TYPER_OPTIONS = """
import agentgate, typer
from agentgate import gate
def main(
    name: str = gate(typer.Option)(..., prompt="Project name"),
    port: int = gate(typer.Option)(..., prompt=True),
    key: str = gate(typer.Option)(..., prompt=True, hide_input=True, confirmation_prompt=True),
    given: str = gate(typer.Option)(..., prompt=True),
): print(sorted(locals().items()))
{start}
"""


@pytest.mark.parametrize("owned", [True, False], ids=["run", "launcher"])
def test_click_options_are_listed_together_and_driven_to_success(owned: bool, tmp_path: Path) -> None:
    source = OPTIONS.format(start="agentgate.run(main, without=['json'])" if owned else "main()")
    ran = run(source, folder=tmp_path, args=("--given", "x"))
    assert [one["name"] for one in ran.envelope["inputs"]] == ["name", "port", "tone", "key", "yes"], ran
    assert [one.get("flag") for one in ran.envelope["inputs"]] == ["--name", "--port", "--tone", "--key", None]
    assert ran.next_argv().count("--answers") == 1
    unfilled = run(argv=ran.next_argv(), folder=tmp_path, stdin=b'{"key": "hunter2"}')
    assert (unfilled.code, unfilled.error) == (2, "usage"), unfilled
    ran = run(argv=ran.next_argv(name="a b", port="80", tone="blue"), folder=tmp_path, stdin=b'{"key": "hunter2"}')
    assert (ran.code, ran.error) == (3, "consent_required"), ran
    assert "hunter2" not in ran.out
    ran = run(argv=ran.next_argv(), folder=tmp_path, stdin=b'{"key": "hunter2"}')
    assert ran.out == "[('given', 'x'), ('key', 'hunter2'), ('name', 'a b'), ('port', 80), ('tone', 'blue')]\n", ran
    assert ran.code == 0


def test_typer_options(tmp_path: Path) -> None:
    source = TYPER_OPTIONS.format(start="agentgate.run(lambda: typer.run(main))")
    ran = run(source, folder=tmp_path, args=("--given", "x"))
    assert [one["name"] for one in ran.envelope["inputs"]] == ["name", "port", "key"], ran
    ran = run(argv=ran.next_argv(name="a", port="80"), folder=tmp_path, stdin=b'{"key": "hunter2"}')
    assert ran.out == "[('given', 'x'), ('key', 'hunter2'), ('name', 'a'), ('port', 80)]\n", ran


FORM = """
answers = gate(questionary.form)(
    first=gate(questionary.text)("First name"),
    tone=gate(questionary.select)("Tone", choices=["red", "blue"]),
    key=gate(questionary.password)("Key"),
).ask()
print(answers)
"""
PROMPT = """
print(gate(questionary.prompt)([
    {"type": "text", "name": "first", "message": "First name"},
    {"type": "select", "name": "tone", "message": "Tone", "choices": ["red", "blue"]},
    {"type": "password", "name": "key", "message": "Key"},
]))
"""


@pytest.mark.parametrize("body", [FORM, PROMPT], ids=["form", "prompt"])
def test_questions_of_one_form_are_listed_together(body: str, tmp_path: Path) -> None:
    ran = answered(body, tmp_path)
    assert [one["name"] for one in ran.envelope["inputs"]] == ["first", "tone", "key"], ran
    ran = run(argv=ran.next_argv(first="ada", tone="blue"), folder=tmp_path, stdin=b'{"key": "hunter2"}')
    assert (ran.code, ran.out) == (0, "{'first': 'ada', 'tone': 'blue', 'key': 'hunter2'}\n"), ran


def test_all_answers_so_far_are_carried(tmp_path: Path) -> None:
    body = "print(gate(input)('First: '), gate(input)('Second: '), end=' ')\n"
    body += "print(gate(getpass.getpass)('Key: ') == 'k', gate(input)('Last: '))"
    ran = answered(body, tmp_path)
    ran = run(argv=ran.next_argv(first="a b"), folder=tmp_path)
    ran = run(argv=ran.next_argv(second="'\"\n"), folder=tmp_path)
    ran = run(argv=ran.next_argv(), folder=tmp_path, stdin=b'{"key": "k"}')
    assert ran.envelope["next"][0]["params"]["key"]["required"]
    ran = run(argv=ran.next_argv(last=""), folder=tmp_path, stdin=b'{"key": "k"}')
    assert (ran.code, ran.out) == (0, "a b '\"\n True \n"), ran


def test_answers_from_a_file_and_stdin_are_both_sent_again(tmp_path: Path) -> None:
    (tmp_path / "more.json").write_text('\ufeff{"first": "a"}', "utf-8")
    for source in (program("print(gate(input)('First: '), gate(getpass.getpass)('Key: '), gate(input)('Last: '))"),):
        for text in (source, source.replace("agentgate.run(main)", "main()")):
            (tmp_path / "app.py").write_text(text, "utf-8")
            argv = [
                sys.executable,
                "-m",
                "agentgate",
                "run",
                "--answers",
                "more.json",
                "--answers",
                "-",
                "--",
                sys.executable,
                "app.py",
            ]
            ran = run(argv=argv, folder=tmp_path, stdin=b'{"key": "hunter2"}')
            assert ran.error == "missing_input", ran
            ran = run(argv=ran.next_argv(last="z"), folder=tmp_path, stdin=b'{"key": "hunter2"}')
            assert (ran.code, ran.out) == (0, "a hunter2 z\n"), ran


def test_an_answer_that_nothing_asks_for_is_named(tmp_path: Path) -> None:
    ran = answered("gate(input)('Name: ')", tmp_path, "--answer=nmae=ada")
    assert "nmae" in ran.envelope["error"]["hint"]


def test_flags_of_the_program_are_used(tmp_path: Path) -> None:
    body = "print('--name' in sys.argv and sys.argv[-1] or gate(input, name='name', flag='--name')('Name: '))"
    ran = answered(body, tmp_path, "-v")
    assert ran.next_argv()[-3:] == ["-v", "--name", "<name>"]
    assert ran.envelope["inputs"][0]["flag"] == "--name"
    ran = run(argv=ran.next_argv(name="ada"), folder=tmp_path)
    assert (ran.code, ran.out) == (0, "ada\n"), ran
