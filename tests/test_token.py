"""The token: one for one question, whatever the command line is; what changes it, and what does not."""

from __future__ import annotations

import datetime
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from programs import Ran, run

from agentgate.runtime import answers, state, token
from agentgate.runtime.plan import digest_of_plan

WORDS = st.text(st.characters(), max_size=6)
LISTS = st.lists(
    st.one_of(WORDS, st.sampled_from(["--", "-x", "a b", "", "a", "b", "\udcff", '","', "\\", "\n"])), max_size=4
)


def of(
    monkeypatch: pytest.MonkeyPatch,
    *,
    argv: list[str] | None = None,
    used: list[tuple[str, str | None]] | None = None,
    reasons: tuple[str, ...] = ("delete",),
    question: str = "Delete it?",
    ordinal: int = 1,
    plan: object = None,
) -> str:
    monkeypatch.setattr(state, "stripped_argv", argv or [])
    monkeypatch.setattr(answers, "used", used or [])
    return token.digest(list(reasons), question, ordinal, digest_of_plan(plan))[: token.LENGTH]


# hypothesis may reuse the fixture: every example sets all that it reads
PROPERTY = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@PROPERTY
@given(one=LISTS, other=LISTS)
@example(one=["a b"], other=["a", "b"])
@example(one=["a\nb"], other=["a", "b"])
@example(one=["a", ""], other=["a"])
@example(one=['a","b'], other=["a", "b"])
@example(one=["\udcff"], other=["\\udcff"])
def test_no_two_command_lines_share_a_token(one: list[str], other: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = of(monkeypatch, argv=one), of(monkeypatch, argv=other)
    assert (first == second) is (one == other)
    assert len(first) == 12
    assert set(first) <= set("0123456789abcdef")


@PROPERTY
@given(words=LISTS, at=st.integers(0, 4))
def test_a_word_cannot_move_between_arguments(words: list[str], at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    joined = [" ".join(words[:at]), *words[at:]] if at > 1 else ["".join(words) + "\n"]
    if joined != words:
        assert of(monkeypatch, argv=words) != of(monkeypatch, argv=joined)


PAIRS = st.lists(st.tuples(WORDS, st.one_of(st.none(), WORDS)), max_size=3)


@PROPERTY
@given(one=PAIRS, other=PAIRS)
def test_answers_count_in_their_order(
    one: list[tuple[str, str | None]], other: list[tuple[str, str | None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (of(monkeypatch, used=one) == of(monkeypatch, used=other)) is (one == other)


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=3)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)),
    max_leaves=6,
)


@PROPERTY
@given(one=JSON, other=JSON)
def test_another_plan_is_another_question(one: object, other: object, monkeypatch: pytest.MonkeyPatch) -> None:
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert (of(monkeypatch, plan=one) == of(monkeypatch, plan=other)) is same


def test_each_part_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tokens = [
        of(monkeypatch),
        of(monkeypatch, argv=["x"]),
        of(monkeypatch, used=[("a", "b")]),
        of(monkeypatch, used=[("a", None)]),
        of(monkeypatch, reasons=("delete", "publish")),
        of(monkeypatch, question="Delete them?"),
        of(monkeypatch, ordinal=2),
        of(monkeypatch, plan="a"),
        of(monkeypatch, plan=""),
    ]
    monkeypatch.chdir(tmp_path)
    tokens.append(of(monkeypatch))
    assert len(set(tokens)) == len(tokens)
    (tmp_path / "link").symlink_to(tmp_path)
    monkeypatch.chdir(tmp_path / "link")
    assert of(monkeypatch) == tokens[-1], "the physical directory counts"
    assert of(monkeypatch, reasons=("a", "b")) == of(monkeypatch, reasons=("b", "a")), "reasons have no order"


@pytest.mark.parametrize(
    ("one", "same"),
    [
        ({"b": 1, "a": 2}, {"a": 2, "b": 1}),
        (("x", 1), ["x", 1]),
        ({"x", "yy", "zzz"}, {"zzz", "yy", "x"}),
        (Path("a/b"), "a/b"),
        (datetime.date(2026, 11, 30), "2026-11-30"),
    ],
)
def test_one_plan_has_one_spelling(one: object, same: object) -> None:
    assert digest_of_plan(one) == digest_of_plan(same)


def test_a_plan_without_a_spelling_is_refused() -> None:
    with pytest.raises(TypeError, match="plan"):
        digest_of_plan([object()])


def test_a_removed_directory_is_no_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert len(of(monkeypatch)) == 12


# whole programs

DELETES = """
import sys, agentgate
from agentgate import gate, require_consent
def main():
    {body}
    print("done", sys.argv[1:])
agentgate.run(main)
"""
DELETE = "require_consent('delete', 'Delete it?')"


def consented(folder: Path, *args: str, body: str = DELETE, **how: Any) -> Ran:
    return run(DELETES.format(body=body), folder=folder, args=args, **how)


def test_token_round_trip(tmp_path: Path) -> None:
    first = consented(tmp_path, "x")
    right = first.envelope["consent"]["token"]
    assert first.next_argv()[-2:] == ["--confirm", right]
    assert consented(tmp_path, "x").envelope["consent"]["token"] == right, "the same question has the same token"
    for args in (
        ("x", "--confirm", right),
        (f"--confirm={right}", "x"),
        ("--confirm", "000000000000", "x", "--confirm", right),
    ):
        ran = consented(tmp_path, *args)
        assert (ran.code, ran.out) == (0, "done ['x']\n"), ran
    for args in (("y",), ("x", "y"), ()):
        ran = consented(tmp_path, *args, "--confirm", right)
        assert (ran.code, ran.error) == (3, "consent_required")
        assert right in ran.envelope["error"]["hint"]
        assert right not in ran.next_argv()
    ran = consented(tmp_path, "x", "--", "--confirm", right)
    assert (ran.code, ran.error) == (3, "consent_required"), "what follows -- is the program's"
    assert ran.next_argv()[-5:-3] == ["--confirm", ran.envelope["consent"]["token"]]


@pytest.mark.parametrize(
    "bad", [("--confirm",), ("--confirm=",), ("--confirm", ""), ("--confirm", "--yes"), ("--confirm", "--")]
)
def test_a_confirm_without_a_value_is_a_usage_error(bad: tuple[str, ...], tmp_path: Path) -> None:
    ran = consented(tmp_path, *bad)
    assert (ran.code, ran.error) == (2, "usage"), ran


def test_no_abbreviation_and_no_other_yes(tmp_path: Path) -> None:
    right = consented(tmp_path).envelope["consent"]["token"]
    for args in (
        ("--conf", right),
        ("--yes",),
        ("-y",),
        ("--force",),
        ("--confirm", right.upper() + "0"),
        ("--confirm", "*"),
    ):
        assert consented(tmp_path, *args).code == 3, args
    for env in ({"AGENTGATE_YES": "1"}, {"AGENTGATE_CONFIRM": "yes"}, {"CI": "1"}):
        assert consented(tmp_path, env=env).code == 3, env


def test_another_directory_is_another_question(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    right = consented(tmp_path / "a").envelope["consent"]["token"]
    assert consented(tmp_path / "a", "--confirm", right).code == 0
    assert consented(tmp_path / "b", "--confirm", right).code == 3


LOOP = "[require_consent('delete', 'Delete it?') for _ in range(3)]"
TWO = "require_consent('delete', 'Delete it?'); require_consent(['publish', 'cloud:write'], 'Publish it?')"
CLICKS = "import click; [gate(click.confirm)('Delete it?', abort=True) for _ in range(3)]"


@pytest.mark.parametrize(("body", "questions"), [(LOOP, 3), (TWO, 2), (CLICKS, 3)], ids=["loop", "two", "prompts"])
def test_one_token_is_one_effect(body: str, questions: int, tmp_path: Path) -> None:
    ran, seen = consented(tmp_path, body=body), []
    while ran.code == 3:
        seen.append(ran.envelope["consent"]["token"])
        ran = run(argv=ran.next_argv(), folder=tmp_path)
    assert (ran.code, len(set(seen))) == (0, questions), ran
    assert consented(tmp_path, *[word for one in reversed(seen) for word in ("--confirm", one)], body=body).code == 0
    assert consented(tmp_path, *["--confirm", seen[0]] * questions, body=body).code == 3


def test_an_earlier_answer_counts_and_a_later_one_does_not(tmp_path: Path) -> None:
    body = "a = gate(input)('First: '); require_consent('delete', f'Delete {a}?'); b = gate(input)('Last: ')"
    asked = consented(tmp_path, "--answer=first=x", body=body)
    right = asked.envelope["consent"]["token"]
    assert consented(tmp_path, "--answer=first=x", "--answer=last=y", "--confirm", right, body=body).code == 0
    assert consented(tmp_path, "--answer=last=y", "--confirm", right, "--answer=first=x", body=body).code == 0
    assert consented(tmp_path, "--answer=first=z", "--answer=last=y", "--confirm", right, body=body).code == 3


def test_a_changed_plan_is_another_question(tmp_path: Path) -> None:
    body = "require_consent('delete', 'Delete these?', plan=sorted(__import__('os').listdir()))"
    asked = consented(tmp_path, body=body)
    assert asked.envelope["consent"]["plan"] == ["app.py"]
    right = asked.envelope["consent"]["token"]
    assert consented(tmp_path, "--confirm", right, body=body).code == 0
    (tmp_path / "new").touch()
    again = consented(tmp_path, "--confirm", right, body=body)
    assert again.envelope["consent"]["plan"] == ["app.py", "new"]
    assert "plan" in again.envelope["error"]["hint"]


def test_a_dry_run_needs_no_consent(tmp_path: Path) -> None:
    assert consented(tmp_path, body="require_consent('delete', 'Delete it?', dry_run=True)").code == 0


def test_tokens_and_answers_by_the_launcher(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(f"from agentgate import require_consent\n{TWO}\nprint('done')\n", "utf-8")
    ran = run(argv=[sys.executable, "app.py", "--confirm", "its own"], folder=tmp_path)
    for _ in range(2):
        ran = run(argv=ran.next_argv(), folder=tmp_path)
    assert (ran.code, ran.out) == (0, "done\n"), ran


def test_for_a_person_and_unattended_it_returns_at_once(tmp_path: Path) -> None:
    assert consented(tmp_path, agent=False).code == 0
    assert consented(tmp_path, "--agent", "no").code == 0
