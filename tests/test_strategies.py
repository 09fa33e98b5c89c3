"""How answers are given to the prompts that no reader can be swapped for: typed, pressed, rendered, chosen."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from programs import Ran, run

HEAD = "import asyncio, sys\nfrom agentgate import gate, run\n"


def answered(setup: str, expression: str, folder: Path, *answers: str, **how: str) -> Ran:
    library = setup.split()[1].partition(".")[0]
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    source = f"{HEAD}{setup}\ndef main():\n    print(repr({expression}))\nrun(main)\n"
    args = tuple(part for answer in answers for part in ("--answer", answer))
    return run(source, folder=folder, args=args, env=how)


PT = "import prompt_toolkit\nfrom prompt_toolkit.shortcuts import *\nfrom prompt_toolkit.validation import Validator\n"
LONG = "Validator.from_callable(lambda text: len(text) > 2, error_message='too short')"
PAIRS = "[('r', 'red'), ('b', 'blue'), ('g', 'green')]"
INQUIRER = "import inquirer\n"
ACCEPTED = {
    "a default is replaced": (PT, "gate(prompt)('Name: ', default='old')", ["name=ada"], "'ada'"),
    "an empty answer takes the default": (PT, "gate(prompt)('Name: ', default='old')", ["name="], "'old'"),
    "no key acts in an answer": (PT, "gate(prompt)('Name: ')", ["name=a\x03\x1bb"], r"'a\x03\x1bb'"),
    "refused once, then right": (PT, f"gate(prompt)('Name: ', validator={LONG})", ["name=ab", "name=abc"], "'abc'"),
    "several lines": (PT, "gate(PromptSession('Text', multiline=True).prompt)()", ["text=a\nb"], r"'a\nb'"),
    "vi": (PT, "gate(PromptSession('Text', multiline=True, vi_mode=True).prompt)()", ["text=ab"], "'ab'"),
    "awaited": (PT, "asyncio.run(gate(PromptSession('Text').prompt_async)())", ["text=ab"], "'ab'"),
    "a no": (PT, "gate(confirm)('Go?')", ["go=no"], "False"),
    "a choice": (PT, "gate(choice)('Pick', options=[(1, 'one'), (2, 'two')])", ["pick=two"], "2"),
    "a dialog": (PT, "gate(input_dialog)(text='Name', default='old').run()", ["name=ada"], "'ada'"),
    "a dialog that refuses": (
        PT,
        f"gate(input_dialog)(text='Name', validator={LONG}).run()",
        ["name=a", "name=abc"],
        "'abc'",
    ),
    "a dialog's no": (PT, "gate(yes_no_dialog)(text='Go?').run()", ["go=no"], "False"),
    "buttons": (PT, "gate(button_dialog)(text='B', buttons=[('x', 1), ('y', 2), ('z', 3)]).run()", ["b=z"], "3"),
    "a list": (PT, f"gate(radiolist_dialog)(text='R', values={PAIRS}, default='b').run()", ["r=green"], "'g'"),
    "the list's first": (PT, f"gate(radiolist_dialog)(text='R', values={PAIRS}, default='b').run()", ["r=red"], "'r'"),
    "ticks": (
        PT,
        f"gate(checkboxlist_dialog)(text='C', values={PAIRS}, default_values=['b']).run()",
        ["c=red", "c=green"],
        "['r', 'g']",
    ),
    "leaving": (PT, "gate(message_dialog)(text='Press OK to exit').run()", [], "None"),
    "awaited dialog": (PT, "asyncio.run(gate(input_dialog)(text='Name').run_async())", ["name=x"], "'x'"),
    "inquirer": (
        INQUIRER,
        "gate(inquirer.prompt)([inquirer.List('size', message='Size?', choices=[('Small', 1), ('Big', 2)]),"
        " inquirer.Text('who', message='For {size}?', validate=lambda _, text: text.isalpha()),"
        " inquirer.Checkbox('with', choices=['a', 'b', 'c'], locked=['b']),"
        " inquirer.Text('never', ignore=True, default='d')])",
        ["size=Big", "who=12", "who=bo", "with=a"],
        "{'size': 2, 'who': 'bo', 'with': ['a', 'b'], 'never': 'd'}",
    ),
    "inquirer's own default": (
        INQUIRER,
        "gate(inquirer.list_input)('L', choices=['a', 'b'], default='b')",
        ["l="],
        "'b'",
    ),
    "inquirer's no": (INQUIRER, "gate(inquirer.confirm)('Go?')", ["go=n"], "False"),
    "pick": ("import pick", "gate(pick.pick)(['red', 'blue'], 'Colour')", ["colour=blue"], "('blue', 1)"),
    "pick several": (
        "import pick",
        "gate(pick.pick)(['red', 'blue', 'green'], 'Colour', multiselect=True)",
        ["colour=red", "colour=green"],
        "[('red', 0), ('green', 2)]",
    ),
    "pick, with its choices bound": (
        "import pick, functools",
        "gate(functools.partial(pick.pick, ['red', 'blue']))('Colour')",
        ["colour=blue"],
        "('blue', 1)",
    ),
    "inquirer, with its questions bound": (
        INQUIRER + "import functools\n",
        "gate(functools.partial(inquirer.prompt, [inquirer.Text('who')]))()",
        ["who=bo"],
        "{'who': 'bo'}",
    ),
    "questionary, with its questions bound": (
        "import questionary, functools",
        "gate(functools.partial(questionary.prompt, [{'type': 'text', 'name': 'who', 'message': 'Who?'}]))()",
        ["who=bo"],
        "{'who': 'bo'}",
    ),
    "plumbum's mapping": (
        "import plumbum.cli.terminal as terminal",
        "gate(terminal.choose)('Colour', {'red': 1, 'blue': 2})",
        ["colour=blue"],
        "2",
    ),
    "plumbum converts": (
        "import plumbum.cli.terminal as terminal",
        "gate(terminal.prompt)('Port', type=int)",
        ["port=x", "port=80"],
        "80",
    ),
    "a line": ("import sys", "gate(sys.stdin.readline)()", ["answer=ada"], r"'ada\n'"),
}


@pytest.mark.parametrize(("setup", "expression", "answers", "result"), ACCEPTED.values(), ids=ACCEPTED)
def test_an_answer_gives_what_a_person_would_get(
    setup: str, expression: str, answers: list[str], result: str, tmp_path: Path
) -> None:
    ran = answered(setup, expression, tmp_path, *answers)
    assert (ran.code, ran.out) == (0, result + "\n"), ran


@pytest.mark.parametrize("reads", ["gate(sys.stdin, label={!r}).readline()", "gate(sys.stdin.readline, label={!r})()"])
def test_a_line_that_says_yes_takes_a_consent(reads: str, tmp_path: Path) -> None:
    for label, no in (("Go on? [y/N] ", "n"), ("Press Enter to continue", None)):
        expression = reads.format(label)
        asked = answered("import sys", expression, tmp_path, "go_on=y", "press_enter_to_continue=")
        assert (asked.code, asked.error) == (3, "consent_required"), asked
        agreed = run(argv=asked.next_argv(), folder=tmp_path)
        assert (agreed.code, agreed.out) == (0, repr(f"{'y' if no else ''}\n") + "\n"), agreed
        if no is not None:
            assert answered("import sys", expression, tmp_path, "go_on=n").out == "'n\\n'\n"


def test_a_dumb_terminal_asks_in_another_way(tmp_path: Path) -> None:
    ran = answered(PT, "gate(PromptSession('Text').prompt)()", tmp_path, "text=ab", TERM="dumb")
    assert (ran.code, ran.out) == (0, "'ab'\n"), ran


REFUSED = {
    "a validator": (PT, f"gate(prompt)('Name: ', validator={LONG})", ["name=ab"], "too short"),
    "no such choice": (PT, f"gate(radiolist_dialog)(text='R', values={PAIRS}).run()", ["r=pink"], "red, blue, green"),
    "no such item": ("import pick", "gate(pick.pick)(['red', 'blue'], 'Colour')", ["colour=pink"], "red, blue"),
    "inquirer": (INQUIRER, "gate(inquirer.list_input)('L', choices=['a', 'b'])", ["l=c"], "a, b"),
    "inquirer's validation": (INQUIRER, "gate(inquirer.path)('P', exists=True)", ["p=/no/where"], "/no/where"),
}


@pytest.mark.parametrize(("setup", "expression", "answers", "says"), REFUSED.values(), ids=REFUSED)
def test_a_refused_answer_ends_the_run_with_the_reason(
    setup: str, expression: str, answers: list[str], says: str, tmp_path: Path
) -> None:
    ran = answered(setup, expression, tmp_path, *answers)
    assert (ran.code, ran.error) == (3, "missing_input"), ran
    assert says in ran.envelope["message"]


def test_all_questions_of_a_list_are_asked_for_at_once(tmp_path: Path) -> None:
    questions = "[inquirer.List('size', message='Size?', choices=['S', 'M']), inquirer.Password('key', message='Key')]"
    inputs = answered(INQUIRER, f"gate(inquirer.prompt)({questions})", tmp_path).envelope["inputs"]
    assert [(one["name"], one["kind"], one["answer"]) for one in inputs] == [
        ("size", "choice", "flag"),
        ("key", "secret", "stdin"),
    ]


def test_a_renderer_and_an_input_of_a_test_are_left_alone(tmp_path: Path) -> None:
    fake = "class Fake:\n    def render(self, question, answers=None): return 'fake'\n"
    ran = answered(INQUIRER + fake, "gate(inquirer.text)('Name', render=Fake())", tmp_path)
    assert ran.out == "'fake'\n", ran
    typed = (
        "from prompt_toolkit.input import create_pipe_input\nfrom prompt_toolkit.output import DummyOutput\n"
        "def ask():\n    with create_pipe_input() as pipe:\n        pipe.send_text('typed\\r')\n"
        "        return gate(PromptSession('x', input=pipe, output=DummyOutput()).prompt)()\n"
    )
    assert answered(PT + typed, "ask()", tmp_path).out == "'typed'\n"
