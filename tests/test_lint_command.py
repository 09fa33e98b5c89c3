"""The commands from outside: formats, adoption, stdin, bad input, and what becomes of a reader that goes away."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from programs import ROOT, environment

from agentgate.lint.messages import RULES


def run(*arguments: str, agent: bool = False, code: int = 0, **more: Any) -> subprocess.CompletedProcess[str]:
    env = {
        **environment(agent=agent),
        "AGENTGATE_CACHE_DIR": str(ROOT / ".pytest_cache" / "agentgate"),
        "PYTHONPATH": str(ROOT),
        **more.pop("env", {}),
    }
    if "input" not in more:
        more["stdin"] = subprocess.DEVNULL
    command = [sys.executable, "-m", "agentgate", *arguments]
    done = subprocess.run(command, env=env, capture_output=True, text=True, **more)
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == code, done
    return done


def envelope(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert document["schema"] == "agentgate/v1"
    return document


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text("import click\nname = click.prompt('Name', default='x')\nbreakpoint()\n")
    (tmp_path / "b.py").write_text("y = 1\n")
    return tmp_path


def test_formats_and_exit_codes(tree: Path) -> None:
    assert "AG101" in run("lint", "a.py", cwd=tree, code=1).stdout
    assert run("lint", "b.py", cwd=tree).stdout == "No findings in 1 file.\n"
    assert run("lint", "--format", "github", cwd=tree, code=1).stdout.startswith("::error ")
    assert json.loads(run("lint", "--format", "sarif", cwd=tree, code=1).stdout)["version"] == "2.1.0"
    assert envelope(run("lint", "--format", "json", cwd=tree, code=1))["error"]["code"] == "findings"
    assert envelope(run("lint", cwd=tree, agent=True, code=1))["data"]["summary"]["findings"] == 2
    run("lint", "nothing.py", cwd=tree, code=2)
    run("lint", "--select", "AG999", cwd=tree, code=2)
    run("lint", "--jobs", "0", cwd=tree, code=2)
    assert envelope(run("lint", "nothing.py", cwd=tree, agent=True, code=2))["error"]["code"] == "usage"


def test_output_file_and_statistics(tree: Path) -> None:
    done = run("lint", "--format", "junit", "--output-file", "out.xml", cwd=tree, code=1)
    assert done.stdout.endswith("The report is in out.xml.\n")
    assert (tree / "out.xml").read_text().startswith("<?xml")
    done = run("lint", "--output-file", "out.json", cwd=tree, agent=True, code=1)
    assert envelope(done)["data"]["output_file"] == "out.json"
    assert json.loads((tree / "out.json").read_text())["data"]["summary"]["findings"] == 2
    run("lint", "--output-file", "no/where", cwd=tree, code=2)
    assert run("lint", "--statistics", cwd=tree, code=1).stdout.splitlines()[:2] == [
        "1  AG101  click.prompt",
        "1  AG107  breakpoint",
    ]


def test_configuration_and_the_options_over_it(tree: Path) -> None:
    (tree / "pyproject.toml").write_text("[tool.agentgate]\nselect = ['AG107']\n")
    assert "AG101" not in run("lint", cwd=tree, code=1).stdout
    assert "AG101" in run("lint", "--isolated", cwd=tree, code=1).stdout
    assert "AG101" in run("lint", "--select", "AG101", cwd=tree, code=1).stdout
    run("lint", "--ignore", "AG107", cwd=tree)
    run("lint", "--exclude", "a.*", cwd=tree)
    run("lint", "--exclude", "a.*", "a.py", cwd=tree, code=1)
    run("lint", "--exclude", "a.*", "--force-exclude", "a.py", cwd=tree)
    (tree / "other.toml").write_text("selct = []\n")
    assert (
        "other.toml:1: unknown key 'selct'; did you mean select?"
        in run("lint", "--config", "other.toml", cwd=tree, code=2).stderr
    )


def test_stdin(tree: Path) -> None:
    done = run("lint", "-", "--stdin-filename", "x.py", cwd=tree, code=1, input="x = input('é')\n")
    assert done.stdout.startswith("x.py:1:5: AG101")
    run("lint", "-", "a.py", cwd=tree, code=2, input="")


def test_a_baseline_holds_back_what_is_known(tree: Path) -> None:
    run("lint", "--write-baseline", "known.json", cwd=tree)
    done = run("lint", "--baseline", "known.json", cwd=tree)
    assert done.stdout == "No new findings in 2 files. 2 findings held back by the baseline.\n"
    text = (tree / "a.py").read_text()
    (tree / "a.py").write_text("# moved\n\n" + text.replace("breakpoint()", "if 1:\n    breakpoint()"))
    run("lint", "--baseline", "known.json", cwd=tree)
    run("lint", "--baseline", "known.json", "--write-baseline", "all.json", cwd=tree)
    assert (tree / "all.json").read_text() == (tree / "known.json").read_text()
    (tree / "a.py").write_text(text + "breakpoint()\n")
    done = run("lint", "--baseline", "known.json", "--json", cwd=tree, code=1)
    assert [one["line"] for one in envelope(done)["data"]["findings"]] == [4]
    run("lint", "--baseline", "a.py", cwd=tree, code=2)
    run("lint", "--baseline", "nothing.json", cwd=tree, code=2)
    assert (
        envelope(run("lint", "--write-baseline", "k.json", cwd=tree, agent=True, code=3))["error"]["code"]
        == "consent_required"
    )


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "[" * 100_000, '{"schema": "agentgate-baseline/v1", "findings": [%s]}'],
    ids=lambda text: text[:40],
)
def test_what_is_no_baseline(tree: Path, text: str) -> None:
    entry = '{"path": "", "code": "", "call": "", "text": "", "count": 1e999}'
    (tree / "known.json").write_text(text.replace("%s", entry))
    done = run("lint", "--baseline", "known.json", cwd=tree, code=2)
    assert done.stderr == "agentgate: lint: known.json: is no baseline; make one with --write-baseline known.json\n"


def test_add_ignores(tree: Path) -> None:
    assert envelope(run("lint", "--add-ignores", cwd=tree, agent=True, code=3))["consent"]["reasons"] == ["silence"]
    assert run("lint", "--add-ignores", cwd=tree).stdout == "Wrote comments for 2 findings.\n"
    assert (tree / "a.py").read_text().count("# agentgate: ignore[AG1") == 2
    assert run("lint", "--no-cache", cwd=tree).stdout == "No findings in 2 files.\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("lint --selct AG1", "unrecognized arguments: --selct; did you mean --select?"),
        ("lint a.py --formt=json", "unrecognized arguments: --formt=json; did you mean --format?"),
        ("fix --cheque --nonsense", "unrecognized arguments: --cheque --nonsense; did you mean --check?"),
        ("rule AG101 AG102", "unrecognized arguments: AG102\n"),
        ("--nonsense run x", "unrecognized arguments: --nonsense"),
        ("lint --stdin-filename x.py a.py", "--stdin-filename x.py is for a file that comes on stdin: -"),
    ],
)
def test_a_command_line_that_is_wrong(tree: Path, words: str, said: str) -> None:
    assert said in run(*words.split(), cwd=tree, code=2).stderr


def test_paths_and_options_in_any_order(tree: Path) -> None:
    found = envelope(run("lint", "a.py", "--no-cache", "b.py", "--json", cwd=tree, code=1))
    assert found["data"]["summary"]["files"] == 2


@pytest.mark.parametrize("form", ["jsonl", "github"])
def test_nothing_found_is_no_line(tree: Path, form: str) -> None:
    assert run("lint", "b.py", "--format", form, cwd=tree).stdout == ""


def test_a_name_for_stdin_is_enough(tree: Path) -> None:
    assert (
        "x/y.py:1:5: AG101" in run("lint", "--stdin-filename", "x/y.py", cwd=tree, code=1, input="x = input()\n").stdout
    )


def test_a_rule_that_is_off_is_added_to_those_that_are_on(tree: Path) -> None:
    (tree / "b.py").write_text("import os\n@app.command()\ndef f(path):\n    os.remove(path)\n")
    found = envelope(run("lint", "--extend-select", "AG201", "--json", cwd=tree, code=1))["data"]["findings"]
    assert {"AG101", "AG107", "AG201"} == {one["code"] for one in found}
    run("lint", "--extend-select", "AG2x", cwd=tree, code=2)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="has no device that is always full")
@pytest.mark.parametrize("agent", [False, True])
@pytest.mark.parametrize(
    "command",
    [
        *("lint", "lint --json", "lint --format sarif", "lint b.py", "lint --output-file r --json", "fix --diff"),
        *("fix --check --json", "init --diff", "prompts", "prompts --json", "rule", "rule --json", "detect"),
        *("policy show", "ledger verify", "vendor --check pkg", "approve --list", "--help", "--version", "lint --help"),
        *("run --help", "--schema", "commands", "completion bash", "--help --json", "lint --explain --format"),
    ],
)
def test_output_that_cannot_be_written(tree: Path, command: str, agent: bool) -> None:
    (tree / "pkg").mkdir()
    start = [sys.executable, "-m", "agentgate", *command.split()]
    more: dict[str, Any] = {"cwd": tree, "env": environment(agent=agent), "stdin": subprocess.DEVNULL}
    with open("/dev/full", "wb") as full:
        done = subprocess.run(start, stdout=full, stderr=subprocess.PIPE, **more)
    assert done.stderr == b"agentgate: the output cannot be written: No space left on device\n"
    assert done.returncode == 2


@pytest.mark.parametrize("command", ["lint b.py", "lint --format sarif b.py", "rule", "--schema", "commands"])
def test_a_reader_that_is_not_there(tree: Path, command: str) -> None:
    start = [sys.executable, "-m", "agentgate", *command.split()]
    more: dict[str, Any] = {"cwd": tree, "env": environment(agent=False), "stderr": subprocess.PIPE}
    reader, writer = os.pipe()
    os.close(reader)
    for done in (
        subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", *start], **more),
        subprocess.run(start, stdout=writer, **more),
    ):
        assert (done.stderr, done.returncode) == (b"", 0)
    os.close(writer)


@pytest.mark.parametrize(
    ("command", "code", "begins"),
    [
        ("fix --diff", 0, "--- a/a.py\n"),
        ("lint nothing.py --json", 2, '{"schema"'),
        ("lint nothing.py", 2, ""),
        ("prompts broken.py", 0, "No prompts found."),
        ("lint --cache-dir a.py/x b.py", 0, "No findings"),
    ],
)
def test_a_closed_stderr_sends_nothing_to_stdout(tree: Path, command: str, code: int, begins: str) -> None:
    (tree / "broken.py").write_text("input(\n")
    start = [sys.executable, "-m", "agentgate", *command.split()]
    closed = ["sh", "-c", 'exec "$@" 2>&-', "sh", *start]
    whole = subprocess.run(start, cwd=tree, env=environment(agent=False), capture_output=True, text=True)
    done = subprocess.run(closed, cwd=tree, env=environment(agent=False), stdout=subprocess.PIPE, text=True)
    assert (done.returncode, whole.returncode) == (code, code)
    assert done.stdout == whole.stdout
    assert done.stdout.strip().startswith(begins)
    assert bool(begins) is bool(done.stdout)


@pytest.mark.parametrize("command", ["lint a.py", "prompts a.py", "rule AG103", "commands"])
def test_a_stdout_that_cannot_hold_every_character(tree: Path, command: str) -> None:
    (tree / "a.py").write_text("input('Gr\u00f6\u00dfe: ')\n", "utf-8")
    arguments = command.split()
    code = int(arguments[0] == "lint")
    whole = run(*arguments, cwd=tree, code=code, encoding="utf-8").stdout
    done = run(*arguments, cwd=tree, code=code, env={"PYTHONIOENCODING": "ascii"})
    assert done.stdout.encode("ascii").decode("unicode-escape") == whole


@pytest.mark.parametrize("command", ["lint -", "init"])
def test_a_closed_stdin(tree: Path, command: str) -> None:
    start = ["sh", "-c", 'exec "$@" <&-', "sh", sys.executable, "-m", "agentgate", *command.split()]
    done = subprocess.run(start, cwd=tree, env=environment(agent=False), capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="has no device that is always full")
def test_a_stop_that_cannot_be_written_is_a_stop(tree: Path) -> None:
    start = [sys.executable, "-m", "agentgate", "lint", "--write-baseline", "known.json"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(start, cwd=tree, env=environment(agent=True), stdout=full, stderr=subprocess.PIPE)
    assert done.stderr == b"agentgate: the output cannot be written: No space left on device\n"
    assert done.returncode == 3
    assert not (tree / "known.json").exists()


def test_rule(tree: Path) -> None:
    listed = run("rule").stdout
    for code, rule in RULES.items():
        assert code in listed
        explained = run("rule", rule.name).stdout if code == "AG102" else ""
        assert not explained or (rule.why in explained and rule.fix in explained)
    assert envelope(run("rule", "ag102", "--json"))["data"]["rules"][0]["name"] == "consent-required"
    run("rule", "AG000", code=2)


def test_prompts(tree: Path) -> None:
    (tree / "c.py").write_text(
        "import click\n\n@click.command()\n"
        "@click.option('-n', '--full-name', prompt=True, type=click.Choice(['a', 'b']))\n"
        "@click.password_option()\ndef f(full_name, password): ...\n"
    )
    asked = envelope(run("prompts", "--json", cwd=tree))["data"]["prompts"]
    places = [(one["path"], one["line"]) for one in asked]
    assert places == sorted(places)
    byname = {one.get("name"): one for one in asked}
    assert byname["name"]["default"] == "x"
    assert byname["full_name"]["flag"] == "--full-name"
    assert byname["full_name"]["choices"] == ["a", "b"]
    assert any(one["secret"] for one in asked)
    table = run("prompts", cwd=tree).stdout.splitlines()
    assert table[0].split() == ["NAME", "KIND", "LABEL", "CHOICES", "DEFAULT", "FLAG", "PLACE"]
    assert len(table) == 1 + len(asked)
    assert run("prompts", "b.py", cwd=tree).stdout == "No prompts found.\n"


DECLARATIONS = {
    "click": """import click
