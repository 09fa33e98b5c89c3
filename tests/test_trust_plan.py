"""What a consent covers beyond the command line: text, lines, paths with their content, any JSON value."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from trusted import Place

from agentgate.runtime import plan


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_a_path_stands_for_what_is_there(tmp_path: Path) -> None:
    file, folder, link = tmp_path / "file", tmp_path / "folder", tmp_path / "link"
    seen: set[str | None] = {plan.digest_of_plan([file])}

    def changed(what: Path) -> None:
        digest = plan.digest_of_plan([what])
        assert digest == plan.digest_of_plan([what])
        assert digest not in seen
        seen.add(digest)

    file.write_bytes(b"one")
    changed(file)
    file.write_bytes(b"two")
    changed(file)
    file.unlink()
    assert plan.digest_of_plan([file]) in seen, "as before it was there"
    folder.mkdir()
    changed(folder)
    (folder / "a").write_bytes(b"")
    changed(folder)
    (folder / "a").rename(folder / "b")
    changed(folder)
    (folder / "b").write_bytes(b"x")
    changed(folder)
    file.write_bytes(b"target")
    link.symlink_to(file)
    changed(link)
    file.write_bytes(b"another target")
    changed(link)
    current = tmp_path / "current"
    current.symlink_to(folder)
    changed(current)
    (folder / "b").write_bytes(b"behind a link")
    changed(current)
    (folder / "up").symlink_to(tmp_path)  # which is not followed round and round
    changed(current)
    changed(folder)
    os.mkfifo(tmp_path / "pipe")
    changed(tmp_path / "pipe")


PLANS: list[Any] = ["text", "a\nb", ["a", "b"], {"a": 1}, 7, True, [{"x": None}]]


@pytest.mark.parametrize("value", PLANS)
def test_the_envelope_shows_it_and_the_token_covers_it(value: object, place: Place) -> None:
    asked = place.consent(body=f"require_consent('x', 'Go?', plan={value!r})")
    assert asked.envelope["consent"]["plan"] == json.loads(json.dumps(value))
    assert place.next(asked).code == 0
    place.write_program("require_consent('x', 'Go?', plan=['other'])")
    assert place.next(asked).code == 3


@pytest.mark.parametrize("assurance", ["token", "once"])
def test_what_changed_is_said(assurance: str, place: Place) -> None:
    body = f"import os; require_consent('x', 'Go?', plan=sorted(os.listdir('d')), assurance={assurance!r})"
    (place.folder / "d").mkdir()
    (place.folder / "d" / "old").touch()
    asked = place.consent(body=body)
    (place.folder / "d" / "old").unlink()
    (place.folder / "d" / "new").touch()
    ran = place.next(asked)
    assert (ran.code, place.effects) == (3, 0)
    assert "the plan changed: added 'new', removed 'old'" in ran.envelope["error"]["hint"]
    assert place.next(ran).code == 0


def test_a_link_to_a_folder_is_shown_with_what_is_in_it(place: Place) -> None:
    (place.folder / "3").mkdir()
    (place.folder / "3" / "site").write_text("x")
    (place.folder / "current").symlink_to("3")
    asked = place.consent(body="import pathlib; require_consent('x', 'Go?', plan=pathlib.Path('current'))")
    assert list(asked.envelope["consent"]["plan"]) == ["files", "link", "path"]
    shown = place.agentgate("ledger", "show", "1").out
    assert ("| current/ (link 3)\n" in shown, "| current/site (sha256 " in shown) == (True, True), shown


def test_a_changed_file_is_a_changed_plan(place: Place) -> None:
    body = "import pathlib; require_consent('x', 'Go?', plan=[pathlib.Path('victim')])"
    (place.folder / "victim").write_text("one")
    asked = place.consent(body=body)
    assert asked.envelope["consent"]["plan"][0]["path"] == "victim"
    (place.folder / "victim").write_text("two")
    assert (place.next(asked).code, place.effects) == (3, 0)


def test_fix_binds_a_consent_to_its_edits(place: Place) -> None:
    (place.folder / "a.py").write_text("name = input('Name: ')\n")
    (place.folder / "b.py").write_text("name = input('Name: ')\n")
    asked = place.agentgate("fix", ".", agent=True)
    assert (asked.code, asked.error) == (3, "consent_required")
    (place.folder / "b.py").write_text("age = input('Age: ')\n")
    again = place.next(asked)
    assert (again.code, (place.folder / "a.py").read_text()) == (3, "name = input('Name: ')\n")
    assert "the plan changed: " in again.envelope["error"]["hint"]
    assert place.next(again).code == 0
    assert "gate(input)('Age: ')" in (place.folder / "b.py").read_text()


LARGE = {
    "list": ("[str(n) for n in range(5000)]", list),
    "text": ("'x' * 50_000", str),
    "table": ("{str(n): n for n in range(5000)}", dict),
}


@pytest.mark.parametrize("kind", LARGE)
def test_a_large_one_is_cut_and_the_whole_is_in_a_file(kind: str, place: Place) -> None:
    code, shown_as = LARGE[kind]
    asked = place.consent(body=f"require_consent('x', 'Go?', plan={code})")
    consent = asked.envelope["consent"]
    assert isinstance(consent["plan"], shown_as)
    assert len(json.dumps(consent["plan"])) <= plan.SHOWN * 1.2
    assert asked.envelope["meta"]["truncated"] == ["consent.plan"]
    path = Path(consent["plan_file"])
    assert json.loads(path.read_text()) == eval(code)
    assert path.stat().st_mode & 0o777 == 0o600
    assert plan.digest_of_plan(json.loads(path.read_text())) == consent["plan_digest"]
    assert place.next(asked).code == 0


def test_without_a_ledger_too(place: Place) -> None:
    place.state.write_text("no folder")
    asked = place.consent(body="require_consent('x', 'Go?', plan='x' * 50_000)")
    path = Path(asked.envelope["consent"]["plan_file"])
    assert (json.loads(path.read_text()), path.stat().st_mode & 0o777) == ("x" * 50_000, 0o600)
    path.unlink()


def test_no_secret_answer_stands_in_a_plan_that_is_shown_or_kept(place: Place) -> None:
    asks = "import getpass; s = gate(getpass.getpass)('Password: ')"
    body = f"{asks}; require_consent('x', 'Go?', plan={{'command': s, 'l': [s]}})"
    asked = place.consent("--answers", "-", body=body, stdin=b'{"password": "hunter22"}')
    assert asked.envelope["consent"]["plan"] == {"command": "***", "l": ["***"]}
    assert b"hunter22" not in b"".join(path.read_bytes() for path in place.state.rglob("*") if path.is_file())
