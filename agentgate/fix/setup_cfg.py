"""Adds a requirement to `install_requires` in a setup.cfg; every other byte of it stays as it is."""

from __future__ import annotations

import configparser
import re

__all__ = ["added"]

_KEY = re.compile(r"install_requires[ \t]*[=:]")


def added(text: str, requirement: str, newline: str) -> str:
    """The text with one requirement more. Raises ValueError, with the reason, when it cannot be done safely."""
    before = _read(text)
    value = before.get("options", "install_requires", fallback="")
    if value.startswith(("file:", "attr:")):
        raise ValueError(f"its dependencies come from {value.partition(':')[2].strip()}")
    if value and not value.startswith("\n"):
        raise ValueError("its install_requires is not a list of lines")
    after = _inserted(text.splitlines(keepends=True), requirement, newline)
    new = _read(after)
    if new.get("options", "install_requires", fallback="").split("\n")[1:] != [*value.split("\n")[1:], requirement]:
        raise ValueError("it is written in a way that cannot be added to safely")
    for document in (before, new):
        document["options"]["install_requires"] = ""
    if new != before:
        raise ValueError("it is written in a way that cannot be added to safely")
    return after


def _inserted(lines: list[str], requirement: str, newline: str) -> str:
    section = next((number for number, line in enumerate(lines) if line.startswith("[options]")), None)
    if section is None:
        raise ValueError("it has no [options]")
    key, last, indent = None, section, "    "
    for number, line in enumerate(lines[section + 1 :], section + 1):
        if line.startswith("["):
            break
        if not line.strip() or line.startswith(("#", ";")):
            continue
        if not line[0].isspace():
            if key is not None:
                break
            key = number if _KEY.match(line) else None
        elif key is not None and not line.lstrip().startswith("#"):
            indent = line[: len(line) - len(line.lstrip())]
        last = number
    new = f"{indent}{requirement}"
    if key is None:
        new = f"install_requires ={newline}{new}"
    ended = lines[last].endswith(("\n", "\r"))
    lines.insert(last + 1, new + newline if ended else newline + new)
    return "".join(lines)


def _read(text: str) -> configparser.RawConfigParser:
    parser = configparser.RawConfigParser()
    try:
        parser.read_string(text)
    except configparser.Error:
        raise ValueError("it cannot be read") from None
    if not parser.has_section("options"):
        raise ValueError("it has no [options]")
    return parser
