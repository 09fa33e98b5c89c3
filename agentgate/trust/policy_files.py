"""Finds and reads policy files. What cannot be understood is an error with its file and line, and denies."""

from __future__ import annotations

import os
import re
from typing import Any, NoReturn

from . import files, places
from .policy import LEVELS, Policy, Rule

__all__ = ["PolicyError", "candidates", "load", "parse", "read", "seconds"]

PROJECT_FILES = ("agentgate.toml", "pyproject.toml")
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_LONGEST = 30 * 86400
_KEYS = {"default", "rule", "ttl", "unattended"}
_RULE_KEYS = {"agent", "program", "reason", "require"}


class PolicyError(Exception):
    """A policy cannot be used; the text is one sentence that names the file, and the line where there is one."""


def load(folder: str | None = None) -> tuple[Policy, ...]:
    """All policies that count for a run in this folder (where the process is). Raises PolicyError."""
    found = [read(path, origin) for origin, path in candidates(folder)]
    return tuple(one for one in found if one is not None)


def candidates(folder: str | None = None) -> list[tuple[str, str]]:
    """Where policies are looked for: (origin, path), whether there is a file or not."""
    looked_for = [("site", path) for path in places.site_policies()]
    looked_for += [("user", path) for path in places.user_policies()]
    project = _project(folder)
    return [*looked_for, *([("project", project)] if project else [])]


def read(path: str, origin: str) -> Policy | None:
    """One file; None when there is none, or when it says nothing about consents. Raises PolicyError."""
    in_project = origin == "project"
    try:
        data = files.read_small(path, strictly=not in_project)
        if in_project and b"consent" not in data and b"approve" not in data:
            return None  # lint's settings, or another tool's: no business of ours
        found = parse(data, path, origin)
        if in_project and found is not None:
            _check_project(path)
    except FileNotFoundError:
        return None
    except files.Unsafe as error:
        raise PolicyError(f"The policy {error}") from None
    return found


def parse(data: bytes, path: str, origin: str) -> Policy | None:
    """A file's content. Raises PolicyError."""
    import tomllib

    text = data.decode("utf-8", "replace")
    nested = os.path.basename(path) == "pyproject.toml"
    if nested and "agentgate" not in text:
        return None
    try:
        document: Any = tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits
        at = re.search(r"line (\d+)", str(error))
        raise PolicyError(f"{path}:{at[1] if at else 1}: this policy is not valid TOML: {error}") from None
    if nested:
        tool = document.get("tool")
        document = tool.get("agentgate") if isinstance(tool, dict) else None
        if not isinstance(document, dict):
            return None
    return _Reader(path, text, origin).policy(document)


def seconds(value: object) -> int | None:
    """A time to live: whole seconds, or a number with s, m, h or d behind it. None when it is neither."""
    if isinstance(value, str) and (written := re.fullmatch(r"(\d{1,9})([smhd])", value.strip())):
        value = int(written[1]) * _UNITS[written[2]]
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= _LONGEST:
        return None
    return value


def _project(folder: str | None) -> str | None:
    """The nearest `agentgate.toml`, or `pyproject.toml` with a `[tool.agentgate]`, upwards."""
    try:
        folder = os.path.realpath(folder or os.getcwd())
    except OSError:  # the directory was removed under the program
        return None
    while True:
        for name in PROJECT_FILES:
            path = os.path.join(folder, name)
            if os.path.lexists(path) and (name == "agentgate.toml" or _is_ours(path)):
                return path
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def _is_ours(path: str) -> bool:
    """Whether a `pyproject.toml` has a table for agentgate; one that is no TOML, whether it looks as if it had."""
    if not os.path.isfile(path):  # a pipe would be waited for
        return False
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return False  # no policy stands in it as far as anybody can tell
    if b"agentgate" not in data:
        return False
    import tomllib

    try:
        tool = tomllib.loads(data.decode()).get("tool")
    except (ValueError, RecursionError):
        return b"tool.agentgate" in data.replace(b" ", b"")
    return isinstance(tool, dict) and "agentgate" in tool


def _check_project(path: str) -> None:
    """A project's file says something about consents: the rules for policy files hold for it too."""
    if os.path.islink(path):
        raise files.Unsafe(f"{path} is a symbolic link")
    if os.name != "nt" and os.lstat(path).st_mode & 0o002:
        raise files.Unsafe(f"{path} can be written by everybody: chmod o-w {path}")


