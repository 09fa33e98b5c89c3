"""Long lists and logs: joelclaw's golden shape, and the cut of what an agent would have to read."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from programs import run

from agentgate.surfaces import truncation
from agentgate.surfaces.truncation import ENTRIES, LINES, cut, limited


def test_golden() -> None:
    told = limited([f"line {n}" for n in range(4582)])
    path = told["full_output"]
    assert json.dumps({**told, "full_output": "PATH", "entries": []}, separators=(",", ":")) == (
        '{"lines":20,"total":4582,"truncated":true,"full_output":"PATH","entries":[]}'
    )
    assert told["entries"] == [f"line {n}" for n in range(20)]
    assert Path(path).read_text("utf-8") == "".join(f"line {n}\n" for n in range(4582))


def test_the_last_entries_of_a_log() -> None:
    assert limited(list(range(9)), 3, last=True)["entries"] == [6, 7, 8]
    assert limited(list(range(9)), 0, last=True)["entries"] == []


def test_what_fits_is_whole() -> None:
    assert limited(("a", "b"), 2) == {"lines": 2, "total": 2, "truncated": False, "entries": ["a", "b"]}


def test_the_full_output_is_for_this_user_alone() -> None:
    path = limited([{"n": n} for n in range(3)], 1)["full_output"]
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700
    assert json.loads(Path(path).read_text("utf-8")) == [{"n": 0}, {"n": 1}, {"n": 2}]


LONG = [{"n": n} for n in range(ENTRIES + 1)]
LOG = "".join(f"{n}\n" for n in range(LINES + 5))


@pytest.mark.parametrize(
    ("data", "total", "shown", "left"),
    [
        (LONG, ENTRIES + 1, ENTRIES, LONG[:ENTRIES]),
        ({"things": LONG}, ENTRIES + 1, ENTRIES, {"things": LONG[:ENTRIES]}),
        (
            {"a": {"b": LONG}, "c": LONG},
            2 * ENTRIES + 2,
            2 * ENTRIES,
            {"a": {"b": LONG[:ENTRIES]}, "c": LONG[:ENTRIES]},
        ),
        ({"text": LOG}, LINES + 5, LINES, {"text": "".join(f"{n}\n" for n in range(5, LINES + 5))}),
        ({"text": LOG.rstrip()}, LINES + 5, LINES, {"text": "\n".join(f"{n}" for n in range(5, LINES + 5))}),
    ],
)
def test_what_is_too_long_is_cut(data: Any, total: int, shown: int, left: Any) -> None:
    before = json.dumps(data)
    shorter, told = cut(data)
    assert told is not None
    assert (told["total"], told["shown"], shorter) == (total, shown, left)
    kept = Path(told["full_output"]).read_text("utf-8")
    assert (kept if isinstance(data, dict) and "text" in data else json.loads(kept)) == (
        data["text"] if isinstance(data, dict) and "text" in data else data
    )
    assert json.dumps(data) == before


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=20,
)


@given(JSON)
def test_what_fits_is_left_alone(data: Any) -> None:
    assert cut(data) == (data, None)


def test_nothing_is_cut_where_the_rest_cannot_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(truncation, "_folder", lambda: "/nowhere/at/all")
    assert cut(LONG) == (LONG, None)
    assert limited([1, 2], 1) == {"lines": 2, "total": 2, "truncated": False, "entries": [1, 2]}


PROGRAM = f"""
    import argparse, sys
    from agentgate.integrations.argparse import run
    parser = argparse.ArgumentParser(prog="tool")
    parser.add_argument("--fail", action="store_true")
    def main():
        if parser.parse_args().fail:
            print("\\n".join(map(str, range({LINES + 1}))))
            sys.exit(1)
        return [{{"n": n}} for n in range({ENTRIES + 1})]
    run(main, parser)
    """


def test_an_agents_document_is_cut_and_says_so(tmp_path: Path) -> None:
    for args in ((), ("--json",)):
        ran = run(PROGRAM, folder=tmp_path, args=args)
        told = ran.envelope["meta"]["truncated"]
        assert (told["total"], told["shown"], len(ran.envelope["data"])) == (ENTRIES + 1, ENTRIES, ENTRIES)
        assert len(json.loads(Path(told["full_output"]).read_text("utf-8"))) == ENTRIES + 1
    failed = run(PROGRAM, folder=tmp_path, args=("--fail",)).envelope
    assert (failed["ok"], failed["meta"]["truncated"]["total"]) == (False, LINES + 1)


def test_joelclaw_says_it_in_its_own_words(tmp_path: Path) -> None:
    ran = run(PROGRAM, folder=tmp_path, args=("--envelope", "joelclaw"))
    result = json.loads(ran.out)["result"]
    assert list(result) == ["lines", "total", "truncated", "full_output", "entries"]
    assert (result["lines"], result["total"], len(result["entries"])) == (ENTRIES, ENTRIES + 1, ENTRIES)


def test_a_persons_document_and_a_surfaces_frames_are_whole(tmp_path: Path) -> None:
    ran = run(PROGRAM, folder=tmp_path, args=("--json",), agent=False)
    assert (len(ran.envelope["data"]), "truncated" in ran.envelope["meta"]) == (ENTRIES + 1, False)
    terminal = run(PROGRAM, folder=tmp_path, args=("--json",), agent=False, stdin="terminal")
    assert len(terminal.envelope["data"]) == ENTRIES + 1
    frames = run(PROGRAM, folder=tmp_path, args=("--view",))
    assert len(json.loads(frames.out.splitlines()[0])["data"]) == ENTRIES + 1
