"""Never a hang, never a false yes, never exit 0: every prompt of the catalog, on every kind of stdin."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from calls import CALLS, program
from programs import STDINS, run_all

from agentgate.catalog import load_all

LIBRARIES = load_all()
ENTRIES = [prompt for library in LIBRARIES for prompt in library.prompts]
IMPORTED_FROM = {
    "rich": "rich.prompt, rich.console",
    "six": "six.moves",
    "future": "future.builtins",
    "plumbum": "plumbum.cli.terminal",
}

# the library's own constructor fails on a closed stdin, for whoever runs it: there is no prompt to gate
FAILS_BEFORE_IT_ASKS = {
    ("prompt_toolkit.PromptSession.prompt", "closed"),
    ("prompt_toolkit.PromptSession.prompt_async", "closed"),
}


def imports_of(entry: str) -> str:
    library = entry.partition(".")[0]
    return IMPORTED_FROM.get(library, library)


RUNNABLE = [
    entry.call
    for entry in ENTRIES
    if CALLS.get(entry.call) and CALLS[entry.call].code and importlib.util.find_spec(entry.call.partition(".")[0])
]


def test_every_entry_of_the_catalog_has_a_line_that_calls_it() -> None:
    assert {entry.call for entry in ENTRIES} == set(CALLS)


@pytest.mark.parametrize("entry", RUNNABLE)
def test_on_every_stdin(entry: str, tmp_path: Path) -> None:
    expected = CALLS[entry].outcome
    imports = imports_of(entry)
    for stdin, ran in run_all(program(entry, imports=imports), folder=tmp_path, stdins=STDINS).items():
        if (entry, stdin) in FAILS_BEFORE_IT_ASKS:
            assert (ran.code, "went on" in ran.out) == (1, False), (stdin, ran)
        elif expected is None:
            assert (ran.code, "went on" in ran.out) == (0, True), (stdin, ran)
            assert '"agentgate/v1"' not in ran.out, (stdin, ran)
        else:
            assert ran.code == 3, (stdin, ran)
            assert ran.error == expected, (stdin, ran)
            assert "went on" not in ran.out, (stdin, ran)
            if stdin != "terminal":
                assert "Traceback" not in ran.err, (stdin, ran)
        assert ran.is_prompt(imports), (stdin, ran)
        if stdin == "yes":
            assert ran.unread == 4000, (stdin, ran)
