"""Other systems' wire formats: their golden documents, and that no way out of a program escapes a format."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
import test_concurrency
from hypothesis import given
from hypothesis import strategies as st
from programs import ROOT, Ran, run
from test_stop import HEAD, REPLACED, SWALLOWED

from agentgate.surfaces import profiles

STOP_CODES = {"agentgate": 3, "permdock": 3, "burgee": 2, "joelclaw": 3, "vyre": 2}  # of a missing input


def printed(name: str, document: dict[str, Any]) -> list[str]:
    """What a profile prints, spelled as the systems' own documents are."""
    return [json.dumps(line, separators=(",", ":")) for line in profiles.render(name, document).lines]


def envelope(status: str = "ok", *, exit_code: int = 0, code: str | None = None, **parts: Any) -> dict[str, Any]:
    document = {"schema": "agentgate/v1", "ok": status == "ok", "status": status, "command": "tool list"}
    if code is not None:
        message = parts.pop("message", "It failed.")
        document |= {"message": message, "error": {"code": code, "message": message, **parts.pop("error", {})}}
    return {**document, **parts, "meta": {"exit_code": exit_code, **parts.pop("meta", {})}}


def step(command: str, when: str, **params: Any) -> dict[str, Any]:
    return {"command": command, "argv": command.split(), "when": when, **({"params": params} if params else {})}


# golden: burgee

CONSENT = envelope(
    "action_required",
    exit_code=3,
    code="consent_required",
    reason="confirm",
    message="deploying to prod needs confirmation",
    consent={"reasons": ["confirm"], "token": "0123456789ab", "assurance": "token"},
    next=[step("tool deploy --target prod --yes --json", "once you have reviewed the plan")],
)


def test_burgee_action_required() -> None:
    assert printed("burgee", CONSENT) == [
        '{"ok":false,"status":"action_required","reason":"confirm","message":"deploying to prod needs confirmation",'
        '"next":[{"command":"tool deploy --target prod --yes --json","when":"once you have reviewed the plan"}],'
        '"error":{"code":4,"message":"deploying to prod needs confirmation"}}'
    ]
    assert profiles.render("burgee", CONSENT).exit_code == 4


def test_burgee_action_required_as_text() -> None:
    assert profiles.render("burgee", CONSENT).stderr == (
        "action required (confirm): deploying to prod needs confirmation\n"
        "next:\n  tool deploy --target prod --yes --json\n"
    )


def test_burgee_success() -> None:
    provenance = {
        "target": {"source": "flag", "location": "--target"},
        "yes": {"source": "flag", "location": "--yes"},
    }
    done = envelope(data={"target": "prod", "agent": "claude-code"}, meta={"provenance": provenance})
    assert printed("burgee", done) == [
        '{"ok":true,"data":{"target":"prod","agent":"claude-code"},"meta":{"provenance":{"target":{"source":"flag",'
        '"location":"--target"},"yes":{"source":"flag","location":"--yes"}}}}'
    ]
    assert printed("burgee", envelope(data=[], meta={"changed": False})) == [
        '{"ok":true,"data":[],"meta":{"provenance":{},"changed":false}}'
    ]


@pytest.mark.parametrize(
    ("status", "code", "exit_code", "expected"),
    [
        ("failed", "failed", 1, 1),
        ("failed", "findings", 1, 1),
        ("failed", "failed", 7, 1),
        ("failed", "usage", 2, 2),
        ("failed", "configuration", 1, 3),
        ("failed", "cancelled", 1, 4),
        ("failed", "auth_required", 1, 5),
        ("failed", "interrupted", 130, 130),
        ("failed", "terminated", 143, 143),
        ("action_required", "missing_input", 3, 2),
        ("action_required", "auth_required", 3, 5),
        ("action_required", "consent_required", 3, 4),
        ("action_required", "policy_denied", 3, 4),
        ("action_required", "debugger", 3, 4),
    ],
)
def test_burgee_error_codes_are_its_exit_codes(status: str, code: str, exit_code: int, expected: int) -> None:
    rendered = profiles.render("burgee", envelope(status, exit_code=exit_code, code=code, reason=code, next=[]))
    assert rendered.lines[0]["error"]["code"] == rendered.exit_code == expected
    assert ("status" in rendered.lines[0]) is (expected == 4 and status == "action_required")


