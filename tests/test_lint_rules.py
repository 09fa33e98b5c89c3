"""The rules' own words, and the linter's facts beside the catalog (`lint_rules/known-*.toml`)."""

from __future__ import annotations

import pytest

from agentgate.lint import known as facts
from agentgate.lint.engine import engine
from agentgate.lint.messages import RULES, message
from agentgate.runtime import detection

IMPORTS = "import click, getpass, os, shutil, subprocess, sys\nfrom pathlib import Path\n"


@pytest.mark.parametrize("code", sorted(RULES))
def test_every_rule_finds_its_own_example(code: str) -> None:
    rule = RULES[code]
    assert rule.name and rule.why and rule.fix
    report = engine().report("example.py", (IMPORTS + rule.example + "\n").encode())
    assert code in {finding.code for finding in report.findings}, report


@pytest.mark.parametrize("code", sorted(RULES))
def test_messages_are_one_line_without_holes(code: str) -> None:
    text = message(code, "text", "input")
    assert "\n" not in text and "{" not in text


@pytest.mark.parametrize("code", sorted(RULES))
def test_titles_are_of_no_place(code: str) -> None:
    assert RULES[code].title[0].islower() and not set("{}…\n") & set(RULES[code].title)


def test_the_opt_in_rules() -> None:
    assert {code for code, rule in RULES.items() if not rule.default} == {"AG201", "AG204"}


def test_agents_variables_are_signals_of_the_runtime() -> None:
    assert facts.known().variables <= set(detection.SIGNALS)


def test_every_program_that_asks_says_what_and_how_not_to() -> None:
    for name, programs in facts.known().programs.items():
        for program in programs:
            assert bool(program.does) == bool(program.safe), name
            assert program.does or program.wraps or program.shell, name
            assert program.operands is None or not program.wraps, name


def test_every_start_names_its_command_line() -> None:
    for start in facts.known().starts.values():
        assert (start.words is None) == (start.argv is not None and start.argv in start.args), start


def test_a_file_of_facts_is_checked() -> None:
    with pytest.raises(facts.CatalogError, match="unexpected"):
        facts.record(facts.Start, {"call": "x.y", "agrv": "args"}, "here")
