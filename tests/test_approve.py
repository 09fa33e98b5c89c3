"""Assurance `person`: what the agent gets, what the person sees, who may approve, and that it is good once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from programs import environment, run
from trusted import Place, code_on, identifier

PERSON = "require_consent('delete', 'Delete it?', plan=['a.txt', 'b.txt'], assurance='person')"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = Place(tmp_path)
    made.write_program(PERSON)
    return made


def test_the_whole_way(place: Place) -> None:
    asked = place.consent("x")
    document = asked.envelope
    name = identifier(asked)
    assert (asked.code, asked.error, document["consent"]["assurance"]) == (3, "consent_required", "person")
    assert "token" not in document["consent"], "nothing that could be sent back"
    assert document["consent"]["expires_at"].endswith("Z")
    assert [step["argv"][-2:] for step in document["next"]] == [["approve", name], ["app.py", "x"]]
    assert "--confirm" not in json.dumps(document)
    code, screen = place.approve(name)
    assert (code, "Approved" in screen) == (0, True), screen
    assert place.next(asked, 1).code == 0
    assert place.effects == 1
    again = place.next(asked, 1)
    assert (again.code, place.effects) == (3, 1), "it passed once"
    assert identifier(again) != name
    assert place.events() == ["asked", "approved", "used", "asked"]
    used, approved = place.rows()[2], place.rows()[1]
    assert approved["by"]["uid"] == os.getuid()
    assert used["by"] == approved["by"], "who gave it stands in the row of its use"
    assert used["ref"] == approved["ref"] == 1


def test_the_same_question_keeps_its_id_while_it_waits(place: Place) -> None:
    assert identifier(place.consent()) == identifier(place.consent())
    assert place.events() == ["asked"]


def test_the_person_sees_what_was_recorded(place: Place) -> None:
    _, screen = place.approve(identifier(place.consent("--force", "x y")))
    plain = screen.replace("\r\n", "\n")
    for text in (
        f"{sys.executable} app.py --force 'x y'",
        f"directory  {place.folder}",
        "reason  delete",
        "question  Delete it?",
        "agent  claude (told by CLAUDECODE)",
        "| a.txt",
        "| b.txt",
    ):
        assert text in plain
    assert plain.index("a.txt") < plain.index("   command  "), "the command line stands next to the prompt"


def test_another_code_is_a_no(place: Place) -> None:
    asked = place.consent()
    for typed in ("y", "yes", "", "AAAA"):
        code, screen = place.approve(identifier(asked), types=typed)
        assert (code, "Not approved" in screen) == (1, True), screen
    assert place.next(asked, 1).code == 3
    assert place.effects == 0
    codes = {code_on(place.approve(identifier(asked), types="no")[1]) for _ in range(3)}
    assert len(codes) == 3, "the code is another each time"


@pytest.mark.parametrize("changed", ["argument", "directory", "plan", "reason", "answer", "policy file"])
def test_an_approval_is_for_that_question_alone(changed: str, place: Place, tmp_path: Path) -> None:
    body = "gate(input)('Name: '); require_consent('delete', 'Delete it?', plan=['a'], assurance='person')"
    asked = place.consent("--answer=name=x", body=body)
    assert place.approve(identifier(asked))[0] == 0
    args, how = ["--answer=name=x"], {}
    if changed == "argument":
        args.append("y")
    elif changed == "answer":
        args = ["--answer=name=y"]
    elif changed == "directory":
        renamed = place.folder.rename(tmp_path / "renamed")
        how["folder"] = renamed
    elif changed == "plan":
        place.write_program(body.replace("['a']", "['a', 'b']"))
    elif changed == "reason":
        place.write_program(body.replace("'delete'", "'publish'"))
    else:
        place.write_policy("[[consent.rule]]\nrequire = 'deny'\n")
    assert place.consent(*args, **how).code == 3  # type: ignore[arg-type]
    assert not list(tmp_path.rglob("effects"))


def test_an_agent_cannot_approve(place: Place) -> None:
    name = identifier(place.consent())
    ran = place.agentgate("approve", name, agent=True)
    assert (ran.code, ran.error) == (3, "person_required")
    for mode in ("no", "0"):
        ran = place.agentgate("approve", name, agent=True, env={"AGENTGATE_AGENT": mode})
        assert (ran.code, "claude" in ran.err) == (3, True), ran
    ran = place.agentgate("--agent", "no", "approve", name, agent=True)
    assert ran.code != 0
    assert place.events() == ["asked"]


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="reads the environment of parents from /proc")
def test_an_agent_that_clears_its_environment_is_seen_in_its_parents(place: Place) -> None:
    """`env -u CLAUDECODE agentgate approve` at a pseudo-terminal: the shell above still has the variable."""
    name = identifier(place.consent())
    inner = [sys.executable, "-m", "agentgate", "approve", name]
    script = (
        "import os, pty, sys, json\n"
        "del os.environ['CLAUDECODE']\n"
        f"sys.exit(os.waitstatus_to_exitcode(pty.spawn({inner!r})))"
    )
    ran = run(argv=[sys.executable, "-c", script], folder=place.folder, env=place.env, agent=True, stdin=b"")
    assert ran.code == 3, ran
    assert "which started this one" in ran.out
    assert place.events() == ["asked"]


def test_a_persons_shell_that_inherited_an_agents_environment_is_refused(place: Place) -> None:
    name = identifier(place.consent())
    code, screen = place.approve(name, env={"CURSOR_AGENT": "1"})
    assert (code, "CURSOR_AGENT" in screen) == (3, True)
    code, screen = place.approve(name, env={"CURSOR_TRACE_ID": "1"})
    assert code == 0, "a person's terminal inside the editor has it too"


def test_without_a_terminal_nobody_can_approve(place: Place) -> None:
    name = identifier(place.consent())
    for stdin in ("null", "closed", b"aaaa\n"):
        ran = run(
            argv=[sys.executable, "-m", "agentgate", "approve", name],
            folder=place.folder,
            env=place.env,
            agent=False,
            stdin=stdin,  # type: ignore[arg-type]
        )
        # where the tests themselves are run by an agent, that is what is found first
        assert ran.code in (2, 3), ran
        assert ran.err.count("\n") == 1, ran
    assert place.events() == ["asked"]


def test_a_terminal_that_is_handed_over_is_not_the_persons(place: Place) -> None:
    """An agent's pseudo-terminal as stdin, in a session without a controlling one."""
    name = identifier(place.consent())
    inner, outer = os.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "agentgate", "approve", name],
            cwd=place.folder,
            env={**environment(agent=False), **place.env},
            stdin=outer,
            capture_output=True,
            start_new_session=True,
            timeout=15,
        )
    finally:
        os.close(inner)
        os.close(outer)
    assert done.returncode in (2, 3), done  # 3 where an agent runs the tests
    assert place.events() == ["asked"]


