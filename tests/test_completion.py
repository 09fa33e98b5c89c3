"""Completion scripts, asked in the real shells for what they would offer."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from itertools import cycle
from pathlib import Path

import pytest
from programs import ROOT, at_terminal, environment, run

from agentgate.integrations import common

APPS = sorted((ROOT / "fixtures" / "apps").glob("*_app.py"))
HOSTILE = '$(touch broken) `touch broken` "it\'s" %(x)s 100% [a]: \\'

# what a shell could trip over: nested commands, aliases, hidden ones, files, and texts full of its own characters
RICH = f"""
import argparse
from agentgate.integrations.argparse import run
top = argparse.ArgumentParser(prog="rich")
top.add_argument("-v", "--verbose", action="count", help={HOSTILE.replace("%", "%%")!r})
top.add_argument("--color", action=argparse.BooleanOptionalAction)
commands = top.add_subparsers(required=True)
add = commands.add_parser("add", aliases=["new"], help={HOSTILE.replace("%", "%%")!r})
add.add_argument("kind", choices=["red", "dark-blue", "two words", "$(touch broken)"])
add.add_argument("files", nargs="*", type=argparse.FileType())
add.add_argument("-m", "--mode", action="append", choices=["fast", "slow"], metavar="A:B")
add.add_argument("--out", type=argparse.FileType("w"))
add.add_argument("--secret-way", help=argparse.SUPPRESS)
database = commands.add_parser("db", help="The data").add_subparsers(required=True)
database.add_parser("migrate-all", help="Go").add_argument("--to", choices=["v1", "v2"])
database.add_parser("drop")
commands.add_parser("hidden", help=argparse.SUPPRESS)
run(lambda: print(top.parse_args()), top)
"""
OURS = {option.flag for option in common.OPTIONS if not option.of_program}
# what is typed, and what may follow
OFFERS: list[tuple[list[str], set[str]]] = [
    ([""], {"add", "new", "db"}),
    (["a"], {"add"}),
    (["--verbose", ""], {"add", "new", "db"}),
    (["add", ""], {"red", "dark-blue"}),
    (["new", "d"], {"dark-blue"}),
    (["add", "--m"], {"--mode"}),
    (["add", "--mode", ""], {"fast", "slow"}),
    (["add", "--json", "red", ""], {"one.txt", "two words.txt"}),
    (["add", "--out", "o"], {"one.txt"}),
    (["db", ""], {"migrate-all", "drop"}),
    (["db", "migrate-all", "--to", ""], {"v1", "v2"}),
]
IN_BASH = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
[[ $(complete -p "$1") =~ -F\\ ([^ ]+) ]]
"${BASH_REMATCH[1]}" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""
ZSHRC = """
autoload -U compinit
case $HOW in
  folder) fpath=($ZDOTDIR $fpath); compinit -u -D;;
  source) compinit -u -D; source $ZDOTDIR/_rich;;
  eval) compinit -u -D; eval "$(cat $ZDOTDIR/_rich)";;
