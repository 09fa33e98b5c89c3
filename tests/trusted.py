"""Programs that ask for consents, each test with a ledger and a policy of its own; and a person at a terminal."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from programs import ROOT, Ran, environment, run

PERSON = Path(__file__).with_name("person_at_terminal.py")
# the effect is one byte in a file: two effects are two bytes
PROGRAM = """
import sys, agentgate
from agentgate import gate, require_consent
def effect():
    with open("effects", "a") as file: file.write("x")
def main():
    {body}
    effect()
agentgate.run(main)
"""

NOBODY = 65534
AS_NOBODY = """
import os, sys, json, decimal, getpass, platformdirs, platformdirs.unix, pwd, sqlite3, tomllib
import atexit, gc, hmac, importlib, pkgutil, secrets, shlex, shutil, subprocess, tempfile, threading, traceback
import agentgate.runtime, agentgate.trust
for package in (agentgate.runtime, agentgate.trust):
    for module in pkgutil.iter_modules(package.__path__):
        if "toolkit" not in module.name and module.name not in ("typed", "dialog", "choose"):
            importlib.import_module(f"{{package.__name__}}.{{module.name}}")
os.setgid(65534); os.setuid(65534)
sys.argv = {argv!r}
sys.orig_argv = [sys.executable, *sys.argv]
exec(compile(open("app.py").read(), "app.py", "exec"), {{"__name__": "__main__"}})
"""


class Place:
    """A folder with a program in it, and the state and configuration of one user."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "work"
        self.folder.mkdir(exist_ok=True)
        self.state, self.config, self.site = folder / "state", folder / "config", folder / "site"
        self.env = {
            "XDG_STATE_HOME": str(self.state),
            "XDG_CONFIG_HOME": str(self.config),
            "XDG_CONFIG_DIRS": str(self.site),
        }

    @property
    def ledger(self) -> Path:
        return self.state / "agentgate" / "ledger.sqlite3"

    @property
    def effects(self) -> int:
        path = self.folder / "effects"
        return len(path.read_text()) if path.exists() else 0

    def write_program(self, body: str) -> None:
        (self.folder / "app.py").write_text(PROGRAM.format(body=body), "utf-8")

    def consent(self, *args: str | bytes, body: str | None = None, **how: Any) -> Ran:
        """Run the program (written anew with a body)."""
        if body is not None:
            self.write_program(body)
        env = {**self.env, **how.pop("env", {})}
        return run(argv=[sys.executable, "app.py", *args], folder=how.pop("folder", self.folder), env=env, **how)  # type: ignore[list-item]

    def as_nobody(self, *args: str) -> Ran:
        """Run the program as another user, which takes root.

        Everything is loaded before, because that user may not be able to read where Python lies.
        """
        for path in (self.folder, *self.folder.parents[:4]):
            if path.stat().st_uid == os.getuid() and path != Path(os.sep):
                path.chmod(path.stat().st_mode | 0o055)
        self.folder.chmod(0o777)
        program = AS_NOBODY.format(argv=["app.py", *args])
        return run(argv=[sys.executable, "-c", program], folder=self.folder, env=self.env)

    def next(self, ran: Ran, at: int = 0, **how: Any) -> Ran:
        """Run an envelope's next command."""
        env = {**self.env, **how.pop("env", {})}
        return run(argv=ran.envelope["next"][at]["argv"], folder=self.folder, env=env, **how)

    def later(self, seconds: int, *, calendar: int | None = None) -> dict[str, str]:
        """The environment of a program whose clocks show so much later. calendar: how much of it the calendar shows."""
        shifted = self.folder / "shifted"
        shifted.mkdir(exist_ok=True)
        (shifted / "sitecustomize.py").write_text(SHIFTED)
        shown = seconds if calendar is None else calendar
        path = f"{shifted}{os.pathsep}{ROOT}"
        return {"PYTHONPATH": path, "SHIFTED_RUNNING": str(seconds), "SHIFTED_CALENDAR": str(shown)}

    def agentgate(self, *args: str, agent: bool = False, **how: Any) -> Ran:
        """Run one of our own commands."""
        env = {**self.env, **how.pop("env", {})}
        argv = [sys.executable, "-m", "agentgate", *args]
        return run(argv=argv, folder=self.folder, env=env, agent=agent, **how)

    def rows(self) -> list[dict[str, Any]]:
        """All rows of the ledger."""
        ran = self.agentgate("ledger", "export")
        assert ran.code == 0, ran
        return [json.loads(line) for line in ran.out.splitlines()]

    def events(self) -> list[str]:
        return [row["event"] for row in self.rows()]

    def approve(
        self,
        name: str,
        *,
        types: str = "code",
        ahead: str = "",
        background: bool = False,
        env: dict[str, str] | None = None,
    ) -> tuple[int, str]:
        """`agentgate approve ID`, run by a person at a terminal who types the code (or something else).

        ahead: what was typed before anything was shown. background: run as a shell's `approve ID &`.
        """
        result = self.folder / f"approve-{time.monotonic_ns()}.json"
        argv = [sys.executable, "-m", "agentgate", "approve", name]
        if background:
            argv = ["/bin/sh", "-mc", f"{shlex.join(argv)} & wait $!"]
        surroundings = {**environment(agent=False), **self.env, **(env or {})}
        request = {"argv": argv, "folder": str(self.folder), "result": str(result), "types": types, "ahead": ahead}
        subprocess.run([sys.executable, str(PERSON), json.dumps(request)], env=surroundings, check=True, timeout=30)
        deadline = time.monotonic() + 30
        while not result.exists():
            assert time.monotonic() < deadline, "the person's terminal did not end"
            time.sleep(0.02)
        done = json.loads(result.read_text("utf-8"))
        return done["code"], done["out"]

    def write_policy(self, text: str, *, where: str = "user") -> Path:
        """Write a policy file of the user, the site or the project."""
        path = {
            "user": self.config / "agentgate" / "policy.toml",
            "site": self.site / "agentgate" / "policy.toml",
            "project": self.folder / "agentgate.toml",
        }[where]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        path.chmod(0o600)
        return path


# no run of a program has to wait for a clock
SHIFTED = """
import os, time
calendar, running = time.time, time.clock_gettime
time.time = lambda: calendar() + float(os.environ["SHIFTED_CALENDAR"])
time.clock_gettime = lambda clock: running(clock) + float(os.environ["SHIFTED_RUNNING"])
"""


def code_on(screen: str) -> str | None:
    """The code that the person is to type."""
    found = re.search(r"type (\w{4}) \(", screen)
    return found[1] if found else None


def identifier(ran: Ran) -> str:
    """The ID of the question that waits."""
    return str(ran.envelope["consent"]["id"])


def agents_environ() -> dict[str, str]:
    return {**os.environ, "CLAUDECODE": "1"}
