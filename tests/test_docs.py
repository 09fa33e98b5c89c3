"""The page that shows every surface: each command on it is run, and has to print what stands there."""

from __future__ import annotations

import json
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

from programs import ROOT, environment

PAGE = ROOT / "docs" / "surfaces.md"
APP = ROOT / "fixtures" / "apps" / "click_app.py"
TIMES = ("ts", "duration_ms")


def examples() -> list[tuple[str, str]]:
    """The command lines of the page, each with what it prints."""
    blocks = re.findall(r"```console\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    return [
        (command, printed)
        for block in blocks
        for command, printed in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M)
    ]


def values(text: str) -> list[Any]:
    """The JSON documents in a text, or its lines."""
    found, at = [], 0
    decoder = json.JSONDecoder(object_hook=lambda one: {key: one[key] for key in one if key not in TIMES})
    text = text.strip()
    try:
        while at < len(text):
            value, at = decoder.raw_decode(text, at)
            found.append(value)
            at += len(text[at:]) - len(text[at:].lstrip())
    except ValueError:
        return text.splitlines()
    return found


def test_every_command_on_the_page_prints_what_stands_there(tmp_path: Path) -> None:
    ship = tmp_path / "bin" / "ship"
    ship.parent.mkdir()
    ship.write_text(f"#!{sys.executable}\nimport runpy\nrunpy.run_path({str(APP)!r}, run_name='__main__')\n")
    ship.chmod(ship.stat().st_mode | stat.S_IXUSR)
    work = tmp_path / "work"
    work.mkdir()
    env = environment(agent=True)
    env["PATH"] = f"{ship.parent}:{env['PATH']}"
    assert len(examples()) > 15
    tokens: dict[str, str] = {}  # a token is bound to the folder: that of the page, and the one here
    for command, expected in examples():
        for shown, real in tokens.items():
            command = command.replace(shown, real)
        done = subprocess.run(
            command, shell=True, cwd=work, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        code = re.search(r"^\(exit code (\d+)\)$", expected, re.M)
        assert done.returncode == (int(code[1]) if code else 0), done
        expected = re.sub(r"^\(exit code \d+\)\n", "", expected, flags=re.M)
        pairs = zip(*(re.findall(r"--confirm ([0-9a-f]{12})", text) for text in (expected, done.stdout)), strict=True)
        tokens |= dict(pairs)
        for shown, real in tokens.items():
            expected = expected.replace(shown, real)
        assert values(done.stdout) == values(expected), command
