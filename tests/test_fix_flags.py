"""`fix --consent-flags`: an agent's `--yes` skips no question, a person's does."""

from __future__ import annotations

from pathlib import Path

import pytest
from programs import run

from agentgate import gate
from agentgate.fix import fix_source
from agentgate.fix.flags import DECLARED, NOT_PLAIN, OFFERED
from agentgate.lint import lint_file

HEAD = "import click\nfrom agentgate import gate\n"
CONFIRM = "click.confirm('a')"
GATED = "gate(click.confirm)('a')"
ROUTED = {
    f"if not yes and not {CONFIRM}:\n        x()": f"if not gate.consented(yes) and not {GATED}:\n        x()",
    f"return yes or {CONFIRM}": f"return gate.consented(yes) or {GATED}",
    f"if not args.yes:\n        {CONFIRM}": f"if not gate.consented(args.yes):\n        {GATED}",
    f"x = args['yes'] or {CONFIRM}": f"x = gate.consented(args['yes']) or {GATED}",
    f"x = args.get('yes', 0) or {CONFIRM}": f"x = gate.consented(args.get('yes', 0)) or {GATED}",
    f"y = not (force or x) and not {CONFIRM}": f"y = not (gate.consented(force) or x) and not {GATED}",
}
LEFT = (
    "if yes:\n        wipe()\n    elif click.confirm('a'):\n        pass",
    "if not yes:\n        click.confirm('a')\n    else:\n        wipe()",
    "if args.interactive and not click.confirm('a'):\n        pass",
    "if not yes and not click.confirm('a'):  # agentgate: ignore[AG102]\n        pass\n    x = input('b')",
)


def fixed(body: str, **options: bool) -> tuple[str, list[str]]:
    source = f"{HEAD}def main(yes, force, x, args):\n    {body}\n"
    change, left = fix_source("a.py", source.encode(), **options)
    after = change.after.decode() if change else source
    return after, [rest.reason for rest in left if rest.finding.code == "AG203"]


@pytest.mark.parametrize("body", ROUTED)
def test_what_only_skips_a_question_is_routed(body: str) -> None:
    after, left = fixed(body, consent_flags=True)
    assert after == f"{HEAD}def main(yes, force, x, args):\n    {ROUTED[body]}\n"
    assert left == []
    assert fix_source("a.py", after.encode(), consent_flags=True) == (None, [])
    assert "consented" not in fixed(body)[0]
    assert fixed(body)[1] == [OFFERED]


@pytest.mark.parametrize("body", ROUTED)
def test_it_can_be_asked_for_later(body: str) -> None:
    """What a first fix gated is routed by a second, and reported until then."""
    gated = fixed(body)[0].encode()
    assert [finding.code for finding in lint_file("a.py", gated)] == ["AG203"]
    change, left = fix_source("a.py", gated, consent_flags=True)
    assert change is not None
    assert change.after.decode() == fixed(body, consent_flags=True)[0]
    assert left == []
    assert lint_file("a.py", change.after) == []


@pytest.mark.parametrize("body", LEFT)
def test_what_does_more_is_left(body: str) -> None:
    after, left = fixed(body, consent_flags=True)
    assert "consented" not in after
    assert set(left) <= {NOT_PLAIN}
    assert after.count("wipe()") == body.count("wipe()")


def test_an_option_that_is_declared_to_confirm_stays_reported() -> None:
    source = "import click\n\n@click.confirmation_option()\ndef main(): pass\n"
    change, left = fix_source("a.py", source.encode(), consent_flags=True)
    assert change is not None
    assert [(one.finding.code, one.reason) for one in left] == [("AG203", DECLARED)]
    assert [finding.code for finding in lint_file("a.py", change.after)] == ["AG203"]


def test_the_value_itself_for_a_person_and_under_test(as_agent: None, monkeypatch: pytest.MonkeyPatch) -> None:
    flag = object()
    assert gate.consented(flag) is flag  # pytest is on the stack
    monkeypatch.delenv("CLAUDECODE")
    assert gate.consented(flag) is flag


PROGRAM = """
import sys
import click
from agentgate import gate

def main(yes):
    if not gate.consented(yes) and not gate(click.confirm)("Wipe it?"):
        return print("kept")
    print("wiped", yes)

main("--yes" in sys.argv)
"""


def test_a_whole_program(tmp_path: Path) -> None:
    person = run(PROGRAM, folder=tmp_path, agent=False, args=("--yes",))
    assert (person.code, person.out) == (0, "wiped True\n")
    stopped = run(PROGRAM, folder=tmp_path, args=("--yes",), stdin="yes")
    assert (stopped.code, stopped.error) == (3, "consent_required")
    agreed = run(folder=tmp_path, argv=stopped.next_argv())
    assert (agreed.code, agreed.out) == (0, "wiped True\n")
    refused = run(folder=tmp_path, argv=stopped.envelope["next"][1]["argv"])
    assert (refused.code, refused.out) == (0, "kept\n")