class _Reader:
    """Checks one document, and knows where its keys stand."""

    def __init__(self, path: str, text: str, origin: str) -> None:
        self.path, self.text, self.origin = path, text, origin

    def policy(self, document: Any) -> Policy | None:
        if self.origin == "project":  # the other keys are lint's
            document = {key: document[key] for key in ("consent", "approve") if key in document}
            if not document:
                return None
            if "approve" in document:
                problem = "a project's file cannot name a command to run: [approve] belongs in your own policy"
                self._fail("approve", problem)
        self._known(document, {"consent", "approve"}, "")
        consent, approve = self._table(document, "consent"), self._table(document, "approve")
        self._known(consent, _KEYS, "consent")
        self._known(approve, {"notify"}, "approve")
        return Policy(
            self.origin,
            self.path,
            default=self._word(consent, "default", LEVELS),
            default_line=self._line("default"),
            ttl=self._ttl(consent),
            unattended=self._word(consent, "unattended", ("allow", "deny")),
            rules=self._rules(consent),
            notify=self._notify(approve),
        )

    def _rules(self, consent: dict[str, Any]) -> tuple[Rule, ...]:
        listed = consent.get("rule", [])
        if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
            self._fail("rule", "rules are written as [[consent.rule]]")
        lines = [
            self.text.count("\n", 0, found.start()) + 1
            for found in re.finditer(r"^[ \t]*\[\[[^\]\n]*\brule\b[^\]\n]*\]\]", self.text, re.M)
        ]
        if len(lines) != len(listed):  # written inline
            lines = [self._line("rule")] * len(listed)
        return tuple(self._rule(one, line) for one, line in zip(listed, lines, strict=True))

    def _rule(self, table: dict[str, Any], line: int) -> Rule:
        for key in table:
            if key not in _RULE_KEYS:
                self._fail_at(line, f"a rule has no {key!r}, only {', '.join(sorted(_RULE_KEYS))}")
        if table.get("require") not in LEVELS:
            self._fail_at(line, f"a rule needs a `require`: {', '.join(LEVELS)}")
        fields: dict[str, tuple[str, ...]] = {}
        for key in ("reason", "program", "agent"):
            value = table.get(key, "*")
            globs = [value] if isinstance(value, str) else value
            if not isinstance(globs, list) or not globs or not all(isinstance(one, str) for one in globs):
                self._fail_at(line, f"a rule's `{key}` is a glob or a list of globs")
            fields[key] = tuple(globs)
        return Rule(**fields, require=table["require"], line=line)

    def _ttl(self, consent: dict[str, Any]) -> int | None:
        if "ttl" not in consent:
            return None
        found = seconds(consent["ttl"])
        if found is None:
            self._fail("ttl", 'ttl is a number of seconds, or "15m", "2h", up to 30 days')
        return found

    def _notify(self, approve: dict[str, Any]) -> tuple[str, ...] | None:
        command = approve.get("notify")
        if command is None:
            return None
        if not isinstance(command, list) or not all(isinstance(one, str) for one in command):
            self._fail("notify", 'notify is a command as a list of words: ["notify-send", "agentgate"]')
        return tuple(command)

    def _word(self, table: dict[str, Any], key: str, words: tuple[str, ...]) -> str | None:
        value = table.get(key)
        if value is not None and value not in words:
            self._fail(key, f"{key} is one of {', '.join(words)}")
        return value

    def _table(self, document: dict[str, Any], key: str) -> dict[str, Any]:
        value = document.get(key, {})
        if not isinstance(value, dict):
            self._fail(key, f"{key} is a table")
        return value

    def _known(self, table: dict[str, Any], keys: set[str], name: str) -> None:
        for key in table:
            if key not in keys:
                self._fail(key, f"{f'[{name}]' if name else 'a policy'} has no {key!r}, only {', '.join(sorted(keys))}")

    def _line(self, key: str) -> int:
        word = re.escape(key)
        start = max(self.text.find("tool.agentgate"), 0) if os.path.basename(self.path) == "pyproject.toml" else 0
        pattern = re.compile(rf"""^[ \t]*(?:\[+[^\]\n]*["']?{word}["']?[^\]\n]*\]|["']?{word}["']?[ \t]*[=.])""", re.M)
        found = pattern.search(self.text, start) or re.compile(word).search(self.text, start)
        return self.text.count("\n", 0, found.start()) + 1 if found else 1

    def _fail(self, key: str, problem: str) -> NoReturn:
        self._fail_at(self._line(key), problem)

    def _fail_at(self, line: int, problem: str) -> NoReturn:
        raise PolicyError(f"{self.path}:{line}: {problem}")
