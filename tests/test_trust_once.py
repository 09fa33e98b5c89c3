"""Assurance `once`, as an attacker would try it: another question, another user, twice, late, racing, killed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from programs import Ran, environment, run
from trusted import Place

ONCE = "require_consent('delete', 'Delete it?', assurance='once')"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = Place(tmp_path)
    made.write_program(ONCE)
    return made


def token_of(ran: Ran) -> str:
    return str(ran.envelope["consent"]["token"])


def hint_of(ran: Ran) -> str:
    return str(ran.envelope["error"]["hint"])


def test_it_passes_once(place: Place) -> None:
    asked = place.consent("x")
    assert (asked.envelope["consent"]["assurance"], "expires_at" in asked.envelope["consent"]) == ("once", True)
    assert place.next(asked).code == 0
    again = place.next(asked)
    assert (again.code, place.effects) == (3, 1)
    assert "was used already" in hint_of(again)
    assert token_of(again) != token_of(asked)
    assert place.next(again).code == 0
    assert place.events() == ["asked", "used", "refused", "asked", "used"]


def test_the_token_cannot_be_computed(place: Place) -> None:
    """Neither is it the stateless one of the same question, nor the same twice."""
    asked = place.consent()
    assert token_of(asked) != token_of(place.consent())
    stateless = place.consent(body=ONCE.replace(", assurance='once'", ""))
    refused = place.consent("--confirm", token_of(stateless), body=ONCE)
    assert (refused.code, place.effects) == (3, 0)
    assert "no token that was issued" in hint_of(refused)


def test_it_is_not_written_down_in_clear(place: Place) -> None:
    token = token_of(place.consent()).encode()
    assert token not in b"".join(path.read_bytes() for path in place.state.rglob("*") if path.is_file())


ELSEWHERE = {
    "argument": ("y", {}),
    "more arguments": (("x", "y"), {}),
    "order": (("b", "a"), {"asked": ("a", "b")}),
    "reason": ("x", {"body": ONCE.replace("delete", "publish")}),
    "question": ("x", {"body": ONCE.replace("Delete it?", "Delete them?")}),
    "plan": ("x", {"body": ONCE.replace("'once'", "'once', plan=['more']")}),
    "second time asked": ("x", {"body": f"{ONCE}; effect(); {ONCE}", "effects": 1}),
}


@pytest.mark.parametrize("what", ELSEWHERE)
def test_a_token_for_another(what: str, place: Place) -> None:
    args, how = ELSEWHERE[what]
    args = (args,) if isinstance(args, str) else args
    token = token_of(place.consent(*how.get("asked", ("x",))))  # type: ignore[misc]
    ran = place.consent(*args, "--confirm", token, body=how.get("body"))  # type: ignore[arg-type]
    assert (ran.code, place.effects) == (3, how.get("effects", 0)), ran
    if what in ("argument", "reason", "plan"):
        assert {"argument": "the command line differs", "reason": "the question differs", "plan": "the plan changed"}[
            what
        ] in hint_of(ran)


def test_a_token_for_another_directory(place: Place, tmp_path: Path) -> None:
    token = token_of(place.consent())
    (tmp_path / "link").symlink_to(place.folder)
    other = tmp_path / "other"
    shutil.copytree(place.folder, other)
    ran = place.consent("--confirm", token, folder=other)
    assert (ran.code, "the directory differs" in hint_of(ran)) == (3, True)
    renamed = place.folder.rename(tmp_path / "renamed")
    assert place.consent("--confirm", token, folder=renamed).code == 3
    place.folder.symlink_to(renamed)
    assert place.consent("--confirm", token).code == 3, "a symlink in its place is another physical directory"
    place.folder.unlink()
    renamed.rename(place.folder)
    assert place.consent("--confirm", token, folder=tmp_path / "link").code == 0, "the physical directory counts"


@pytest.mark.parametrize(
    "how", ["truncated", "upper case", "longer", "spaces", "null", "empty answer", "glob", "behind --"]
)
def test_a_token_that_is_not_quite_it(how: str, place: Place) -> None:
    token = token_of(place.consent())
    while not token.islower():  # all digits: nothing to put in upper case
        token = token_of(place.consent())
    given = {
        "truncated": ("--confirm", token[:11]),
        "upper case": ("--confirm", token.upper()),
        "longer": ("--confirm", token + "0"),
        "spaces": ("--confirm", f" {token}"),
        "null": ("--confirm", "0" * 12),
        "empty answer": ("--answer", "confirm=", "--confirm", "x"),
        "glob": ("--confirm", "%"),
        "behind --": ("--", "--confirm", token),
    }[how]
    ran = place.consent(*given)
    assert (ran.code, ran.error, place.effects) == (3, "consent_required", 0)
    assert place.consent("--confirm", token).code == 0, "the real one was not used up by that"


@pytest.mark.parametrize("bad", [("--confirm",), ("--confirm=",), ("--confirm", "--yes"), ("--confirm", "--")])
def test_a_confirm_without_a_value(bad: tuple[str, ...], place: Place) -> None:
    assert (place.consent(*bad).code, place.effects) == (2, 0)


def test_abbreviated_and_given_twice(place: Place) -> None:
    token = token_of(place.consent())
    assert place.consent("--conf", token).code == 3
    assert place.consent("--confirm", token, "--confirm", token).code == 0
    assert place.effects == 1


def test_several_in_one_run_take_one_token_each(place: Place) -> None:
    """Each run takes what it was given; a token for a later question is carried along until its turn."""
    place.write_program(f"{ONCE}; {ONCE.replace('Delete', 'Publish')}")
    ran, runs = place.consent(), 1
    while ran.code == 3 and runs < 6:
        ran, runs = place.next(ran), runs + 1
    assert (ran.code, runs, place.effects) == (0, 4, 1), ran
    used = [row["ref"] for row in place.rows() if row["event"] == "used"]
    assert len(used) == len(set(used)) == 3, "the first question was asked and agreed to a second time"


def test_it_expires(place: Place) -> None:
    place.write_policy("[consent]\nttl = '15m'\n")
    asked = place.consent()
    late = place.next(asked, env=place.later(901))
    assert (late.code, "has expired" in hint_of(late), place.effects) == (3, True, 0)
    assert "expired" in place.events()


@pytest.mark.parametrize(
    ("wall", "boot", "running", "over"),
    [
        (0, "same", 10, None),
        (10, "same", 10, None),
        (899, "same", 899, None),
        (900, "same", 10, "expired"),  # the calendar was set forward: rather too strict
        (-5000, "same", 10, None),  # set back, but the running clock is sure
        (-5000, "same", 901, "expired"),  # set back to keep it alive
        (10, "same", -1, "expired"),  # no such thing as a running clock that goes back
        (10, "another", 3, None),
        (-1, "another", 3, "dated in the future"),  # set back and started again
        (901, "another", 3, "expired"),
    ],
)
def test_a_clock_that_was_set_back_keeps_nothing_alive(wall: int, boot: str, running: int, over: str | None) -> None:
    from agentgate.trust.clock import Moment, is_over

    asked = Moment(1_000_000.0, "same", 5000.0)
    assert is_over(asked, 900, Moment(1_000_000.0 + wall, boot, 5000.0 + running)) == over


def test_set_back_between_two_runs(place: Place) -> None:
    """The same through whole programs, whose calendar is shifted by a start-up file."""
    place.write_policy("[consent]\nttl = 60\n")

    def at(shift: int, later: int, *args: str) -> Ran:
        return place.consent(*args, env=place.later(later, calendar=shift))

    token = token_of(at(0, 0))
    ran = at(-3600, 61, "--confirm", token)
    assert (ran.code, "has expired" in hint_of(ran), place.effects) == (3, True, 0)
    token = token_of(at(0, 0))
    assert at(-3600, 10, "--confirm", token).code == 0


def test_a_copy_of_the_ledger_does_not_bring_a_token_back(place: Place, tmp_path: Path) -> None:
    asked = place.consent()
    copy = tmp_path / "copy"
    shutil.copytree(place.state, copy, copy_function=shutil.copy2)
    os.chmod(copy / "agentgate", 0o700)
    assert place.next(asked).code == 0
    ran = run(argv=asked.next_argv(), folder=place.folder, env={**place.env, "XDG_STATE_HOME": str(copy)})
    assert (ran.code, place.effects) == (3, 1)


def test_a_ledger_put_back_to_before_the_use_is_noticed(place: Place) -> None:
    """Its last rows are gone, and the record of its end knows of them."""
    asked = place.consent()
    place.agentgate("ledger", "verify")  # brings the log into the file
    before = place.ledger.read_bytes()
    assert place.next(asked).code == 0
    for path in place.ledger.parent.glob("ledger.sqlite3*"):
        path.unlink()
    place.ledger.write_bytes(before)
    place.ledger.chmod(0o600)
    ran = place.next(asked)
    assert (ran.code, ran.error, place.effects) == (3, "ledger_unavailable", 1)
    assert list(place.ledger.parent.glob("ledger.sqlite3.damaged-*")), "moved aside, not deleted"


@pytest.mark.skipif(os.name == "nt" or os.getuid() != 0, reason="becomes another user, which only root can")
def test_another_user_cannot_use_it(place: Place) -> None:
    token = token_of(place.consent())
    for path in (place.state, *place.state.rglob("*")):
        os.chmod(path, 0o777 if path.is_dir() else 0o666)  # as open as can be
    ran = place.as_nobody("--confirm", token)
    assert (ran.code, place.effects) == (3, 0), ran
    assert ran.error == "ledger_unavailable"
    assert "another user" in ran.envelope["message"]


RACERS = 200


def test_of_two_hundred_racing_processes_one_has_it(place: Place) -> None:
    """One process that has everything loaded forks two hundred, which wait for one signal and then run."""
    token = token_of(place.consent())
    program = f"""
