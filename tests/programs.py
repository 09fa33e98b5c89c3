"""Whole programs under test: written to a folder, run as an agent or a person would, judged from outside."""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import json
import os
import pty
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import textwrap
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema

from agentgate.surfaces import profiles

STDINS = ("null", "closed", "idle", "socket", "yes", "terminal")
ROOT = Path(__file__).resolve().parent.parent
SCHEMA = json.loads((ROOT / "agentgate" / "schemas" / "agentgate-v1.schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

# the tests' own ledger and cache, and no policy of the one who runs them
PLACES = {
    f"XDG_{name}_HOME": tempfile.mkdtemp(prefix=f"agentgate-tests-{name.lower()}-")
    for name in ("STATE", "CONFIG", "CACHE")
}
for _place in PLACES.values():
    atexit.register(shutil.rmtree, _place, ignore_errors=True)

# whatever could make the tests' own surroundings look like an agent, or change what a prompt does
_NOT_INHERITED = (
    *("AGENTGATE", "PYTHON", "PYTEST", "CI", "GITHUB_", "JUPYTER", "EDITOR", "VISUAL", "PAGER", "COLUMNS", "LINES"),
    *("TERM", "TTY_", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "PY_COLORS", "TYPER", "_TYPER", "PROMPT_TOOLKIT"),
)


def environment(*, agent: bool, **more: str) -> dict[str, str]:
    """The environment of a program under test: an agent's is a person's and one variable."""
    from agentgate.runtime.detection import SIGNALS

    kept = {
        name: value for name, value in os.environ.items() if name not in SIGNALS and not name.startswith(_NOT_INHERITED)
    }
    kept.update(TERM="xterm", COLUMNS="100", PYTHONPATH=str(ROOT), PYTHONHASHSEED="random", LC_ALL="C.UTF-8")
    kept.update(PLACES)
    return {**kept, **({"CLAUDECODE": "1"} if agent else {}), **more}


class Ran(NamedTuple):
    """What a program did: its exit code (`"hang"` when it had to be killed) and what it wrote.

    unread: the bytes of a pipe full of `y` that are left in it. again: runs it once more, in the same way.
    """

    code: int | str
    out: str
    err: str
    seconds: float
    unread: int | None = None
    again: Callable[[], Ran] | None = None

    def is_prompt(self, imports: str, seconds: float = 1) -> bool:
        """Whether it ended this long after an interpreter has its modules.

        One that does not, does not in any of several runs; one that other work of the machine held up is in time then.
        """
        ran = self
        for _ in range(4):
            if ran.seconds < start_time(imports) + seconds:
                return True
            start_time.cache_clear()
            assert ran.again is not None
            ran = ran.again()
        return False

    @property
    def envelope(self) -> dict[str, Any]:
        """The one envelope, which is the last line of stdout and valid."""
        lines = self.out.replace("\r\n", "\n").strip("\n").split("\n")
        assert self.out.count('"agentgate/v1"') == 1, f"not exactly one envelope: {self}"
        document: dict[str, Any] = json.loads(lines[-1])
        VALIDATOR.validate(document)
        for name in profiles.NAMES:
            assert (profiles.render(name, document).exit_code == 0) is document["ok"], (name, document)
        assert document["meta"]["exit_code"] == self.code, self
        return document

    @property
    def error(self) -> str:
        """The envelope's error code."""
        return str(self.envelope["error"]["code"])

    @property
    def before_envelope(self) -> str:
        """What the program itself wrote to stdout."""
        text, _, last = self.out.replace("\r\n", "\n").rstrip("\n").rpartition("\n")
        assert last.startswith('{"schema": "agentgate/v1"'), self
        return text

    def next_argv(self, **values: str) -> list[str]:
        """The next command with the placeholders filled in (as an array: the shell's way is tested apart)."""
        argv: list[str] = self.envelope["next"][0]["argv"]
        filled = []
        for word in argv:
            for name, value in values.items():
                word = word.replace(f"<{name}>", value)
            filled.append(word)
        return filled


def run(
    source: str | None = None,
    *,
    folder: Path,
    stdin: str | bytes = "null",
    agent: bool = True,
    args: tuple[str | bytes, ...] = (),
    argv: list[str] | None = None,
    env: dict[str, str] | None = None,
    limit: float = 15,
    name: str = "app.py",
    redirect: str = "",
    python: tuple[str, ...] = (),
) -> Ran:
    """Run a program and wait for its end.

    source: its text, written to `folder/name`; argv: a command line instead. stdin: one of STDINS, or
    bytes to read. redirect: the shell's words for other redirections (`>&-`).
    """
    again = partial(
        run, source, folder=folder, stdin=stdin, agent=agent, args=args, argv=argv, env=env, limit=limit, name=name,
        redirect=redirect, python=python,
    )  # fmt: skip
    if source is not None:
        (folder / name).write_text(textwrap.dedent(source), "utf-8")
    command: list[Any] = list(argv) if argv is not None else [sys.executable, *python, name, *args]
    if redirect or stdin == "closed":
        words = f"{redirect} {'<&-' if stdin == 'closed' else ''}"
        command = ["/bin/sh", "-c", f'exec "$@" {words}', "sh", *command]
    surroundings = environment(agent=agent, **(env or {}))
    if stdin == "terminal":
        code, shown, seconds = at_terminal(command, [], folder=folder, env=surroundings, limit=limit)
        return Ran(code, shown, "", seconds, again=again)
    with contextlib.ExitStack() as opened:
        start = time.monotonic()
        child_stdin, pipe = _stdin(stdin, opened)
        child = subprocess.Popen(
            command,
            cwd=folder,
            env=surroundings,
            stdin=child_stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            out, err = child.communicate(stdin if isinstance(stdin, bytes) else None, timeout=limit)
            code: int | str = child.returncode
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            out, err = child.communicate()
            code = "hang"
        seconds = time.monotonic() - start
        unread = None if pipe is None else int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)
    return Ran(code, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"), seconds, unread, again)


def run_all(source: str, *, folder: Path, stdins: tuple[str, ...] = STDINS, **how: Any) -> dict[str, Ran]:
    """Run one program on several stdins, two at a time."""
    from concurrent.futures import ThreadPoolExecutor

    (folder / "app.py").write_text(textwrap.dedent(source), "utf-8")
    with ThreadPoolExecutor(2) as pool:
        piped = [stdin for stdin in stdins if stdin != "terminal"]  # no fork beside threads
        runs = {stdin: pool.submit(run, folder=folder, stdin=stdin, **how) for stdin in piped}
    ran = {stdin: one.result() for stdin, one in runs.items()}
    return {**ran, **({"terminal": run(folder=folder, stdin="terminal", **how)} if "terminal" in stdins else {})}


IMPORTS = {
    "click": "import click",
    "typer": "import typer",
    "questionary": "import questionary",
    "getpass": "import getpass",
    "Prompt": "from rich.prompt import Confirm, FloatPrompt, IntPrompt, Prompt",
    "Confirm": "from rich.prompt import Confirm, FloatPrompt, IntPrompt, Prompt",
    "Console": "from rich.console import Console",
}


def imports_for(code: str) -> str:
    """The import lines of what some code names, and no others: they are most of a program's time."""
    return "\n".join(dict.fromkeys(line for word, line in IMPORTS.items() if word in code)) + "\n"


@cache
def start_time(imports: str) -> float:
    """Seconds that an interpreter needs to import some modules and end."""
    environ = environment(agent=False)
    start = time.monotonic()
    subprocess.run([sys.executable, "-c", f"import {imports}"], env=environ, check=True)
    return time.monotonic() - start


def _stdin(kind: str | bytes, opened: contextlib.ExitStack) -> tuple[Any, int | None]:
    """What a child's stdin is made of, and the pipe's end to count what is left in it."""
    if isinstance(kind, bytes):
        return subprocess.PIPE, None
    if kind in ("idle", "yes"):
        read, write = os.pipe()
        opened.callback(os.close, read)
        opened.callback(os.close, write)
        if kind == "yes":
            os.write(write, b"y\n" * 2000)
        return read, read
    if kind == "socket":
        left, right = socket.socketpair()
        opened.enter_context(left)
        opened.enter_context(right)
        return left.fileno(), None
    return subprocess.DEVNULL, None


def at_terminal(
    command: list[Any], typed: list[str], *, folder: Path, env: dict[str, str], limit: float = 15
) -> tuple[int | str, str, float]:
    """Run a program on a pseudo-terminal, typing each entry once the program has written more, and waits.

    All three streams, and the controlling terminal, are that.
    """
    start = time.monotonic()
    pid, terminal = pty.fork()
    if pid == 0:
        try:
            os.chdir(folder)
            os.execvpe(command[0], command, env)
        finally:
            os._exit(127)
    out, waiting, last, heard = b"", list(typed), start, False
    while time.monotonic() - start < limit:
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                data = os.read(terminal, 65536)
            except OSError:  # Linux says so when the last program has closed its end
                break
            if not data:
                break
            out, last, heard = out + data, time.monotonic(), True
            if b"\x1b[6n" in data:
                os.write(terminal, b"\x1b[1;1R")
        elif waiting and heard and time.monotonic() - last > 0.12 and not _is_at_work(pid):
            os.write(terminal, waiting.pop(0).encode())
            heard = False
    code = _ended(pid, start + limit)
    os.close(terminal)
    return code, out.decode("utf-8", "replace"), time.monotonic() - start


def _is_at_work(session: int) -> bool:
    """A process on the terminal runs, or would if it had a processor: what is typed now it may yet throw away."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, _, its_session = path.read_text("utf-8", "replace").rpartition(")")[2].split()[:4]
            if int(its_session) == session and state in "RD":
                return True
    return False


def _ended(pid: int, deadline: float) -> int | str:
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > deadline:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return "hang"
        time.sleep(0.005)