def test_in_the_background_nobody_can_approve(place: Place) -> None:
    """What is typed at the terminal goes to another program then."""
    code, screen = place.approve(identifier(place.consent()), background=True)
    assert (code, "runs in the background" in screen) == (2, True), screen
    assert place.events() == ["asked"]


def test_what_was_typed_ahead_does_not_count(place: Place) -> None:
    """Lines that wait in the terminal before the code is shown are thrown away."""
    code, screen = place.approve(identifier(place.consent()), ahead="yes\n")
    assert (code, "yes" in screen) == (0, True), screen


def test_list_and_deny(place: Place) -> None:
    assert place.agentgate("approve", "--list").out == "No question waits for you.\n"
    asked = place.consent()
    name = identifier(asked)
    listed = place.agentgate("approve", "--list")
    assert (name in listed.out, "pending" in listed.out) == (True, True)
    data = place.agentgate("approve", "--list", agent=True).envelope["data"]["waiting"]
    assert [one["id"] for one in data] == [name]
    for agent, who in ((False, "A person"), (True, "An agent")):
        assert place.agentgate("approve", "--deny", name, agent=agent).code == 0
        again = place.next(asked, 1)
        assert (again.code, identifier(again)) == (3, name)
        assert f"{who} said no to this" in again.envelope["error"]["hint"]
        _, screen = place.approve(name, types="no")
        assert f"{who} said no to this before." in screen
    code, _ = place.approve(name)
    assert code == 0, "who said no may think again"
    assert place.next(asked, 1).code == 0


def test_a_plan_that_changed_after_the_approval_is_said(place: Place) -> None:
    body = "import os; require_consent('x', 'Go?', plan=sorted(os.listdir('d')), assurance='person')"
    (place.folder / "d").mkdir()
    (place.folder / "d" / "old").touch()
    asked = place.consent(body=body)
    assert place.approve(identifier(asked))[0] == 0
    (place.folder / "d" / "new").touch()
    ran = place.next(asked, 1)
    assert (ran.code, place.effects, identifier(ran) != identifier(asked)) == (3, 0, True)
    hint = ran.envelope["error"]["hint"]
    assert f"The approval of {identifier(asked)} is not for this: the plan changed: added 'new'." in hint
    other = place.consent("x").envelope["error"]["hint"]
    assert "The approval" not in other, "of another command line, which needs no word"
    (place.folder / "d" / "new").unlink()
    assert place.next(asked, 1).code == 0


@pytest.mark.parametrize("bad", [[], ["nothere1"], ["--deny", "nothere1"], ["--list", "x"], ["../../etc/passwd"]])
def test_what_does_not_exist_is_one_sentence(bad: list[str], place: Place) -> None:
    ran = place.agentgate("approve", *bad, agent="--deny" in bad)
    # a process above these tests may be an agent's
    assert ran.code in (2, 3), ran
    assert ran.err.count("\n") == 1