esac
rich() { : }
setopt no_beep no_always_last_prompt; zstyle ':completion:*' verbose no; LISTMAX=999; PROMPT='> '
"""


@pytest.fixture
def rich(tmp_path: Path) -> Path:
    """The folder to complete in."""
    folder = tmp_path / "here"
    folder.mkdir()
    (folder / "one.txt").touch()
    (folder / "two words.txt").touch()
    return folder


def script(rich: Path, shell: str, name: str | None = None) -> str:
    """The file with the script that the program gave, to an agent too."""
    done = run(RICH, folder=rich.parent, args=("completion", shell), agent=True)
    assert (done.code, done.err) == (0, "")
    path = rich.parent / (name or shell)
    path.write_text(done.out, "utf-8")
    return str(path)


def offered(command: list[str], folder: Path) -> set[str]:
    done = subprocess.run(
        command, cwd=folder, env=environment(agent=False, HOME=str(folder)), capture_output=True, text=True, timeout=20
    )
    assert done.stderr == ""
    return {line.partition("\t")[0] for line in done.stdout.splitlines() if line}


def test_bash_offers_what_may_follow(rich: Path) -> None:
    path = script(rich, "bash")
    for typed, follows in OFFERS:
        assert offered(["bash", "-c", IN_BASH, "bash", path, "rich", *typed], rich) == follows, typed
    flags = offered(["bash", "-c", IN_BASH, "bash", path, "rich", "add", "--"], rich)
    assert flags == {*OURS, "--help", "--mode", "--out"}
    assert not (rich / "broken").exists()


@pytest.mark.skipif(not shutil.which("fish"), reason="fish is not here")
def test_fish_offers_what_may_follow(rich: Path) -> None:
    path = script(rich, "fish")
    for typed, follows in OFFERS:
        line = " ".join(["rich", *typed])
        assert offered(["fish", "-N", "-c", f"source {path}; complete -C '{line}'"], rich) == follows, typed
    assert not (rich / "broken").exists()


@pytest.mark.skipif(not shutil.which("zsh"), reason="zsh is not here")
def test_zsh_offers_what_may_follow(rich: Path) -> None:
    script(rich, "zsh", "_rich")
    (rich.parent / ".zshrc").write_text(ZSHRC, "utf-8")
    ways = cycle(["folder", "source", "eval"])
    # one word is filled in at once, and what was filled in cannot be told from what was typed
    for typed, follows in [(typed, follows) for typed, follows in OFFERS if len(follows) > 1]:
        env = environment(agent=False, ZDOTDIR=str(rich.parent), HOW=next(ways), TERM="dumb")
        line = " ".join(["rich", *typed])
        _, shown, _ = at_terminal(["zsh", "-i"], [line + "\t", "\t", "\x15exit\n"], folder=rich, env=env)
        listed = shown.replace("\\ ", " ").partition(line)[2]
        assert all(one in listed for one in follows), (typed, shown)
        assert "hidden" not in listed
    assert not (rich / "broken").exists()


def test_powershell_gets_a_script_under_both_of_its_names(rich: Path) -> None:
    text = Path(script(rich, "powershell")).read_text("utf-8")
    assert text == Path(script(rich, "pwsh")).read_text("utf-8")
    assert "Register-ArgumentCompleter -Native -CommandName rich" in text
    assert "'_shtab_rich_db' = @('migrate-all', 'drop')" in text


@pytest.mark.skipif(not shutil.which("node"), reason="node is not here")
def test_fig_is_a_module_with_the_whole_tree(rich: Path) -> None:
    path = script(rich, "fig", "rich.mjs")
    load = f"import({json.dumps(path)}).then(found => console.log(JSON.stringify(found.default)))"
    spec = json.loads(subprocess.run(["node", "-e", load], capture_output=True, text=True, check=True).stdout)
    assert (spec["name"], spec["requiresSubcommand"]) == ("rich", True)
    add, database = spec["subcommands"]
    assert add["name"] == ["add", "new"]
    assert add["description"] == HOSTILE
    kind, files = add["args"]
    assert kind == {"name": "kind", "suggestions": ["red", "dark-blue", "two words", "$(touch broken)"]}
    assert files == {"name": "files", "isOptional": True, "isVariadic": True, "template": "filepaths"}
    assert [one["name"] for one in database["subcommands"]] == ["migrate-all", "drop"]
    options = {str(one["name"]): one for one in [*spec["options"], *add["options"]]}
    assert options["['-v', '--verbose']"]["isRepeatable"] is True
    assert "args" not in options["['-v', '--verbose']"]
    assert options["--no-color"]["exclusiveOn"] == ["--color"]
    assert options["['-m', '--mode']"]["args"]["suggestions"] == ["fast", "slow"]
    assert options["--out"]["args"]["template"] == "filepaths"
    assert "--secret-way" not in options
    assert "--json" in options


@pytest.mark.parametrize("app", APPS, ids=lambda path: path.stem)
def test_the_same_tool_completes_the_same_whatever_its_parser(app: Path, tmp_path: Path) -> None:
    done = run(argv=[sys.executable, str(app), "completion", "bash"], folder=tmp_path)
    assert (done.code, done.err) == (0, "")
    (tmp_path / "script").write_text(done.out, "utf-8")
    name = re.findall(r"^complete .* (\S+)$", done.out, re.M)[0]

    def follows(*typed: str) -> set[str]:
        return offered(["bash", "-c", IN_BASH, "bash", str(tmp_path / "script"), name, *typed], tmp_path)

    assert {"deploy", "status", "rollback", "drill"} <= follows("")
    assert follows("deploy", "") == {"staging", "prod"}
    assert {"--release", "--size"} | OURS <= follows("deploy", "--")
    assert "--release" not in follows("status", "--")


def test_agentgate_completes_itself(tmp_path: Path) -> None:
    done = run(argv=[sys.executable, "-m", "agentgate", "completion", "bash"], folder=tmp_path)
    assert (done.code, done.err) == (0, "")
    (tmp_path / "script").write_text(done.out, "utf-8")
    command = ["bash", "-c", IN_BASH, "bash", str(tmp_path / "script"), "agentgate"]
    assert {"lint", "fix", "policy", "ledger"} <= offered([*command, ""], tmp_path)
    assert {"github", "sarif"} <= offered([*command, "lint", "--format", ""], tmp_path)
    assert "show" in offered([*command, "policy", ""], tmp_path)


def test_an_unknown_shell_is_a_usage_error(rich: Path) -> None:
    for args in (("completion",), ("completion", "cmd.exe"), ("completion", "bash", "zsh")):
        wrong = run(RICH, folder=rich.parent, args=args)
        assert (wrong.code, wrong.error) == (2, "usage"), args
        assert "bash, zsh, fish, powershell, fig, pwsh" in wrong.envelope["message"]


def test_a_missing_package_is_named(rich: Path) -> None:
    (rich.parent / "shtab.py").write_text("raise ModuleNotFoundError('shtab', name='shtab')", "utf-8")
    wrong = run(RICH, folder=rich.parent, args=("completion", "bash"))
    assert (wrong.code, wrong.error) == (2, "usage")
    assert "install agentgate-consent[completion]" in wrong.envelope["message"]
    assert run(RICH, folder=rich.parent, args=("completion", "fig")).code == 0
