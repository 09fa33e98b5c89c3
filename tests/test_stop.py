"""A stop cannot be lost: swallowed, thrown away, stored, replaced by another exit, raised where Python drops it."""

from __future__ import annotations

from pathlib import Path

import pytest
from programs import Ran, run

HEAD = "import atexit, contextlib, os, signal, sys\nfrom agentgate import gate, require_consent\n"

# what stands between a stop and its end; each would delete a file if it were lost
SWALLOWED = {
    "bare except": "try: gate(input)('Name: ')\nexcept: pass",
    "except BaseException": "try: gate(input)('Name: ')\nexcept BaseException as error: print(repr(error))",
    "except SystemExit": "try: gate(input)('Name: ')\nexcept SystemExit: pass",
    "suppress": "with contextlib.suppress(BaseException): gate(input)('Name: ')",
    "return in finally": "def ask():\n try: gate(input)('Name: ')\n finally: return\nask()",
    "break in finally": "while True:\n try: gate(input)('Name: ')\n finally: break",
    "retry loop": "while True:\n try:\n  gate(input)('Name: ')\n  break\n except BaseException: continue",
    "retry in the handler": """
def ask():
    try:
        return gate(input)("Name: ")
    except BaseException:
        return ask()
ask()
""",
    "loop in the handler": """
try:
    gate(input)("Name: ")
except BaseException:
    while True:
        try:
            gate(input)("Name: ")
            break
        except BaseException:
            pass
""",
    "stored, then another gate": """
try: gate(input)("Name: ")
except BaseException as error: kept = error
print(gate(input)("Again: "))
""",
    "stored, then a consent": """
try: gate(input)("Name: ")
except BaseException as error: kept = error
require_consent("delete", "Delete it?")
""",
    "generator closed": """
def questions():
    try: yield gate(input)("Name: ")
    finally: pass
for one in [1]:
    try: next(questions())
    except BaseException: pass
""",
    "consent thrown away": "try: require_consent('delete', 'Delete it?')\nexcept: pass",
    "__del__": """
class Asks:
    def __del__(self): gate(input)("Name: ")
asks = Asks()
del asks
""",
    "exit with": """
class Eats:
    def __enter__(self): return self
    def __exit__(self, *_): return True
with Eats(): gate(input)("Name: ")
""",
    "group": """
class Eats:
    def __enter__(self): return self
    def __exit__(self, *_): return True
try: raise BaseExceptionGroup("both", [ValueError()])
except* ValueError:
    with Eats(): gate(input)("Name: ")
""",
    "output taken": """
import io
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    gate(input)("Name: ")
""",
}

# the stop is out of reach there, but the exit code is not
REPLACED = {
    "stored": "class Box: pass\ntry: gate(input)('Name: ')\nexcept BaseException as error: Box.err = error",
    "sys.exit(0) in finally": "try: gate(input)('Name: ')\nfinally: sys.exit(0)",
    "sys.exit(0) in except": "try: gate(input)('Name: ')\nexcept SystemExit: sys.exit(0)",
    "another error": "try: gate(input)('Name: ')\nexcept SystemExit: raise ValueError('no')",
    "another error in finally": "try: gate(input)('Name: ')\nfinally: 1 / 0",
    "its code read": "try: gate(input)('Name: ')\nexcept SystemExit as error: print(error.code)",
    "its code set": "try: gate(input)('Name: ')\nexcept SystemExit as error:\n error.code = 0\n raise",
    "a group": "try: gate(input)('Name: ')\nexcept BaseException as e: raise BaseExceptionGroup('all', [e])",
    "KeyboardInterrupt": "try: gate(input)('Name: ')\nexcept SystemExit: raise KeyboardInterrupt from None",
    "run": "import agentgate\ndef main():\n try: gate(input)('Name: ')\n finally: 1 / 0\nagentgate.run(main)",
    "atexit": "atexit.register(lambda: gate(input)('Name: '))",
    "atexit, loop": """
def ask():
    while True:
        try: return gate(input)("Name: ")
        except BaseException: pass
atexit.register(ask)
""",
    "atexit, then one that hangs": """
import time
atexit.register(time.sleep, 60)
atexit.register(lambda: gate(input)("Name: "))
""",
    "signal handler": """
signal.signal(signal.SIGALRM, lambda *_: gate(input)("Name: "))
signal.setitimer(signal.ITIMER_REAL, 0.01)
signal.pause()
""",
    "exit function that fails": """
atexit.register(lambda: 1 / 0)
gate(input)("Name: ")
""",
    "exit function that asks": """
atexit.register(lambda: gate(input)("Again: "))
gate(input)("Name: ")
""",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "precious").write_text("data", "utf-8")
    return tmp_path