def test_it_expires(place: Place) -> None:
    place.write_policy("[consent]\nttl = '15m'\n")
    asked = place.consent()
    name = identifier(asked)
    assert place.approve(name)[0] == 0
    late = place.next(asked, 1, env=place.later(901))
    assert (late.code, place.effects) == (3, 0), "the approval was not used in time"
    assert identifier(late) != name
    code, screen = place.approve(identifier(late), env=place.later(1803))
    assert (code, "has expired" in screen) == (2, True), screen
    assert "expired" in place.events()
    assert place.agentgate("approve", "--list", env=place.later(1803)).out == "No question waits for you.\n"


def test_a_person_is_notified_once_and_learns_only_the_id(place: Place) -> None:
    place.write_program("require_consent('delete', 'Look: $(touch evil)', assurance='person')")
    script = place.folder / "notify.py"
    script.write_text(
        "import sys, os\nopen('told', 'a').write(sys.argv[-1] + '\\n')\n".replace(
            "'told'", repr(str(place.folder / "told"))
        )
    )
    place.write_policy(f"[approve]\nnotify = [{sys.executable!r}, {str(script)!r}]\n")
    asked = place.consent()
    place.next(asked, 1)
    told = place.folder / "told"
    deadline = time.monotonic() + 10
    while not told.exists() or not told.read_text():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    time.sleep(0.3)
    assert (
        told.read_text() == f"An agent waits for your consent. Look at it with: agentgate approve {identifier(asked)}\n"
    )


def test_a_notify_command_that_does_not_start_is_a_warning(place: Place) -> None:
    place.write_policy("[approve]\nnotify = ['/nowhere/notify']\n")
    ran = place.consent()
    assert (ran.code, "warning: the notify command did not start" in ran.err) == (3, True)


NASTY = "\\x1b[2J\\x1b]0;owned\\x07\\x9b31m\\u202egnp.exe\\u2066\\u200b\\r\\nApproved\\x00\\ud800" + "p\\u0430ypal"


def test_nothing_that_is_shown_can_act_on_the_terminal(place: Place) -> None:
    plan = f"['{NASTY}', {{'k{NASTY}': '{NASTY}'}}]"
    place.write_program(f"require_consent(['delete', '{NASTY}'], '{NASTY}', plan={plan}, assurance='person')")
    asked = place.consent("arg\x1b[2J\u202e", env={"AI_AGENT": "bot\x1b[31m\u202e"})
    name = identifier(asked)
    _, screen = place.approve(name, types="no")
    shown = [screen]
    for command in (["approve", "--list"], ["ledger", "list"], ["ledger", "show", "1"]):
        ran = place.agentgate(*command)
        assert (ran.code, ran.err) == (0, ""), ran
        shown.append(ran.out)
    for text in shown:
        plain = text.replace("\r\n", "\n")
        assert text
        for character in ("\x1b", "\x07", "\x00", "\x9b", "\r", "\u202e", "\u2066", "\u200b", "\ud800"):
            assert character not in plain, (character, text)
    for number in ("<U+001B>", "<U+202E>", "<U+0430>", "<U+000A>"):
        assert number in screen
    assert "contains letters that look like others" in screen
    assert "\nApproved" not in screen.replace("\r\n", "\n"), "a line break cannot forge a line"


def test_a_label_of_a_megabyte_is_cut_and_counted(place: Place) -> None:
    place.write_program(
        "require_consent('delete', 'm' * 1_000_000, plan='p' * 1_000_000 + '\\n' * 5000, assurance='person')"
    )
    asked = place.consent()
    assert len(asked.envelope["consent"]["plan"]) < 10_000
    assert asked.envelope["meta"]["truncated"] == ["consent.plan"]
    _, screen = place.approve(identifier(asked), types="no")
    assert len(screen) < 40_000
    assert "CHARACTERS MORE, NOT SHOWN" in screen
    assert "LINES MORE: agentgate ledger show" in screen
    assert f"{sys.executable} app.py" in screen


def test_a_plan_that_was_changed_on_disk_is_not_shown(place: Place) -> None:
    name = identifier(place.consent())
    (plan,) = (place.state / "agentgate" / "plans").iterdir()
    plan.write_text('["nothing at all"]')
    code, screen = place.approve(name)
    assert (code, "was changed after it was recorded" in screen) == (2, True)
    assert place.agentgate("ledger", "verify").code == 1


def test_another_secret_needs_another_approval(place: Place) -> None:
    body = "import getpass; gate(getpass.getpass)('Password: '); require_consent('x', 'Go?', assurance='person')"
    place.write_program(body)

    def with_secret(secret: str) -> object:
        return place.consent("--answers", "-", stdin=json.dumps({"password": secret}).encode())

    asked = with_secret("hunter22")
    assert place.approve(identifier(asked))[0] == 0  # type: ignore[arg-type]
    assert with_secret("other-one").code == 3  # type: ignore[attr-defined]
    assert with_secret("hunter22").code == 0  # type: ignore[attr-defined]
    everything = b"".join(path.read_bytes() for path in place.state.rglob("*") if path.is_file())
    assert b"hunter22" not in everything


def test_the_environment_of_the_tests_is_a_persons() -> None:
    assert "CLAUDECODE" not in environment(agent=False)