def test_burgee_failure() -> None:
    failed = envelope("failed", exit_code=1, code="failed", error={"hint": "Is it up?", "fix": "tool up"})
    assert printed("burgee", failed) == [
        '{"ok":false,"error":{"code":1,"message":"It failed.","hint":"Is it up?","fix":"tool up"}}'
    ]


# golden: joelclaw

PARAMS = {"id": {"description": "which one", "required": True}}


def test_joelclaw_success() -> None:
    following = [step("tool show <id>", "to see one", **PARAMS), step("kubectl get pods", "to see the pods")]
    assert printed("joelclaw", envelope(data={"count": 1}, next=following)) == [
        '{"ok":true,"command":"tool list","result":{"count":1},"next_actions":[{"command":"tool show <id>",'
        '"description":"to see one","params":{"id":{"description":"which one","required":true}}},'
        '{"command":"kubectl get pods","description":"to see the pods"}]}'
    ]


def test_joelclaw_failure() -> None:
    failed = envelope(
        "failed", exit_code=1, code="not_found", error={"fix": "Create it."}, next=[step("tool new", "t")]
    )
    assert printed("joelclaw", failed) == [
        '{"ok":false,"command":"tool list","error":{"message":"It failed.","code":"not_found"},"fix":"Create it.",'
        '"next_actions":[{"command":"tool new","description":"t"}],"result":null}'
    ]


def test_joelclaw_always_has_a_fix() -> None:
    stopped = {**CONSENT, "next": [step("tool deploy --confirm 0123456789ab", "once a person has agreed")]}
    assert profiles.render("joelclaw", stopped).lines[0]["fix"] == (
        "Run `tool deploy --confirm 0123456789ab` once a person has agreed."
    )
    hinted = envelope("failed", exit_code=2, code="usage", error={"hint": "See --help."})
    assert profiles.render("joelclaw", hinted).lines[0]["fix"] == "See --help."
    assert profiles.render("joelclaw", envelope("failed", exit_code=1, code="failed")).lines[0]["fix"] == "It failed."


@pytest.mark.parametrize(
    ("argv", "command"),
    [
        (["tool", "--id", "<id>"], "tool --id <id>"),
        (["tool", "--answer", "id=<id>"], "tool --answer id=<id>"),
        (["tool", "a b", "<other>"], "tool 'a b' '<other>'"),
        (["tool", "a b=<id>"], "tool 'a b=<id>'"),
    ],
)
def test_joelclaw_placeholders_are_bare_and_everything_else_is_quoted(argv: list[str], command: str) -> None:
    following = [{"command": "", "argv": argv, "when": "t", "params": PARAMS}]
    assert profiles.render("joelclaw", envelope(next=following)).lines[0]["next_actions"][0]["command"] == command


def test_joelclaw_tells_what_was_cut_in_its_own_words() -> None:
    cut = {"total": 4582, "shown": 20, "full_output": "/tmp/all"}
    for data, entries in ([["a", "b"], ["a", "b"]], [{"text": "a\nb"}, ["a", "b"]]):
        assert printed("joelclaw", envelope(data=data, meta={"truncated": cut})) == [
            '{"ok":true,"command":"tool list","result":{"lines":20,"total":4582,"truncated":true,'
            f'"full_output":"/tmp/all","entries":{json.dumps(entries, separators=(",", ":"))}}},"next_actions":[]}}'
        ]


# golden: vyre


def test_vyre_prints_bare_data() -> None:
    assert printed("vyre", envelope(data=[{"name": "a"}])) == ['[{"name":"a"}]']
    assert printed("vyre", envelope()) == ["null"]


def test_vyre_failure() -> None:
    failed = envelope("failed", exit_code=7, code="not_found", next=[step("tool new", "to make it")])
    assert printed("vyre", failed) == ['{"error":{"code":"not_found","message":"It failed.","next":"tool new"}}']
    found = envelope("failed", exit_code=1, code="findings", data=[1])
    assert printed("vyre", found) == ["[1]", '{"error":{"code":"findings","message":"It failed."}}']


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (envelope(), 0),
        (envelope("failed", exit_code=7, code="failed"), 1),
        (envelope("failed", exit_code=2, code="usage"), 2),
        (envelope("failed", exit_code=130, code="interrupted"), 130),
        (envelope("action_required", exit_code=3, code="missing_input", inputs=[{}]), 2),
        (envelope("action_required", exit_code=3, code="auth_required", inputs=[{}]), 2),
        (envelope("action_required", exit_code=3, code="auth_required"), 3),
        (CONSENT, 2),
        ({**CONSENT, "consent": {"reasons": ["delete"], "assurance": "person", "id": "01234567"}}, 3),
        (envelope("action_required", exit_code=3, code="policy_denied"), 3),
    ],
)
def test_vyre_exit_codes(document: dict[str, Any], expected: int) -> None:
    assert profiles.render("vyre", document).exit_code == expected