def assert_stopped(ran: Ran) -> None:
    assert ran.code == 3, ran
    assert ran.envelope["status"] == "action_required"
    assert ran.is_prompt("asyncio", 1.5), ran


@pytest.mark.parametrize("how", SWALLOWED)
def test_swallowed(how: str, folder: Path) -> None:
    ran = run(f"{HEAD}{SWALLOWED[how]}\nos.remove('precious')\nprint('went on')\n", folder=folder)
    assert_stopped(ran)
    assert (folder / "precious").exists(), ran
    assert "went on" not in ran.out


@pytest.mark.parametrize("how", REPLACED)
def test_replaced(how: str, folder: Path) -> None:
    assert_stopped(run(f"{HEAD}{REPLACED[how]}\n", folder=folder))


def test_an_import_that_prompts(folder: Path) -> None:
    (folder / "plugin.py").write_text(f"{HEAD}NAME = gate(input)('Name: ')\n", "utf-8")
    ran = run("import os\ntry: import plugin\nexcept: pass\nos.remove('precious')\n", folder=folder)
    assert_stopped(ran)
    assert (folder / "precious").exists()


def test_cleanup_runs_on_the_first_stop(folder: Path) -> None:
    ran = run(
        f"""{HEAD}
import tempfile
@contextlib.contextmanager
def transaction():
    try: yield
    except BaseException: print("rolled back"); raise
atexit.register(print, "at exit")
with tempfile.TemporaryDirectory(dir=".") as scratch:
    try:
        with transaction():
            gate(input)("Name: ")
    finally:
        print("finally")
""",
        folder=folder,
    )
    assert_stopped(ran)
    assert [line for line in ran.err.splitlines() if line] == ["rolled back", "finally", "at exit"]
    assert not list(folder.glob("tmp*")), "the temporary folder was left behind"


@pytest.mark.parametrize("swallow", ["", "except: pass"], ids=["raised", "thrown away"])
def test_buffered_files_are_not_lost(swallow: str, folder: Path) -> None:
    ran = run(
        f"""{HEAD}
log = open("log.txt", "w"); log.write("line")
raw = open("raw.bin", "wb"); raw.write(b"bytes")
both = open("both.bin", "w+b"); both.write(b"both")
sys.stdout.write("no newline")
try: gate(input)("Name: ")
{swallow or "finally: pass"}
""",
        folder=folder,
    )
    assert_stopped(ran)
    assert ran.before_envelope.strip("\n") == "no newline"
    written = [(folder / name).read_text("utf-8") for name in ("log.txt", "raw.bin", "both.bin")]
    assert written == ["line", "bytes", "both"]


def test_cleanup_that_asks_again_does_not_cost_the_rest_of_it(folder: Path) -> None:
    ran = run(
        f"""{HEAD}
try:
    try: gate(input)("Name: ")
    finally:
        gate(input)("Press Enter to exit")
        try: gate(input)("Send a report? ")
        except BaseException: pass
        print("cleaned")
finally:
    print("outer")
""",
        folder=folder,
    )
    assert_stopped(ran)
    assert ran.envelope["inputs"][0]["name"] == "name"
    assert ran.err.split() == ["cleaned", "outer"]


