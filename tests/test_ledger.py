"""The ledger: what stands in it, that every change of it is found, and what happens when it cannot be used."""

from __future__ import annotations

import gc
import json
import os
import random
import sqlite3
import stat
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from trusted import NOBODY, Place

from agentgate.trust import database, ledger, verify

DELETE = "require_consent('delete', 'Delete it?')"
ONCE = "require_consent('delete', 'Delete it?', assurance='once')"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = Place(tmp_path)
    made.write_program(DELETE)
    return made


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ledger of this process's own, with rows of many sizes."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    chosen = random.Random(7)
    for number in range(30):
        with ledger.writing(durable=number % 7 == 0) as transaction:
            for _ in range(chosen.choice([1, 1, 3])):
                message = "ü" * chosen.choice([0, 5, 300, 3000, 9000])
                transaction.append("asked", subject=f"{number:064x}", key=f"k{number}", message=message)
    return tmp_path / "state" / "agentgate"


def problems() -> tuple[str, ...]:
    return verify.verify().problems


def test_what_is_recorded(place: Place) -> None:
    asked = place.consent("x", body="require_consent(['delete', 'publish'], 'Delete it?', plan=['a'])")
    assert place.next(asked).code == 0
    first, second = place.rows()
    assert [row["event"] for row in (first, second)] == ["asked", "used"]
    assert (first["program"], first["directory"], first["reasons"]) == ("app", str(place.folder), ["delete", "publish"])
    assert (first["agent"]["name"], first["assurance"], first["message"]) == ("claude", "token", "Delete it?")
    assert first["command"][1:] == ["app.py", "x"]
    assert (second["by"], second["user"]["uid"], len(first["plan"])) == ("token", os.getuid(), 64)
    assert first["time"].endswith("Z")
    place.consent("y", "--confirm", "0" * 12)
    refused, asked_again = place.rows()[2:]
    assert (refused["event"], refused["why"]) == ("refused", "it is no token of this question")
    assert (asked_again["event"], asked_again["command"][2:]) == ("asked", ["y"])


def test_list_show_export_and_verify_for_both_readers(place: Place) -> None:
    assert "empty" in place.agentgate("ledger", "list").out
    assert place.agentgate("ledger", "verify").code == 0
    place.next(place.consent(body="require_consent('delete', 'Delete it?', plan=['a.txt'])"))
    listed = place.agentgate("ledger", "list").out.splitlines()
    assert [("asked" in line, "used" in line) for line in listed] == [(True, False), (False, True)]
    assert len(place.agentgate("ledger", "list", "--event", "used", "--last", "5").out.splitlines()) == 1
    assert "| a.txt" in place.agentgate("ledger", "show", "1").out
    for verb in (["list"], ["show", "1"], ["export"], ["verify"]):
        document = place.agentgate("ledger", *verb, agent=True).envelope
        assert (document["ok"], document["meta"]["exit_code"]) == (True, 0)
    assert place.agentgate("ledger", "show", "1", agent=True).envelope["data"]["plan_text"] == ["a.txt"]


@pytest.mark.parametrize("bad", [["show", "99"], ["show", "x"], ["show", "-1"], ["list", "--event", "nothing"], []])
def test_bad_input_is_one_sentence(bad: list[str], place: Place) -> None:
    ran = place.agentgate("ledger", *bad)
    assert ran.code == 2
    assert ran.err.splitlines()[-1].startswith(("agentgate: ", "agentgate ledger"))
    assert "Traceback" not in ran.err


def test_files_are_their_owners_alone(place: Place) -> None:
    place.next(place.consent(body="require_consent('delete', 'Delete it?', plan=['a.txt'])", env={}))
    for path in (place.state / "agentgate", *(place.state / "agentgate").rglob("*")):
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), path


# what is found