# permdock: no document of its own is public


def test_permdock_has_what_its_page_names() -> None:
    assert profiles.render("permdock", CONSENT) == (
        [
            {
                "status": "action_required",
                "error": {"code": "consent_required", "message": "deploying to prod needs confirmation"},
                "consent": {"reasons": ["confirm"], "token": "0123456789ab"},
                "next": [
                    {
                        "command": "tool deploy --target prod --yes --json",
                        "when": "once you have reviewed the plan",
                    }
                ],
            }
        ],
        3,
        "",
    )


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("missing_input", "missing_input"),
        ("auth_required", "auth_required"),
        ("policy_denied", "consent_required"),
        ("debugger", "consent_required"),
    ],
)
def test_permdock_stops_with_one_of_three_codes(code: str, expected: str) -> None:
    stopped = profiles.render("permdock", envelope("action_required", exit_code=4, code=code))
    assert (stopped.lines[0]["error"]["code"], stopped.exit_code) == (expected, 3)
    failed = profiles.render("permdock", envelope("failed", exit_code=1, code="findings", data={"found": 1}))
    assert (failed.lines[0]["data"], failed.exit_code) == ({"found": 1}, 1)


# all of them

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
WORDS = st.lists(st.text(min_size=1), min_size=1, max_size=4)
STEPS = st.lists(
    st.builds(
        lambda argv, when, params: {"command": " ".join(argv), "argv": argv, "when": when, **params},
        WORDS,
        st.text(min_size=1),
        st.just({}) | st.just({"params": PARAMS}),
    ),
    min_size=1,
    max_size=2,
)
ENVELOPES = st.one_of(
    st.builds(lambda data, next: envelope(data=data, next=next), JSON, STEPS),
    st.builds(
        lambda data, code, exit_code: envelope("failed", code=code, exit_code=exit_code, data=data),
        JSON,
        st.sampled_from(["usage", "failed", "findings", "interrupted", "whatever"]),
        st.integers(1, 255),
    ),
    st.builds(
        lambda next, code, parts: envelope("action_required", exit_code=3, code=code, reason=code, next=next, **parts),
        STEPS,
        st.sampled_from(["missing_input", "consent_required", "auth_required", "policy_denied", "whatever"]),
        st.sampled_from([{}, {"inputs": [{}]}, {"consent": CONSENT["consent"]}]),
    ),
)


@given(ENVELOPES)
def test_every_envelope_renders_in_every_profile(document: dict[str, Any]) -> None:
    before = json.dumps(document)
    for name in profiles.NAMES:
        rendered = profiles.render(name, document)
        assert rendered.lines
        assert all(json.loads(json.dumps(line)) == line for line in rendered.lines)
        assert (rendered.exit_code == 0) is document["ok"]
    assert json.dumps(document) == before, "a profile is a pure function"


def test_an_unknown_name_is_refused() -> None:
    for call in (profiles.use, lambda name: profiles.render(name, envelope())):
        with pytest.raises(ValueError, match="agentgate, permdock, burgee, joelclaw, vyre"):
            call("curl")


# whole programs: no way out escapes the format


def _workers(method: str, how: str) -> str:
    return f"{test_concurrency.HEAD}{test_concurrency.WORK % method}    {test_concurrency.PROCESSES[how]}\n"


WAYS = {
    **SWALLOWED,
    **REPLACED,
    "thread": "import threading, time\nthreading.Thread(target=gate(input), args=('Name: ',)).start(); time.sleep(5)",
    **{f"{how}, {method}": _workers(method, how) for method in ("fork", "spawn") for how in ("Process", "Pool.map")},
}