import os, signal, sys, time
sys.argv = ["app.py", "--confirm", {token!r}]
sys.orig_argv = [sys.executable, "app.py", "--confirm", {token!r}]
import agentgate.runtime.consent, agentgate.runtime.entry, agentgate.runtime.settling
from agentgate.trust import once, settle, ledger, record, policy_files
read, write = os.pipe()
children = []
for _ in range({RACERS}):
    child = os.fork()
    if child == 0:
        os.close(write)
        os.read(read, 1)  # all at once, when the other end is closed
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        exec(compile(open("app.py").read(), "app.py", "exec"), {{"__name__": "__main__"}})
        os._exit(0)
    children.append(child)
time.sleep(0.5)
os.close(write)
codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
print({{code: codes.count(code) for code in set(codes)}})
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=place.folder,
        env={**environment(agent=True), **place.env},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.stdout.strip() in (f"{{0: 1, 3: {RACERS - 1}}}", f"{{3: {RACERS - 1}, 0: 1}}"), done
    assert place.effects == 1
    events = place.events()
    assert events.count("used") == 1
    assert events.count("refused") == RACERS - 1
    assert place.agentgate("ledger", "verify").code == 0


def test_racing_whole_programs(place: Place) -> None:
    token = token_of(place.consent())
    with ThreadPoolExecutor(8) as pool:
        codes = list(pool.map(lambda _: place.consent("--confirm", token, limit=60).code, range(16)))
    assert (codes.count(0), codes.count(3), place.effects) == (1, 15, 1)