def _edit_row(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE ledger SET body = body || ' ' WHERE seq = 9")


def _edit_and_hash_again(connection: sqlite3.Connection) -> None:
    *values, _ = connection.execute("SELECT * FROM ledger WHERE seq = 9").fetchone()
    (before,) = connection.execute("SELECT hash FROM ledger WHERE seq = 8").fetchone()
    values[1] = "used"
    connection.execute(
        "UPDATE ledger SET event = 'used', hash = ? WHERE seq = 9", (ledger.chained(before, tuple(values)),)
    )


def _remove(where: str) -> Callable[[sqlite3.Connection], None]:
    return lambda connection: connection.execute(f"DELETE FROM ledger WHERE {where}") and None


def _remove_and_renumber(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM ledger WHERE seq = 9")
    connection.execute("UPDATE ledger SET seq = seq - 1 WHERE seq > 9")


def _swap(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE ledger SET seq = -1 WHERE seq = 9")
    connection.execute("UPDATE ledger SET seq = 9 WHERE seq = 10")
    connection.execute("UPDATE ledger SET seq = 10 WHERE seq = -1")


def _rehash_everything(connection: sqlite3.Connection) -> None:
    """Everything but the record of the end, which is another file."""
    before = "0" * 64
    connection.execute("UPDATE ledger SET event = 'used' WHERE seq = 9")
    for row in connection.execute("SELECT * FROM ledger ORDER BY seq").fetchall():
        digest = ledger.chained(before, row[:6])
        connection.execute("UPDATE ledger SET hash = ? WHERE seq = ?", (digest, row[0]))
        before = digest


def _forge(connection: sqlite3.Connection) -> None:
    seq, digest = connection.execute("SELECT seq, hash FROM ledger ORDER BY seq DESC LIMIT 1").fetchone()
    values = (seq + 1, "approved", 1, "s", "", "{}")
    connection.execute("INSERT INTO ledger VALUES (?,?,?,?,?,?,?)", (*values, ledger.chained(digest, values)))


TAMPERED: dict[str, Callable[[sqlite3.Connection], None]] = {
    "a row edited": _edit_row,
    "a row edited, with its own hash made anew": _edit_and_hash_again,
    "every hash made anew": _rehash_everything,
    "the first row removed": _remove("seq = 1"),
    "a row removed": _remove("seq = 9"),
    "the last row removed": _remove("seq = (SELECT max(seq) FROM ledger)"),
    "the last five rows removed": _remove("seq > (SELECT max(seq) FROM ledger) - 5"),
    "all rows removed": _remove("1"),
    "a row removed, the others renumbered": _remove_and_renumber,
    "two rows in another order": _swap,
    "a row forged at the end": _forge,
    "an index": lambda connection: connection.execute("CREATE INDEX i ON ledger (key)") and None,
    "a trigger": lambda c: c.execute("CREATE TRIGGER t AFTER INSERT ON ledger BEGIN SELECT 1; END") and None,
}


@pytest.mark.parametrize("how", TAMPERED)
def test_verify_finds(how: str, own: Path) -> None:
    assert problems() == ()
    with sqlite3.connect(own / "ledger.sqlite3") as connection:
        TAMPERED[how](connection)
    connection.close()
    assert problems(), how


def test_verify_finds_what_no_honest_run_writes(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that are chained as they should be."""
    monkeypatch.setenv("XDG_STATE_HOME", str(place.state))
    asked = place.consent(body="require_consent('delete', 'Delete it?', plan=['a'], assurance='once')")
    assert place.next(asked).code == 0
    assert problems() == ()
    with ledger.writing() as transaction:
        transaction.append("used", ref=1, subject="s")
    assert problems() == ("the consent of row 1 was used 2 times",)
    with ledger.writing() as transaction:
        transaction.append("invented", subject="s")
    assert "row 4 is no event of a ledger: invented" in problems()
    (plan,) = (place.state / "agentgate" / "plans").iterdir()
    plan.unlink()
    assert any("the plan of this question is gone" in one for one in problems())


@pytest.fixture
def at_rest(own: Path) -> Iterator[tuple[Path, bytes, bytes]]:
    assert problems() == ()  # which brings the log into the file
    yield own, (own / "ledger.sqlite3").read_bytes(), (own / "ledger.head").read_bytes()


def _put(folder: Path, data: bytes, head: bytes) -> None:
    for path in folder.glob("ledger*"):
        path.unlink()
    for name, content in (("ledger.sqlite3", data), ("ledger.head", head)):
        (folder / name).write_bytes(content)
        (folder / name).chmod(0o600)


def test_an_edit_at_any_byte_is_found(at_rest: tuple[Path, bytes, bytes]) -> None:
    """Also where no row stands: in the header, between rows, in the free part of a page."""
    folder, data, head = at_rest
    chosen = random.Random()
    places = [*range(110), *(chosen.randrange(len(data)) for _ in range(400))]
    for at in places:
        edited = bytearray(data)
        edited[at] ^= chosen.randrange(1, 256)
        _put(folder, bytes(edited), head)
        assert problems(), f"byte {at}: {data[at]} became {edited[at]}"
    _put(folder, data, head)
    assert problems() == ()


@pytest.mark.parametrize("damage", [b"", b"no database", b"\0" * 4096], ids=["empty", "text", "zeros"])
def test_a_damaged_ledger_is_let_go_at_once(damage: bytes, at_rest: tuple[Path, bytes, bytes]) -> None:
    """SQLite takes the log away by its name when the last connection ends, and another ledger may have it by then."""
    folder, data, head = at_rest
    gc.collect()
    gc.disable()
    try:
        for changed in (damage, bytes([data[0] ^ 1]) + data[1:], data[:68] + bytes([data[68] ^ 1]) + data[69:]):
            _put(folder, changed, head)
            assert problems()
        assert not [one for one in gc.get_objects() if isinstance(one, sqlite3.Connection) and _is_open(one)]
    finally:
        gc.enable()


def _is_open(connection: sqlite3.Connection) -> bool:
    try:
        connection.total_changes  # noqa: B018
    except sqlite3.ProgrammingError:
        return False
    return True


def test_every_byte_of_the_record_of_the_end_counts(at_rest: tuple[Path, bytes, bytes]) -> None:
    folder, data, head = at_rest
    for at in range(len(head)):
        edited = bytearray(head)
        edited[at] ^= 1
        _put(folder, data, bytes(edited))
        assert problems(), at
    for edited in (b"", head[:-1], head + b"\n", head + head):
        _put(folder, data, edited)
        assert problems(), edited
    (folder / "ledger.head").unlink()
    assert problems()


def test_truncated_and_grown_files(at_rest: tuple[Path, bytes, bytes]) -> None:
    folder, data, head = at_rest
    for edited in (b"", data[:1], data[:4096], data[:-4096], data[:-1], data + b"\0", data + bytes(4096)):
        _put(folder, edited, head)
        assert problems(), len(edited)
    (folder / "ledger.sqlite3").unlink()
    assert problems(), "the ledger is gone and its record is there"


def test_an_edit_of_the_log_that_is_not_yet_in_the_file(place: Place) -> None:
    """A process that was killed leaves its rows in the write-ahead log."""
    place.consent()
    folder = place.ledger.parent
    holding = sqlite3.connect(place.ledger)
    holding.execute("SELECT * FROM ledger").fetchall()
    place.consent()
    log = folder / "ledger.sqlite3-wal"
    rest, written = {path.name: path.read_bytes() for path in folder.glob("ledger*")}, log.read_bytes()
    holding.close()
    chosen = random.Random(3)
    for _ in range(12):
        for path in folder.glob("ledger*"):
            path.unlink()
        for name, content in rest.items():
            if not name.endswith("-shm"):
                (folder / name).write_bytes(content)
                (folder / name).chmod(0o600)
        edited = bytearray(written)
        at = chosen.randrange(32, len(edited))
        edited[at] ^= 0xFF
        log.write_bytes(edited)
        assert place.agentgate("ledger", "verify").code == 1, at


def test_the_command_says_what_was_found(place: Place) -> None:
    place.consent()
    with sqlite3.connect(place.ledger) as connection:
        connection.execute("UPDATE ledger SET event = 'used'")
    connection.close()
    ran = place.agentgate("ledger", "verify")
    assert (ran.code, "row 1 is not what was written" in ran.out) == (1, True)
    told = place.agentgate("ledger", "verify", agent=True)
    assert (told.code, told.error) == (1, "findings")
    assert told.envelope["data"]["problems"]


def test_verify_is_content_with_thousands_of_rows_of_many_writers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    def write(number: int) -> None:
        with ledger.writing() as transaction:
            for at in range(50):
                transaction.append("asked", subject="s", message="m" * ((number * 50 + at) % 700))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(60)))
    report = verify.verify()
    assert report == (3000, ())


# when it cannot be used


def test_many_processes_write_at_once(place: Place) -> None:
    with ThreadPoolExecutor(8) as pool:
        ran = list(pool.map(lambda number: place.consent(str(number), limit=60), range(24)))
    assert [one.code for one in ran] == [3] * 24
    assert [one.err for one in ran] == [""] * 24, "each could write its row"
    assert place.events() == ["asked"] * 24
    assert place.agentgate("ledger", "verify").code == 0


def test_a_slow_writer_does_not_take_the_record_of_the_end_back(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between a commit and what is written down of it, another process goes on."""
    plainly = ledger.Ledger._settle

    def slowly(self: ledger.Ledger, last: ledger.End) -> None:
        monkeypatch.setattr(ledger.Ledger, "_settle", plainly)
        with ledger.writing() as other:
            other.append("asked", subject="another")
        plainly(self, last)

    monkeypatch.setattr(ledger.Ledger, "_settle", slowly)
    with ledger.writing() as transaction:
        transaction.append("asked", subject="one")
    assert problems() == ()


def _no_folder(place: Place) -> None:
    place.state.write_text("a file where the folder should be")


def _shared(place: Place) -> None:
    (place.state / "agentgate").mkdir(parents=True)
    (place.state / "agentgate").chmod(0o777)


def _link(place: Place) -> None:
    place.state.mkdir()
    (place.folder / "elsewhere").mkdir(mode=0o700)
    (place.state / "agentgate").symlink_to(place.folder / "elsewhere")


def _linked_file(place: Place) -> None:
    place.consent()
    moved = place.ledger.rename(place.folder / "elsewhere")
    place.ledger.symlink_to(moved)


def _shared_file(place: Place) -> None:
    place.consent()
    place.ledger.chmod(0o606)


def _fifo(place: Place) -> None:
    (place.state / "agentgate").mkdir(parents=True, mode=0o700)
    os.mkfifo(place.ledger)


def _linked_key(place: Place) -> None:
    place.consent()
    key = place.state / "agentgate" / "key"
    key.symlink_to(key.rename(place.folder / "elsewhere"))


def _shared_key(place: Place) -> None:
    place.consent()
    (place.state / "agentgate" / "key").chmod(0o620)


UNUSABLE: dict[str, Callable[[Place], None]] = {
    "a file in the folder's place": _no_folder,
    "a folder that others can write": _shared,
    "a folder behind a symbolic link": _link,
    "a ledger behind a symbolic link": _linked_file,
    "a ledger that others can write": _shared_file,
    "a pipe in the ledger's place": _fifo,
    "a key behind a symbolic link": _linked_key,
    "a key that others can write": _shared_key,
}


@pytest.mark.parametrize("how", UNUSABLE)
def test_without_a_ledger_a_token_works_and_more_is_refused(how: str, place: Place) -> None:
    UNUSABLE[how](place)
    asked = place.consent(body=f"{DELETE}; {DELETE}")
    assert (asked.code, asked.error) == (3, "consent_required")
    assert asked.err.count("agentgate: warning: ") == asked.err.count("\n") == 1, asked.err
    second = place.next(asked)
    assert second.code == 3
    assert second.err.count("\n") == 1, "one warning a run"
    assert place.next(second).code == 0
    for assurance in ("once", "person"):
        ran = place.consent(body=ONCE.replace("once", assurance))
        assert (ran.code, ran.error, place.effects) == (3, "ledger_unavailable", 1)
        assert "needs the ledger" in ran.envelope["message"]
    assert place.agentgate("ledger", "list").code in (0, 2)
    assert place.agentgate("approve", "--list").code == (0 if "key" in how else 2)


def test_plans_are_not_kept_behind_a_symbolic_link(place: Place) -> None:
    (place.state / "agentgate").mkdir(parents=True, mode=0o700)
    elsewhere = place.folder / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    (place.state / "agentgate" / "plans").symlink_to(elsewhere)
    ran = place.consent(body=ONCE.replace("'once'", "'once', plan=['a']"))
    assert (ran.code, ran.error, "is a symbolic link" in ran.envelope["message"]) == (3, "ledger_unavailable", True)
    assert not list(elsewhere.iterdir())


def test_the_record_of_the_end_is_not_read_or_written_through_a_symbolic_link(place: Place) -> None:
    place.consent()
    head = place.ledger.with_name("ledger.head")
    moved = head.rename(place.folder / "elsewhere")
    head.symlink_to(moved)
    before = moved.read_bytes()
    ran = place.consent(body=ONCE)
    assert (ran.error, "is a symbolic link" in ran.envelope["message"]) == ("ledger_unavailable", True), ran
    assert moved.read_bytes() == before


def test_a_read_only_home(place: Place) -> None:
    """Root can write everywhere, so as root it is another user's home."""
    place.state.mkdir()
    nobody = os.getuid() == 0
    for assurance, code in (("token", "consent_required"), ("once", "ledger_unavailable")):
        place.write_program(ONCE.replace("once", assurance))
        if nobody:
            os.chown(place.state, NOBODY, NOBODY)
        place.state.chmod(0o500)
        ran = place.as_nobody() if nobody else place.consent()
        assert (ran.code, ran.error) == (3, code), ran
        assert ran.err.count("warning") == ran.err.count("\n") == (assurance == "token"), ran
        assert not list(place.state.iterdir())
    assert "cannot be made: Permission denied" in ran.envelope["message"]


FULL = """
import os, resource, signal
resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
"""


@pytest.mark.parametrize("size", [0, 100, 6000, 12000])
def test_a_full_disk(size: int, place: Place) -> None:
    """Nothing can be written beyond some size: the system says so as it does for a full disk."""
    for _ in range(3):
        place.consent()
    startup = place.folder / "startup"
    startup.mkdir()
    (startup / "sitecustomize.py").write_text(FULL.format(size=size))
    path = f"{startup}{os.pathsep}{Path(ledger.__file__).parents[2]}"
    message = "m" * 9000  # more than fits
    body = f"require_consent('delete', {message!r}, assurance='once')"
    ran = place.consent(body=body, env={"PYTHONPATH": path})
    assert (ran.code, ran.error) == (3, "ledger_unavailable"), ran
    ran = place.consent(body=body.replace(", assurance='once'", ""), env={"PYTHONPATH": path})
    assert (ran.code, ran.error, ran.err.count("warning")) == (3, "consent_required", 1), ran
    assert place.agentgate("ledger", "verify").code == 0, "what was there is whole"
    assert place.consent().err == ""


CORRUPT = {
    "no database": lambda data: b"hello" * 100,
    "empty": lambda data: b"",
    "half": lambda data: data[: len(data) // 2],
    "noise in the table": lambda data: data[:9000] + os.urandom(3000) + data[12000:],
}


@pytest.mark.parametrize("how", CORRUPT)
def test_a_corrupt_ledger_is_moved_aside_and_kept(how: str, place: Place) -> None:
    for number in range(12):
        place.consent(str(number))
    place.agentgate("ledger", "verify")
    for path in place.ledger.parent.glob("*-*"):
        path.unlink()
    corrupt = CORRUPT[how](place.ledger.read_bytes())
    place.ledger.write_bytes(corrupt)
    refused = place.consent("--confirm", "0" * 12, body=ONCE)  # which is looked for in all rows
    assert (refused.error, "moved to" in refused.envelope["message"]) == ("ledger_unavailable", True), refused
    (aside,) = place.ledger.parent.glob("ledger.sqlite3.damaged-*")
    assert aside.read_bytes()[:100] == corrupt[:100]
    asked = place.consent()
    assert (asked.code, asked.err) == (3, ""), "a new one was begun"
    assert place.next(asked).code == 0
    events = place.events()
    assert events[0] == "started"
    assert str(aside) in json.dumps(place.rows()[0])
    assert place.agentgate("ledger", "verify").code == 0


def test_a_token_survives_a_corrupt_ledger_with_one_warning(place: Place) -> None:
    asked = place.consent()
    for path in place.ledger.parent.glob("*-*"):
        path.unlink()
    place.ledger.write_bytes(b"x" * 5000)
    ran = place.next(asked)
    assert (ran.code, place.effects, ran.err.count("\n")) == (0, 1, 1), ran
    assert "moved to" in ran.err


def test_of_many_that_find_the_damage_one_moves_it(place: Place) -> None:
    place.consent()
    for path in place.ledger.parent.glob("*-*"):
        path.unlink()
    place.ledger.write_bytes(b"x" * 5000)
    with ThreadPoolExecutor(6) as pool:
        ran = list(pool.map(lambda number: place.consent(str(number), limit=60), range(12)))
    assert [one.code for one in ran] == [3] * 12
    assert len(list(place.ledger.parent.glob("ledger.sqlite3.damaged-*"))) == 1
    assert place.agentgate("ledger", "verify").code == 0
    assert place.events().count("started") == 1


def test_a_ledger_that_stays_locked(place: Place) -> None:
    """A token is not kept waiting for long by somebody who never lets go."""
    place.consent()
    holding = sqlite3.connect(place.ledger, isolation_level=None)
    holding.execute("BEGIN IMMEDIATE")
    try:
        ran = place.consent(limit=30)
    finally:
        holding.close()
    assert (ran.code, ran.error, "locked" in ran.err) == (3, "consent_required", True), ran
    assert ran.seconds < 12


def test_the_platforms_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What stands in for platformdirs where it is not installed says the same."""
    platformdirs = pytest.importorskip("platformdirs")
    from agentgate.trust import places

    stand_in = places._Xdg("platformdirs")
    for value in (str(tmp_path), "", None):
        for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS"):
            monkeypatch.delenv(name, raising=False) if value is None else monkeypatch.setenv(name, value)
        for ours, theirs in (
            (stand_in.user_state_dir("a"), platformdirs.user_state_dir("a", appauthor=False)),
            (stand_in.user_config_dir("a"), platformdirs.user_config_dir("a", appauthor=False)),
            (stand_in.site_config_dir("a"), platformdirs.site_config_dir("a", appauthor=False, multipath=True)),
        ):
            assert ours == theirs


def test_a_failed_transaction_leaves_nothing(own: Path) -> None:
    before = verify.verify().rows
    with pytest.raises(ZeroDivisionError), ledger.writing() as transaction:
        transaction.append("asked", subject="s")
        _ = 1 / 0
    report = verify.verify()
    assert report == (before, ())


def test_an_error_of_sqlite_is_told_apart() -> None:
    assert isinstance(database.failure(sqlite3.OperationalError("database or disk is full")), ledger.Unavailable)
    assert isinstance(database.failure(sqlite3.OperationalError("no such table: ledger")), ledger.Damaged)
    assert isinstance(database.failure(sqlite3.DatabaseError("file is not a database")), ledger.Damaged)