@pytest.mark.parametrize("way", WAYS)
def test_a_stop_keeps_its_format_whatever_becomes_of_it(way: str, tmp_path: Path) -> None:
    name = ("burgee", "vyre")[list(WAYS).index(way) % 2]
    (tmp_path / "precious").write_text("", "utf-8")
    ran = run(f"{HEAD}{WAYS[way]}\n", folder=tmp_path, env={"AGENTGATE_ENVELOPE": name})
    document = json.loads(ran.out.rstrip("\n").rpartition("\n")[2])
    assert ran.out.count('"error"') == 1, ran
    consent = way == "consent thrown away"
    code = document["error"]["code"]
    if name == "burgee":
        assert code == ran.code == (4 if consent else 2)
    else:
        assert (ran.code, code) == (2, "consent_required" if consent else "missing_input")


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_worker_has_the_format_that_its_program_chose(method: str, tmp_path: Path) -> None:
    body = (
        "from agentgate.surfaces import profiles; profiles.use('burgee')\n    " + test_concurrency.PROCESSES["Process"]
    )
    ran = run(f"{test_concurrency.HEAD}{test_concurrency.WORK % method}    {body}\n", folder=tmp_path)
    assert (ran.code, json.loads(ran.out)["error"]["code"]) == (2, 2), ran


@pytest.mark.parametrize("name", profiles.NAMES)
def test_a_program_that_stops_fails_or_is_misused(name: str, tmp_path: Path) -> None:
    source = """
        import sys, agentgate
        def main():
            if sys.argv[1:] == ["fail"]: raise ValueError("broken")
            agentgate.gate(input)("Name: ")
        agentgate.run(main)
        """
    for args, code in ((), STOP_CODES[name]), (("fail",), 1), (("--confirm",), 2):
        ran = run(source, folder=tmp_path, args=args, env={"AGENTGATE_ENVELOPE": name})
        assert ran.code == code, ran
        document = json.loads(ran.out.splitlines()[-1])
        assert ("schema" in document) is (name == "agentgate")
        assert document["error"]["message"]


def test_the_programs_own_choice_wins(tmp_path: Path) -> None:
    source = """
        from agentgate import gate
        from agentgate.surfaces import profiles
        profiles.use("agentgate")
        gate(input)("Name: ")
        """
    assert run(source, folder=tmp_path, env={"AGENTGATE_ENVELOPE": "vyre"}).error == "missing_input"


@pytest.mark.parametrize("start", ["agentgate.run(main)", "try: main()\nexcept: pass\nprint('went on')"])
def test_an_unknown_format_in_the_environment_is_a_usage_error(start: str, tmp_path: Path) -> None:
    ran = run(
        f"import agentgate\ndef main(): agentgate.gate(input)('Name: ')\n{start}\n",
        folder=tmp_path,
        env={"AGENTGATE_ENVELOPE": "xml"},
    )
    assert (ran.code, ran.error) == (2, "usage")
    assert "AGENTGATE_ENVELOPE is 'xml'" in ran.envelope["message"]
    assert "went on" not in ran.out


def test_burgees_text_is_on_stderr(tmp_path: Path) -> None:
    source = "from agentgate import require_consent\nrequire_consent('delete', 'Delete it?')\n"
    ran = run(source, folder=tmp_path, env={"AGENTGATE_ENVELOPE": "burgee"})
    assert ran.err.startswith("action required (delete): Delete it?\nnext:\n  ")
    assert json.loads(ran.out)["reason"] == "delete"


def test_a_program_may_choose_the_exit_code_of_a_stop(tmp_path: Path) -> None:
    source = """
        import sys, agentgate
        def main():
            try: agentgate.gate(input)("Name: ")
            except SystemExit:
                if sys.argv[1:]: sys.exit(0)
        agentgate.run(main, exit_code=75)
        """
    for args in ((), ("exits",)):
        ran = run(source, folder=tmp_path, args=args)
        assert (ran.code, ran.error, ran.envelope["meta"]["exit_code"]) == (75, "missing_input", 75)
    ran = run(source, folder=tmp_path, env={"AGENTGATE_ENVELOPE": "vyre"})
    assert ran.code == 2, "the format has a code of its own"


# on command lines

APPS = sorted((ROOT / "fixtures" / "apps").glob("*_app.py"))


@pytest.fixture(params=APPS, ids=lambda path: path.stem)
def app(request: pytest.FixtureRequest) -> list[str]:
    return [sys.executable, str(request.param)]