# Forks a process for each run, so that hundreds of steps are soon tried. One that is to be killed kills itself at
# its n-th call into the system or into SQLite while the consent is being asked; 0 is never.
KILLED = """
import json, os, signal, sys
import agentgate, agentgate.runtime.entry
from agentgate.trust import approval, ledger, once, person, policy_files, settle, tokens, verify

def killing(step):
    calls = 0
    def watch(frame, event, function):
        nonlocal calls
        module = getattr(function, "__module__", None) or type(getattr(function, "__self__", None)).__module__
        if event not in ("c_call", "c_return") or module not in ("posix", "sqlite3", "_io", "fcntl"):
            return
        if frame.f_globals.get("__name__", "").startswith("agentgate.trust"):
            calls += 1
            if calls == step:
                os.kill(os.getpid(), signal.SIGKILL)
    return watch

def attempt(step, *args):
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(write, 1)
        sys.argv = ["app.py", *args]
        sys.orig_argv = [sys.executable, "app.py", *args]
        def main():
            sys.setprofile(killing(step) if step else None)
            agentgate.require_consent("delete", "Delete it?", assurance=ASSURANCE, plan=["x"])
            sys.setprofile(None)
            with open("effects", "a") as file:
                file.write("x")
        try:
            agentgate.run(main)
        except SystemExit as stop:
            code = stop.code
            os._exit(code)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as file:
        out = file.read()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), out

def effects():
    return os.path.getsize("effects") if os.path.exists("effects") else 0

killed = passed = step = 0
while True:
    step += 1
    code, out = attempt(0)
    consent = json.loads(out.splitlines()[-1])["consent"]
    if ASSURANCE == "person":
        approval.approve(consent["id"], via="test")
    args = ["--confirm", consent["token"]] if "token" in consent else []
    before = effects()
    code, _ = attempt(step, *args)
    if code != -signal.SIGKILL:
        break
    killed += 1
    assert effects() == before, "killed inside the consent, so before the effect"
    again, _ = attempt(0, *args)
    assert again in (0, 3)
    passed += again == 0
    assert effects() == before + (again == 0)
    third, _ = attempt(0, *args)
    if ASSURANCE == "token":
        assert (again, third) == (0, 0), "a token alone has no memory"
    else:
        assert third == 3, "a second time is once too often"
    report = verify.verify()
    assert not report.problems, (step, report)
with ledger.writing() as transaction:
    uses = [row.ref if ASSURANCE != "token" else row.seq for row in transaction.rows("event = 'used'")]
assert code == 0
assert len(uses) == len(set(uses)) >= effects() > 0, "no effect without a row, no row twice"
print(json.dumps([killed, passed]))
"""


