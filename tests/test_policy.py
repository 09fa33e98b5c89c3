"""The policy: which file decides, what is refused, and that nothing but a person's word loosens it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from programs import ROOT, run
from trusted import Place

from agentgate.trust import policy, policy_files

DELETE = "require_consent('delete', 'Delete it?')"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = Place(tmp_path)
    made.write_program(DELETE)
    return made


def parsed(text: str, origin: str = "user", path: str = "policy.toml") -> policy.Policy:
    found = policy_files.parse(text.encode(), path, origin)
    assert found is not None
    return found


def required(*files: tuple[str, str], assurance: str = "token", **of: Any) -> str:
    policies = tuple(parsed(text, origin) for origin, text in files)
    consent: dict[str, Any] = {"reasons": ("delete",), "program": "app", "agents": ("claude-code", "claude"), **of}
    return policy.decide(policies, assurance=assurance, **consent).require


def rule(require: str, **globs: object) -> str:
    return "[[consent.rule]]\n" + "".join(f"{k} = {v!r}\n" for k, v in {**globs, "require": require}.items())


def test_without_a_file_it_is_a_token() -> None:
    assert required() == "token"
    assert [required(assurance=one) for one in ("once", "person")] == ["once", "person"]
    assert policy.ttl(()) == 15 * 60
    assert policy.unattended(()).require == "allow"


@pytest.mark.parametrize("level", policy.LEVELS)
def test_each_level_as_default_and_as_rule(level: str) -> None:
    assert required(("user", f"[consent]\ndefault = '{level}'")) == level
    assert required(("user", rule(level, reason="delete"))) == level


def test_the_last_matching_rule_of_a_file_wins() -> None:
    text = (
        "[consent]\ndefault = 'deny'\n"
        + rule("person", reason="*")
        + rule("once", reason="delete")
        + rule("deny", reason="x")
    )
    assert required(("user", text)) == "once"
    assert required(("user", text), reasons=("publish",)) == "person"


def test_across_files_the_strictest_wins() -> None:
    for strict in policy.LEVELS:
        for other in policy.LEVELS:
            both = [("site", f"[consent]\ndefault='{strict}'"), ("user", f"[consent]\ndefault='{other}'")]
            stricter = max(strict, other, key=policy.LEVELS.index)
            assert required(*both) == required(*reversed(both)) == stricter


def test_a_project_can_only_tighten() -> None:
    for level in policy.LEVELS:
        project = ("project", f"[consent]\ndefault = '{level}'\nttl = '2h'\n" + rule(level))
        stricter = max(level, "token", key=policy.LEVELS.index)
        assert required(project) == stricter
        assert required(("user", rule("person")), project) == ("deny" if level == "deny" else "person")
        assert required(("user", rule("allow")), project) == level, "what the user allows, the project may forbid"
    assert policy.ttl((parsed("[consent]\nttl = '2h'", "project"),)) == policy.DEFAULT_TTL
    assert policy.ttl((parsed("[consent]\nttl = 60", "project"),)) == 60
    assert policy.ttl((parsed("[consent]\nttl = '2h'", "user"), parsed("[consent]\nttl = '1h'", "site"))) == 3600


def test_the_stricter_of_program_and_policy_wins() -> None:
    for level in policy.LEVELS:
        for assurance in ("once", "person"):
            stricter = max(level, assurance, key=policy.LEVELS.index)
            assert required(("user", rule(level)), assurance=assurance) == stricter
    assert required(("user", rule("allow"))) == "allow", "what a program asks for by saying nothing can be waived"


def test_globs_over_reason_program_and_agent() -> None:
    text = rule("person", reason=["cloud:*", "delete"], program="app*", agent="claude")
    assert required(("user", text)) == "person", "the family counts as well as the name"
    assert required(("user", text), reasons=("cloud:write",)) == "person"
    for other in ({"reasons": ("Delete",)}, {"program": "tool"}, {"agents": ("cursor", "cursor")}, {"agents": ("",)}):
        assert required(("user", text), **other) == "token"
    assert required(("user", text), reasons=("harmless", "delete")) == "person", "the strictest of several reasons"


MALFORMED = {
    "[consent\n": 1,
    "\n[consent]\ndefault = 'yes'\n": 3,
    "[consent]\n\nttl = 'soon'\n": 3,
    "[consent]\nttl = 0\n": 2,
    "[consent]\nttl = true\n": 2,
    "[consent]\nttl = '40d'\n": 2,
    "[consent]\nunattended = false\n": 2,
    "[consent]\ndefalt = 'deny'\n": 2,
    "[consents]\n": 1,
    "[consent]\n[[consent.rule]]\nrequire = 'token'\n[[consent.rule]]\nrequire = 'maybe'\n": 4,
    "[[consent.rule]]\nreason = 'x'\n": 1,
    "[[consent.rule]]\nreasons = 'x'\nrequire = 'deny'\n": 1,
    "[[consent.rule]]\nreason = []\nrequire = 'deny'\n": 1,
    "[[consent.rule]]\nreason = [1]\nrequire = 'deny'\n": 1,
    "consent = 1\n": 1,
    "[consent]\nrule = 1\n": 2,
    "[approve]\nnotify = 'notify-send'\n": 2,
    "[approve]\nnotifi = []\n": 2,
    "a = 1\na = 2\n": 2,
    f"a = {'9' * 5000}\n": 1,
    f"a = {'[' * 20_000}\n": 1,
    "\ufffe": 1,
}


@pytest.mark.parametrize("text", MALFORMED, ids=lambda text: text[:40])
def test_a_malformed_policy_names_its_file_and_line(text: str) -> None:
    with pytest.raises(policy_files.PolicyError) as error:
        policy_files.parse(text.encode(), "policy.toml", "user")
    assert str(error.value).startswith(f"policy.toml:{MALFORMED[text]}: "), error.value
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("where", ["user", "site", "project"])
def test_a_malformed_policy_denies(where: str, place: Place) -> None:
    token = place.consent().envelope["consent"]["token"]
    path = place.write_policy("[consent]\ndefault = 'allows'\n", where=where)
    ran = place.consent("--confirm", token)
    assert (ran.code, ran.error, place.effects) == (3, "policy_denied", 0)
    assert f"{path}:2:" in ran.envelope["message"]
    checked = place.agentgate("policy", "check")
    assert (checked.code, f"{path}:2:" in checked.out) == (1, True)
    assert place.agentgate("policy", "check", agent=True).error == "findings"
    assert place.agentgate("policy", "show").code == 1


@pytest.mark.parametrize("body", [DELETE, "import click; gate(click.confirm)('Go on?', abort=True)"])
def test_a_malformed_policy_denies_whoever_runs_it_alone(body: str, place: Place) -> None:
    """Under `--agent no`, and where nobody is there (of a prompt, the program's own reader decides then)."""
    assert place.consent("--agent", "no", body=body, stdin=b"y\n").code == 0
    assert place.consent(agent=False, stdin=b"y\n").code == 0
    path = place.write_policy("[consent]\ndefault = 'allows'\n")
    ran = place.consent("--agent", "no", stdin=b"y\n")
    assert (ran.code, ran.error, f"{path}:2:" in ran.envelope["message"]) == (3, "policy_denied", True)
    if body == DELETE:
        ran = place.consent(agent=False, stdin=b"y\n")
        assert (ran.code, ran.error, f"{path}:2:" in ran.err) == (3, "policy_denied", True)


def test_the_users_own_notify_command_counts_before_the_sites() -> None:
    mine, sites = "[approve]\nnotify = ['mine']", "[approve]\nnotify = ['sites']"
    assert policy.notify_command((parsed(sites, "site"), parsed(mine, "user"))) == ("mine",)
    assert policy.notify_command((parsed(sites, "site"), parsed("", "user"))) == ("sites",)
    assert policy.notify_command(()) == ()


def _symlink(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to(path.with_name("elsewhere"))


def _special(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


UNSAFE = {
    "a symbolic link": _symlink,
    "no plain file": _special,
    "a folder": _folder,
    "can be written by others": lambda path: path.chmod(0o602),
    "larger than a megabyte": lambda path: path.write_text("#" * 1_100_000),
}


@pytest.mark.parametrize("where", ["user", "site"])
@pytest.mark.parametrize("problem", UNSAFE)
def test_a_policy_file_that_is_not_to_be_believed_denies(problem: str, where: str, place: Place) -> None:
    path = place.write_policy("[consent]\ndefault = 'allow'\n", where=where)
    assert place.consent().code == 0
    UNSAFE[problem](path)
    ran = place.consent(limit=10)
    assert (ran.code, ran.error) == (3, "policy_denied"), ran
    assert problem in ran.envelope["message"]
    assert str(path) in ran.envelope["message"]


@pytest.mark.parametrize("problem", [*UNSAFE])
def test_so_does_a_projects(problem: str, place: Place) -> None:
    path = place.write_policy("[consent]\ndefault = 'token'\n", where="project")
    UNSAFE[problem](path)
    ran = place.consent(limit=10)
    expected = "can be written by" if "written" in problem else problem
    assert (ran.code, ran.error, expected in ran.envelope["message"]) == (3, "policy_denied", True), ran


@pytest.mark.skipif(os.getuid() != 0, reason="gives a file to another user, which only root can")
def test_a_policy_of_another_user_denies(place: Place) -> None:
    path = place.write_policy("[consent]\ndefault = 'allow'\n")
    os.chown(path, 65534, 65534)
    ran = place.consent()
    assert (ran.error, "belongs to another user" in ran.envelope["message"]) == ("policy_denied", True)


def test_the_nearest_project_file_counts(place: Place) -> None:
    (place.folder.parent / "agentgate.toml").write_text("[consent]\ndefault = 'deny'\n")
    assert place.consent().error == "policy_denied"
    (place.folder / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert place.consent().error == "policy_denied", "a pyproject.toml that says nothing about agentgate is none"
    (place.folder / "pyproject.toml").write_text(
        "[tool.agentgate]\nselect = ['AG1']\n[tool.agentgate.consent]\ndefault = 'once'\n"
    )
    assert place.consent().envelope["consent"]["assurance"] == "once"
    (place.folder / "agentgate.toml").write_text("select = ['AG1']\n")
    assert place.consent().envelope["consent"]["assurance"] == "token", "lint's settings alone are no policy"


LINTED = """select = ["AG101"]
exclude = ["old"]
[{0}consent]
default = "once"
ttl = "10m"
unattended = "deny"
[[{0}consent.rule]]
reason = "delete"
require = "person"
"""
INLINE = """[tool]
agentgate = {select = ["AG101"], exclude = ["old"], consent = {default = "once", ttl = "10m", unattended = "deny", \
rule = [{reason = "delete", require = "person"}]}}
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("agentgate.toml", LINTED.format("")),
        ("pyproject.toml", "[tool.agentgate]\n" + LINTED.format("tool.agentgate.")),
        ("pyproject.toml", INLINE),
        ("pyproject.toml", '[tool."agentgate"]\n' + LINTED.format("tool . 'agentgate'.")),
    ],
)
def test_one_project_file_serves_the_linter_and_the_policy(name: str, text: str, place: Place) -> None:
    (place.folder / name).write_text(text)
    (place.folder / "asks.py").write_text("name = input('Name: ')\nbreakpoint()\n")
    for command in (["lint"], ["prompts"], ["fix", "--check"]):
        ran = place.agentgate(*command, ".")
        assert (ran.code, "AG107" in ran.out, ran.err) == (0 if command == ["prompts"] else 1, False, ""), ran
    assert "AG101" in place.agentgate("lint", ".").out
    assert place.agentgate("policy", "check").out == "1 policy, all in order.\n"
    assert place.consent().envelope["consent"]["assurance"] == "person"
    assert place.consent(body="require_consent('x')").envelope["consent"]["assurance"] == "once"
    assert place.consent(agent=False, stdin="null").error == "policy_denied"


def test_a_project_that_says_nothing_about_consents_may_lie_anywhere(place: Place) -> None:
    """A file that others can write, or a symbolic link, is refused for a policy and no matter for anything else."""
    path = place.folder / "pyproject.toml"
    path.write_text("[project]\ndependencies = ['agentgate-consent']\n[tool.agentgate]\nselect = ['AG1']\n")
    path.chmod(0o666)
    assert place.consent().error == "consent_required"
    _symlink(path)
    assert place.consent().error == "consent_required"


@pytest.mark.parametrize("text", ["[project]\nname =\n", "\x00", "[tool.ruff]\nx = 'consent'\n"])
def test_other_peoples_files_are_left_alone(text: str, place: Place) -> None:
    path = place.folder / "pyproject.toml"
    path.write_text(text)
    path.chmod(0o666)
    assert place.consent().error == "consent_required"


def test_a_project_cannot_name_a_command(place: Place) -> None:
    place.write_policy("[approve]\nnotify = ['touch', 'evil']\n", where="project")
    ran = place.consent(body="require_consent('x', assurance='person')")
    assert (ran.error, "cannot name a command" in ran.envelope["message"]) == ("policy_denied", True)
    assert not (place.folder / "evil").exists()


@pytest.mark.parametrize("level", policy.LEVELS)
def test_what_each_level_does_to_a_program(level: str, place: Place) -> None:
    """`require_consent` and a gated yes/no question alike."""
    for body, reason in ((DELETE, "delete"), ("import click; gate(click.confirm)('Go on?', abort=True)", "confirm")):
        place.write_policy(rule(level, reason=reason))
        ran = place.consent(body=body)
        if level == "allow":
            assert ran.code == 0, ran
            assert place.events()[-1] == "allowed"
            continue
        assert (ran.code, ran.error) == (3, "policy_denied" if level == "deny" else "consent_required")
        if level != "deny":
            assert ran.envelope["consent"]["assurance"] == level
        if level in ("token", "once"):
            assert place.next(ran).code == 0


def test_a_deny_says_who_denies(place: Place) -> None:
    path = place.write_policy("\n" + rule("deny", reason="del*"))
    ran = place.consent()
    assert f"{path}:2" in ran.envelope["message"]
    assert ran.envelope["next"][0]["argv"][-2:] == ["policy", "show"]
    assert place.events() == ["forbidden"]
    assert place.consent("--confirm", "0" * 12).code == 3


def test_no_environment_variable_takes_a_policy_away(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is set, the files of the account's own home and of /etc/xdg are looked for as well."""
    from agentgate.trust import places

    pwd = pytest.importorskip("pwd")
    home = pwd.getpwuid(os.getuid()).pw_dir
    for name, value in (("HOME", "/nowhere"), ("XDG_CONFIG_HOME", "/nowhere"), ("XDG_CONFIG_DIRS", "/nowhere")):
        monkeypatch.setenv(name, value)
    own = [f"{home}/.config/agentgate/policy.toml"] if os.access(home, os.X_OK) else []  # an account without a home
    assert places.user_policies() == ["/nowhere/agentgate/policy.toml", *own]
    assert places.site_policies() == ["/nowhere/agentgate/policy.toml", "/etc/xdg/agentgate/policy.toml"]


# who runs the program

PERSON = "require_consent('delete', 'Delete it?', assurance='person')"


def test_agent_no_waives_a_token_and_not_a_person_or_a_deny(place: Place) -> None:
    for how in ({"args": ("--agent", "no")}, {"env": {"AGENTGATE_AGENT": "no"}}):
        args, env = how.get("args", ()), how.get("env", {})
        assert place.consent(*args, env=env, body=DELETE).code == 0  # type: ignore[misc]
        ran = place.consent(*args, env=env, body=PERSON)  # type: ignore[misc]
        assert (ran.code, ran.error) == (3, "consent_required")
        path = place.write_policy(rule("deny", reason="delete"))
        ran = place.consent(*args, env=env, body=DELETE)  # type: ignore[misc]
        assert (ran.code, ran.error) == (3, "policy_denied")
        path.unlink()
        assert place.consent(*args, env=env, agent=False, body=PERSON).code == 0, "no agent, so nothing to waive"  # type: ignore[misc]


def test_nor_does_it_for_a_gated_question(place: Place) -> None:
    body = "import click; gate(click.confirm)('Go on?', abort=True); print(gate(input)('Name: '))"
    answers = b"y\nada\n"
    assert place.consent("--agent", "no", body=body, stdin=answers).code == 0
    place.write_policy(rule("person", reason="confirm"))
    ran = place.consent("--agent", "no", stdin=answers)
    assert (ran.code, ran.error) == (3, "consent_required")
    assert place.consent("--agent", "no", body="print(gate(input)('Name: '))", stdin=answers).code == 0


COMMAND = """import click
    @click.command()
    {options}
    def main(**given): print(given); effect()
    main(standalone_mode=False); sys.exit(0)"""
TYPER = """import typer
    def main(yes: bool = gate(typer.Option)(False, prompt='Go on?')): print(yes); effect()
    typer.run(main)"""
# a program that asks whether to go on, in one of the ways that are no plain call; `y` is what stdin offers
ASKS = {
    "confirmation_option": COMMAND.format(options="@gate(click.confirmation_option)(prompt='Go on?')"),
    "option": COMMAND.format(options="@gate(click.option)('--yes', is_flag=True, prompt='Go on?')"),
    "typer": TYPER,
    "stdin": "print('Go on? [y/N]', end=''); "
    "gate(sys.stdin, label='Go on? [y/N]', yes='y').readline() == 'y\\n' or sys.exit(1)",
    "a function of the program": "gate(lambda question: input(question), kind='confirm')('Go on?')",
    "later": "gate.later(input)('Go on? [y/N] ') == 'y' or sys.exit(1)",
    "pause": "gate(input)('Press Enter to continue')",
    "several in one call": "import questionary; "
    "questionary.prompt([{'type': 'confirm', 'name': 'go', 'message': 'Go on?'}])['go'] or sys.exit(1)",
    "--yes": "gate.consented('--yes' in sys.argv) or gate(input)('Go on? [y/N] ') == 'y' or sys.exit(1)",
}


@pytest.mark.parametrize("how", ASKS)
def test_nor_does_it_for_a_question_that_is_no_plain_call(how: str, place: Place) -> None:
    args = ["--agent", "no", *(["--yes"] if how == "--yes" else [])]
    body = ASKS[how].replace("questionary.prompt(", "gate(questionary.prompt)(")
    stdin = "yes" if how == "several in one call" else b"y\n" * 9
    if how != "several in one call":  # which takes a terminal
        assert place.consent(*args, body=body, stdin=stdin).code == 0
        assert place.effects == 1
    before = place.effects
    for level, code in (("person", "consent_required"), ("deny", "policy_denied")):
        place.write_policy(rule(level, reason=["confirm", "proceed"]))
        ran = place.consent(*args, body=body, stdin=stdin)
        assert (ran.code, ran.error, place.effects) == (3, code, before), ran
    place.write_policy(rule("deny", reason="another"))
    if how not in ("several in one call", "--yes"):
        assert place.consent(*args, body=body, stdin=stdin).code == 0, "of another reason"


def test_a_form_without_consents_is_the_programs_own(place: Place) -> None:
    """An option for a value beside one that is held prompts as it did."""
    both = "@gate(click.option)('--name', prompt=True)\n    @gate(click.confirmation_option)(prompt='Go on?')"
    place.write_policy(rule("person", reason="confirm"))
    ran = place.consent("--agent", "no", body=COMMAND.format(options=both), stdin=b"ada\ny\n")
    assert (ran.code, ran.error, place.effects) == (3, "consent_required", 0)
    asks = COMMAND.format(options="@gate(click.option)('--name', prompt=True)")
    ran = place.consent("--agent", "no", body=asks, stdin=b"ada\n")
    assert (ran.code, "{'name': 'ada'}" in ran.out) == (0, True), ran


def test_the_unattended_pass_unless_a_policy_says_no(place: Place) -> None:
    assert place.consent(agent=False, stdin="null").code == 0
    path = place.write_policy("[consent]\nunattended = 'deny'\n")
    ran = place.consent(agent=False, stdin="null")
    assert (ran.code, ran.error, place.effects) == (3, "policy_denied", 1)
    assert str(path) in ran.err
    assert place.consent(agent=False, stdin="terminal").code == 0, "a person at a terminal is not unattended"
    path.write_text("[consent]\nunattended = 'allow'\n")
    place.write_policy("[consent]\nunattended = 'deny'\n", where="project")
    assert place.consent(agent=False, stdin="null").code == 3, "a project may tighten that too"


def test_a_person_is_asked_when_the_program_wants_it(place: Place) -> None:
    from programs import at_terminal, environment

    place.write_program("require_consent('delete', 'Delete it\\x1b[2J?', plan=['a.txt'], ask_person=True)")
    for typed, code in (("y\n", 0), ("\n", 1), ("no\n", 1)):
        ended, screen, _ = at_terminal(
            [sys.executable, "app.py"], [typed], folder=place.folder, env={**environment(agent=False), **place.env}
        )
        assert (ended, "Delete it<U+001B>[2J? [y/N]" in screen, "  a.txt" in screen) == (code, True, True), screen
        assert ("Nothing was done." in screen) is (code == 1)
    assert place.effects == 1
    piped = ["/bin/sh", "-c", f"yes | {sys.executable} app.py"]
    env = {**environment(agent=False), **place.env}
    assert at_terminal(piped, ["n\n"], folder=place.folder, env=env)[0] == 1, "a piped y is no answer"
    assert place.effects == 1


# the command


def test_set_writes_what_show_shows(place: Place) -> None:
    for words in (
        ["default", "once"],
        ["ttl", "10m"],
        ["notify", "notify-send", "agentgate"],
        ["rule", "reason=cloud:*", "reason=delete", "agent=claude", "require=person"],
        ["unattended", "deny"],
    ):
        assert place.agentgate("policy", "set", *words).code == 0
    shown = place.agentgate("policy", "show", "--reason", "delete", "--by", "claude", agent=True).envelope["data"]
    assert (shown["require"], shown["ttl"], shown["unattended"]) == ("person", 600, "deny")
    assert shown["notify"] == ["notify-send", "agentgate"]
    path = place.config / "agentgate" / "policy.toml"
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert "10m" in path.read_text()
    text = place.agentgate("policy", "show").out
    assert "required of any other consent: once" in text
    assert str(path) in place.agentgate("policy", "path").out
    assert place.agentgate("policy", "check", str(path)).code == 0
    assert [one.name for one in path.parent.iterdir()] == ["policy.toml"], "nothing is left beside it"


@pytest.mark.parametrize(
    "words",
    [
        ["default", "maybe"],
        ["nothing", "x"],
        ["ttl", "0"],
        ["ttl", "9" * 5000],
        ["rule", "require"],
        ["rule", "reason=x"],
        ["default", "once", "x"],
    ],
    ids=lambda words: " ".join(words)[:40],
)
def test_a_setting_that_does_not_exist_changes_nothing(words: list[str], place: Place) -> None:
    ran = place.agentgate("policy", "set", *words)
    assert (ran.code, ran.err.count("\n")) == (2, 1), ran
    assert not (place.config / "agentgate").exists()


@pytest.mark.parametrize("text", ["[consent\n", "\n[consent]\ndefalt = 'deny'\n"])
def test_set_does_not_touch_a_malformed_file(text: str, place: Place) -> None:
    path = place.write_policy(text)
    ran = place.agentgate("policy", "set", "default", "once")
    assert (ran.code, ran.err.count("\n"), path.read_text()) == (2, 1, text), ran
    assert f"{path}:{text.count(chr(10))}:" in ran.err


def test_a_file_that_cannot_be_written_whole_is_as_it_was(place: Place) -> None:
    path = place.write_policy("[consent]\ndefault = 'person'  # why\n")
    startup = place.folder / "startup"
    startup.mkdir()
    (startup / "sitecustomize.py").write_text(
        "import resource, signal\nresource.setrlimit(resource.RLIMIT_FSIZE, (9, 9))\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    )
    ran = place.agentgate("policy", "set", "ttl", "5m", env={"PYTHONPATH": f"{startup}{os.pathsep}{ROOT}"})
    assert (ran.code, ran.err.count("\n"), "cannot be written" in ran.err) == (2, 1, True), ran
    assert path.read_text() == "[consent]\ndefault = 'person'  # why\n"
    assert [one.name for one in path.parent.iterdir()] == ["policy.toml"]
    assert "comments were not kept" in place.agentgate("policy", "set", "ttl", "5m").out


def test_an_agent_needs_a_person_to_change_it(place: Place) -> None:
    asked = place.agentgate("policy", "set", "default", "allow", agent=True)
    assert (asked.code, asked.envelope["consent"]["assurance"]) == (3, "person")
    assert 'default = "allow"' in asked.envelope["consent"]["plan"]["after"]
    for words in (["--agent", "no", "policy", "set"], ["policy", "set"]):
        env = {"AGENTGATE_AGENT": "no"}
        assert place.agentgate(*words, "default", "allow", agent=True, env=env).code == 3
    assert not (place.config / "agentgate").exists()
    assert place.approve(asked.envelope["consent"]["id"])[0] == 0
    assert run(argv=asked.envelope["next"][1]["argv"], folder=place.folder, env=place.env).code == 0
    assert place.consent().code == 0
