"""Trust beside the runtime: what a vendored copy can do, what is loaded when, and what it costs."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from programs import environment, run
from trusted import Place

import agentgate
from agentgate.runtime.visible import oddities, visible


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.mark.parametrize("assurance", ["token", "once", "person"])
def test_a_vendored_copy(assurance: str, place: Place) -> None:
    package = place.folder / "tool"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(
        "from ._agentgate import require_consent, run\n"
        f"def main(): require_consent('delete', 'Delete it?', assurance={assurance!r}); print('done')\nrun(main)\n"
    )
    assert place.agentgate("vendor", "tool").code == 0
    assert not (package / "_agentgate" / "trust").exists()
    alone = {**place.env, "PYTHONPATH": str(place.folder)}
    ran = run(argv=[sys.executable, "-m", "tool"], folder=place.folder, env=alone)
    if assurance == "token":
        assert (ran.code, ran.error, ran.err) == (3, "consent_required", "")
        assert run(argv=ran.next_argv(), folder=place.folder, env=alone).out == "done\n"
        assert not place.state.exists(), "no ledger"
    else:
        assert (ran.code, ran.error) == (3, "assurance_unavailable")
        assert ran.envelope["message"].count(".") == 1
    assert run(argv=[sys.executable, "-m", "tool"], folder=place.folder, env=alone, agent=False).out == "done\n"


def test_an_unknown_assurance_is_an_error_for_everybody() -> None:
    with pytest.raises(ValueError, match="assurance"):
        agentgate.require_consent("x", assurance="twice")


@pytest.mark.parametrize("assurance", ["token", "once", "person"])
def test_a_dry_run_and_a_person_need_nothing(assurance: str, place: Place) -> None:
    body = f"require_consent('delete', 'Delete it?', assurance={assurance!r}, dry_run=True)"
    assert place.consent(body=body).code == 0
    assert place.consent(body=body.replace(", dry_run=True", ""), agent=False, stdin="terminal").code == 0
    assert not place.state.exists(), "nothing is recorded of a person's run"


def test_a_stop_with_its_row_is_quick(place: Place) -> None:
    """One generous look; `make bench` holds the limit of 60 ms on an idle machine."""
    place.write_program("require_consent('delete', 'Delete it?')")
    place.consent()
    best = min(place.consent().seconds for _ in range(5))
    plain = min(run("raise SystemExit(3)", folder=place.folder, name="plain.py").seconds for _ in range(5))
    assert best - plain < 0.4


def test_without_platformdirs_the_same_files_count(place: Place) -> None:
    """A program in another environment, whose prompts agentgate gates from outside."""
    place.write_policy("[consent]\ndefault = 'deny'\n")
    place.write_program("require_consent('delete', 'Delete it?')")
    (place.folder / "platformdirs.py").write_text("raise ModuleNotFoundError('no', name='platformdirs')\n")
    ran = run(argv=[sys.executable, "-S", "app.py"], folder=place.folder, env=place.env)
    assert (ran.code, ran.error) == (3, "policy_denied"), ran


SHOWN = {
    "plain words, größe, 日本語, Проект, مرحبا, עברית": "plain words, größe, 日本語, Проект, مرحبا, עברית",
    "a\x1b[2Jb": "a<U+001B>[2Jb",
    "a\nb\tc\rd\x00\x7f\x9b": "a<U+000A>b<U+0009>c<U+000D>d<U+0000><U+007F><U+009B>",
    "\u202eexe.txt\u2066\u200f": "<U+202E>exe.txt<U+2066><U+200F>",
    "zero\u200bwidth\ufeff\u00ad\u2060": "zero<U+200B>width<U+FEFF><U+00AD><U+2060>",
    "no\xa0break\u2003\u3000\u2028\u2029": "no<U+00A0>break<U+2003><U+3000><U+2028><U+2029>",
    "\ud800\ue000\U000e0041\ufff0": "<U+D800><U+E000><U+E0041><U+FFF0>",
    "p\u0430ypal": "p\u0430<U+0430>ypal",
    "\u0440\u0430\u0441\u0435": "\u0440<U+0440>\u0430<U+0430>\u0441<U+0441>\u0435<U+0435>",
    "\uff52\uff4d -rf": "\uff52<U+FF52>\uff4d<U+FF4D> -rf",
    "\u3164\u2800": "<U+3164><U+2800>",
    "e" + "\u0301" * 6: "e" + "\u0301" * 4 + "<U+0301>" * 2,
}


@pytest.mark.parametrize("text", SHOWN)
def test_what_could_deceive_is_made_visible(text: str) -> None:
    assert visible(text) == SHOWN[text]


def test_and_said_in_words() -> None:
    assert oddities("plain größe 日本語 Проект") == []
    assert oddities("a\u202eb p\u0430ypal") == [
        "contains characters that do not show",
        "contains letters that look like others",
    ]


def test_a_megabyte_is_made_visible_in_no_time() -> None:
    start = time.process_time()
    assert len(visible("a\u202e" * 500_000)) == 4_500_000
    assert time.process_time() - start < 10


def test_the_tests_have_a_ledger_of_their_own() -> None:
    assert "agentgate-tests" in environment(agent=True)["XDG_STATE_HOME"]