def test_what_cleanup_prints_is_not_on_stdout(folder: Path) -> None:
    ran = run(
        f"""{HEAD}
import subprocess
print("before")
try: gate(input)("Name: ")
finally:
    print("after"); os.write(1, b"raw after\\n"); subprocess.run(["echo", "child after"])
""",
        folder=folder,
    )
    assert_stopped(ran)
    assert ran.before_envelope.split() == ["before"]
    assert {"after", "raw after", "child after"} <= set(ran.err.splitlines())


def test_a_proxy_that_fails_when_looked_at_cannot_save_the_process(folder: Path) -> None:
    ran = run(
        f"""{HEAD}
class Lazy:
    __class__ = property(lambda self: 1 / 0)
lazy = [Lazy() for _ in range(3)]
try: gate(input)("Name: ")
except: pass
os.remove("precious")
""",
        folder=folder,
    )
    assert_stopped(ran)
    assert (folder / "precious").exists()


def test_an_exit_function_that_hangs_is_not_waited_for(folder: Path) -> None:
    ran = run(
        f"{HEAD}import time\natexit.register(time.sleep, 60)\ntry: gate(input)('Name: ')\nexcept: pass\n", folder=folder
    )
    assert ran.code == 3
    assert ran.is_prompt("agentgate.runtime.ask", 2), ran


@pytest.mark.parametrize(
    "way",
    [
        "import unittest\nclass T(unittest.TestCase):\n    def test_it(self): work()\nunittest.main(argv=['t'])",
        "import pytest\nopen('test_it.py', 'w').write('from __main__ import work\\ndef test_it(): work()')\n"
        "sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', '-p', 'no:randomly', 'test_it.py']))",
        "import click\nfrom click.testing import CliRunner\n"
        "result = CliRunner().invoke(click.command()(work), [])\nsys.exit(result.exit_code)",
        "import typer\nfrom typer.testing import CliRunner\napp = typer.Typer()\napp.command()(work)\n"
        "result = CliRunner().invoke(app, [])\nsys.exit(result.exit_code)",
        "import doctest\nwork.__doc__ = '>>> work()'\ndoctest.testmod()",
        "import types\nrunner = types.ModuleType('twisted.trial.runner')\n"
        "exec('def run(f): f()', runner.__dict__)\nrunner.run(work)",
    ],
    ids=["unittest", "pytest", "click", "typer", "doctest", "trial"],
)
def test_under_a_test_runner_it_is_an_ordinary_system_exit(way: str, folder: Path) -> None:
    ran = run(
        f"""{HEAD}
import threading
def stopped(kept):
    try: require_consent("delete", "Delete it?")
    except SystemExit as error: kept.append(error.code)
def work():
    kept = []
    for _ in range(3): stopped(kept)
    thread = threading.Thread(target=stopped, args=(kept,)); thread.start(); thread.join()
    try: require_consent("delete", "Delete it?")
    except: pass
    assert kept == [3] * 4, kept
    open("ran", "w").close()
{way}
""",
        folder=folder,
    )
    assert (ran.code, (folder / "ran").exists()) == (0, True), ran


def test_a_stop_that_reaches_the_test_runner_fails_that_test_alone(folder: Path) -> None:
    (folder / "test_two.py").write_text(
        "import pytest\nfrom agentgate import gate\n"
        "def test_stops():\n    with pytest.raises(SystemExit) as stop: gate(lambda: 0, kind='text')()\n"
        "    assert stop.value.code == 3\n"
        "def test_goes_on(): assert True\n",
        "utf-8",
    )
    import sys

    ran = run(argv=[sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_two.py"], folder=folder)
    assert (ran.code, "2 passed" in ran.out) == (0, True), ran


def test_the_code_cannot_be_changed_and_the_message_is_readable() -> None:
    from agentgate import ActionRequired

    error = ActionRequired({"schema": "agentgate/v1", "message": "Ask a person."})
    error.code = 0
    assert (error.code, str(error), isinstance(error, SystemExit), isinstance(error, Exception)) == (
        3,
        "Ask a person.",
        True,
        False,
    )