def one(ran: Ran) -> dict[str, Any]:
    """The one document that is all of stdout."""
    (line,) = ran.out.splitlines()
    document: dict[str, Any] = json.loads(line)
    return document


def test_burgee_on_three_parsers(app: list[str], tmp_path: Path) -> None:
    asked = run(argv=[*app, "deploy", "prod", "--release", "1", "--json", "--envelope", "burgee"], folder=tmp_path)
    document = one(asked)
    assert list(document) == ["ok", "status", "reason", "message", "next", "error"]
    assert (asked.code, asked.err, document["error"]["code"]) == (4, "", 4)
    following = shlex.split(document["next"][0]["command"])
    assert "--json" in following, "the caller's own words are carried on"
    done = run(argv=following, folder=tmp_path)
    assert done.code == 0
    assert one(done) == {
        "ok": True,
        "data": {"target": "prod", "release": "1", "size": 1},
        "meta": {
            "provenance": {
                "target": {"source": "flag", "location": one(done)["meta"]["provenance"]["target"]["location"]},
                "release": {"source": "flag", "location": "--release"},
                "size": {"source": "default", "location": "--size"},
            },
            "changed": True,
        },
    }


@pytest.mark.parametrize("agent", [True, False], ids=["agent", "person"])
def test_burgee_leaves_stderr_empty_of_usage_errors_in_json(app: list[str], agent: bool, tmp_path: Path) -> None:
    for args in (["deploy", "mars"], ["nothing"], ["status", "--confirm"], ["rollback", "prod"]):
        ran = run(argv=[*app, *args, "--json", "--envelope", "burgee"], folder=tmp_path, agent=agent)
        assert (one(ran)["error"]["code"], ran.err) == (ran.code, ""), ran
    text = run(argv=[*app, "deploy", "mars", "--no-json", "--envelope", "burgee"], folder=tmp_path, agent=agent)
    assert "usage:" in text.err.lower()


@pytest.mark.parametrize("agent", [True, False], ids=["agent", "person"])
def test_every_outcome_in_every_format(app: list[str], agent: bool, tmp_path: Path) -> None:
    codes = {"agentgate": (0, 1, 2, 3), "permdock": (0, 1, 2, 3), "burgee": (0, 1, 2, 5), "joelclaw": (0, 1, 2, 3)}
    outcomes = (["status"], ["rollback", "prod"], ["deploy", "mars"], ["login", "--agent", "yes"])
    for name, expected in {**codes, "vyre": (0, 1, 2, 2)}.items():
        for args, code in zip(outcomes, expected, strict=True):
            ran = run(argv=[*app, *args, "--envelope", name], folder=tmp_path, agent=agent)
            assert ran.code == code, ran
            assert ("error" in one(ran)) is (code != 0)


def test_an_unknown_format_on_the_command_line_is_a_usage_error(app: list[str], tmp_path: Path) -> None:
    ran = run(argv=[*app, "status", "--envelope", "xml"], folder=tmp_path)
    assert (ran.code, ran.error) == (2, "usage")
    assert "--envelope is 'xml'" in ran.envelope["message"]


def test_what_is_wrong_with_our_own_options_is_told_in_the_format_too(app: list[str], tmp_path: Path) -> None:
    for agent in (True, False):
        ran = run(argv=[*app, "status", "--envelope=vyre", "--json", "--confirm"], folder=tmp_path, agent=agent)
        assert (ran.code, one(ran)["error"]["code"]) == (2, "usage")


def test_agentgate_itself_speaks_them(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("print(input('Name: '))\n", "utf-8")
    command = [sys.executable, "-m", "agentgate", "lint", "app.py", "--envelope"]
    found = run(argv=[*command, "vyre"], folder=tmp_path)
    data, error = map(json.loads, found.out.strip().splitlines())
    assert (found.code, data["findings"][0]["code"], error["error"]["code"]) == (1, "AG101", "findings")


OWN = """
    import click
    from agentgate.integrations.click import run
    @click.command()
    @click.option("--view")
    @click.option("--envelope")
    @click.option("--format")
    def main(**given):
        return given
    run(main)
    """


def test_options_that_a_program_has_of_its_own_are_its_own(tmp_path: Path) -> None:
    ran = run(OWN, folder=tmp_path, args=("--view", "a", "--envelope", "vyre", "--format", "text"))
    assert ran.envelope["data"] == {"view": "a", "envelope": "vyre", "format": "text"}