from agentgate import gate
@click.command()
@gate(click.option)('-f', '--Full-Name', '--fullest-name-of-all', prompt='Your name')
@gate(click.option)('-p', prompt='The port')
@gate(click.option)('--level', 'deep', prompt=True, type=click.Choice(['a', 'b']))
@gate(click.option)('--force/--no-force', prompt='Overwrite?')
@gate(click.option)('--wipe', is_flag=True, prompt='All of it?')
@gate(click.password_option)()
@gate(click.confirmation_option)(prompt='Sure?')
def main(**given): ...
main()
""",
    "typer": """import typer
from typing import Annotated
from agentgate import gate
def main(
    full_name: Annotated[str, gate(typer.Option)(prompt='Your name')],
    port: Annotated[int, gate(typer.Option)('-p', '--the-port', prompt=True)],
    force: Annotated[bool, gate(typer.Option)(prompt='Overwrite?')],
    level: str = gate(typer.Option)('a', prompt='How deep?'),
    *,
    wipe: bool = gate(typer.Option)(False, '--wipe', prompt='All of it?'),
    key: str = gate(typer.Option)(..., prompt='Key', hide_input=True),
): ...
typer.run(main)
""",
}


@pytest.mark.parametrize("framework", DECLARATIONS)
def test_prompts_name_an_option_as_the_run_does(framework: str, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(DECLARATIONS[framework])
    told = envelope(run("prompts", "--json", cwd=tmp_path))["data"]["prompts"]
    stopped = subprocess.run(
        [sys.executable, "app.py"], cwd=tmp_path, env={**environment(agent=True), "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL, capture_output=True, text=True,
    )  # fmt: skip
    assert stopped.returncode == 3, stopped
    asked = json.loads(stopped.stdout.splitlines()[-1])["inputs"]
    assert len(asked) == len(told)
    assert {(one["name"], one["kind"], one.get("flag")) for one in told} == {
        (one["name"], one["kind"], one.get("flag")) for one in asked
    }


def test_prompts_are_only_what_asks(tree: Path) -> None:
    (tree / "b.py").write_text(
        "import click, os\n@click.command()\n@click.confirmation_option(prompt='Sure?')\ndef f():\n"
        "    try:\n        click.prompt('Name')\n    except:\n        os.getenv('CLAUDECODE')\n"
    )
    asked = envelope(run("prompts", "b.py", "--json", cwd=tree))["data"]["prompts"]
    assert [(one["code"], one["name"]) for one in asked] == [("AG104", "yes"), ("AG101", "name")]


def test_prompts_say_which_files_they_do_not_speak_of(tree: Path) -> None:
    (tree / "bad.py").write_text("input(\n")
    done = run("prompts", "bad.py", cwd=tree)
    assert done.stdout == "No prompts found.\n"
    assert done.stderr.startswith("agentgate: warning: bad.py:1 is not valid Python")
    data = envelope(run("prompts", "--json", cwd=tree))["data"]
    assert [(one["path"], one["line"]) for one in data["unreadable"]] == [("bad.py", 1)]
    assert len(data["prompts"]) == 2


def test_prompts_of_a_gated_program_are_the_same_and_its_consents_too(tree: Path) -> None:
    (tree / "gated.py").write_text(
        "import click\nfrom agentgate import gate, require_consent\n"
        "port = gate(input, flag='--port')('Port: ')\ngo = gate(input, yes='y')('Go? ')\n"
        "gate(click.confirm, name='sure')('Sure?')\n"
        "require_consent('delete', f'Delete {path}?')\n"
    )
    asked = envelope(run("prompts", "gated.py", "--json", cwd=tree))["data"]["prompts"]
    assert [(one["name"], one["kind"], one.get("flag")) for one in asked] == [
        ("port", "text", "--port"),
        ("go", "confirm", None),
        ("sure", "confirm", None),
        ("delete", "confirm", None),
    ]
    assert asked[-1]["label"] == "Delete {…}?"
    assert run("lint", "gated.py", cwd=tree).stdout == "No findings in 1 file.\n"


def test_prompts_of_a_file_that_holds_nothing_but_what_is_gated(tree: Path) -> None:
    (tree / "consent.py").write_text("from agentgate import require_consent\nrequire_consent('delete', 'Delete it?')\n")
    (tree / "line.py").write_text(
        "import sys\nfrom agentgate import gate\nprint('Name: ', end='')\n"
        "name = gate(sys.stdin, label='Name: ').readline()\n"
    )
    asked = envelope(run("prompts", "consent.py", "line.py", "--json", cwd=tree))["data"]["prompts"]
    assert [(one["name"], one["kind"], one["label"]) for one in asked] == [
        ("delete", "confirm", "Delete it?"),
        ("name", "stdin", "Name: "),
    ]


def test_bad_input_is_one_finding_each(tree: Path) -> None:
    (tree / "x.py").mkdir()
    os.mkfifo(tree / "pipe.py")
    (tree / "loop").symlink_to(tree)
    (tree / "self.py").symlink_to("self.py")
    (tree / "null.py").write_bytes(b"input(\0)")
    (tree / "latin.py").write_bytes(b"input('\xe9')\n")
    (tree / "two.py").write_text("print 'x'\nraw_input('y')\n")
    (tree / "deep.py").write_text("x = input(" + "-" * 70_000 + "1)\n")
    (tree / "long.py").write_text("x = [" + "1, " * 350_000 + "input('x')]\n")
    named = [str(one) for one in tree.iterdir() if one.name in ("x.py", "pipe.py", "self.py")]
    done = run("lint", ".", *named, "--json", cwd=tree, code=1)
    found = envelope(done)["data"]["findings"]
    unread = sorted(Path(one["path"]).name for one in found if one["code"] == "AG901")
    assert unread == ["deep.py", "latin.py", "null.py", "pipe.py", "self.py", "two.py", "x.py"]
    assert {Path(one["path"]).name for one in found} - set(unread) == {"a.py", "long.py"}
    assert len(run("lint", "long.py", cwd=tree, code=1).stdout) < 1000


@pytest.mark.parametrize("place", ["pipe", "device", "folder"])
def test_what_is_no_file_beside_one_is_not_read(tree: Path, place: str) -> None:
    module = tree / "ui.py"
    {"pipe": lambda: os.mkfifo(module), "device": lambda: module.symlink_to("/dev/zero"), "folder": module.mkdir}[
        place
    ]()
    (tree / "user.py").write_text("from ui import confirm\nconfirm('x')\n")
    assert run("lint", "user.py", cwd=tree).stdout == "No findings in 1 file.\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read anything")
def test_an_unreadable_file(tree: Path) -> None:
    (tree / "a.py").chmod(0)
    assert "AG901" in run("lint", cwd=tree, code=1).stdout


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "github", "gitlab", "sarif", "junit"])
def test_a_reader_that_goes_away(tree: Path, form: str) -> None:
    for number in range(400):
        (tree / f"n{number}.py").write_text("x = input('x')\n" * 20)
    command = f"{sys.executable} -m agentgate lint --format {form} . | head -c 10"
    env = {**environment(agent=False), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, shell=True, cwd=tree, env=env, capture_output=True, text=True)
    assert done.stderr == ""
    assert len(done.stdout) == 10


def test_colour(tree: Path) -> None:
    assert "\x1b[" in run("lint", cwd=tree, code=1, env={"FORCE_COLOR": "1"}).stdout
    assert "\x1b[" not in run("lint", cwd=tree, code=1, env={"FORCE_COLOR": "1", "NO_COLOR": "1"}).stdout


def test_a_cache_folder_that_cannot_be_written(tree: Path) -> None:
    (tree / "file").write_text("")
    past = time.time() - 100
    os.utime(tree / "a.py", (past, past))
    done = run("lint", "--cache-dir", "file/x", cwd=tree, code=1)
    assert re.fullmatch(r"agentgate: warning: the cache in .* cannot be written .*\n", done.stderr)
    assert run("lint", "--no-cache", "--cache-dir", "file/x", cwd=tree, code=1).stderr == ""