@pytest.mark.parametrize("assurance", ["token", "once", "person"])
def test_killed_at_every_step(assurance: str, place: Place) -> None:
    """Never an effect without a row before it, never two effects for one token, and the ledger stays whole."""
    done = subprocess.run(
        [sys.executable, "-c", KILLED.replace("ASSURANCE", repr(assurance))],
        cwd=place.folder,
        env={**environment(agent=True), **place.env},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done
    killed, passed = json.loads(done.stdout.splitlines()[-1])
    assert killed > 50, "the steps of a consent were met"
    # a kill after the row and before the effect costs the consent; one before the row does not
    assert passed == killed if assurance == "token" else 0 < passed < killed


def test_no_secret_and_no_password_is_in_the_ledger(place: Place) -> None:
    place.write_program(f"import getpass; gate(getpass.getpass)('Password: '); {ONCE}")
    args = ["--token", "s3cr3t-a", "--db-password=s3cr3t-b", "postgres://me:s3cr3t-c@host/db", "API_KEY=s3cr3t-d"]
    secret: dict[str, Any] = {"stdin": json.dumps({"password": "s3cr3t-e"}).encode()}
    asked = place.consent(*args, "--answers", "-", **secret)
    assert place.consent(*args, "--answers", "-", "--confirm", token_of(asked), **secret).code == 0
    found = b"".join(path.read_bytes() for path in place.state.rglob("*") if path.is_file())
    assert b"s3cr3t" not in found
    assert place.rows()[0]["command"][2:] == [
        "--token",
        "***",
        "--db-password=***",
        "postgres://me:***@host/db",
        "API_KEY=***",
    ]
