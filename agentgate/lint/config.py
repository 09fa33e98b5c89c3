"""The settings of a run: `[tool.agentgate]` in pyproject.toml, or `agentgate.toml`, and what the command line adds.

The nearest file upwards from the first path counts, and no other. Whatever a file says that is not understood is an
error with its place: a setting that silently does nothing would be taken for one that works.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, get_type_hints

from agentgate.lint.globs import Globs, relative
from agentgate.lint.own import NOTHING, Own

if TYPE_CHECKING:
    from agentgate.catalog import Prompt
    from agentgate.lint.finding import Finding
    from agentgate.lint.known import Effect

__all__ = ["EXCLUDED", "KEYS", "Config", "ConfigError", "UsageError", "codes_of", "find", "read"]

EXCLUDED = (
    *(".bzr", ".direnv", ".eggs", ".git", ".git-rewrite", ".hg", ".ipynb_checkpoints", ".mypy_cache", ".nox"),
    *(".pants.d", ".pyenv", ".pytest_cache", ".pytype", ".ruff_cache", ".svn", ".tox", ".venv", ".vscode"),
    *("__pycache__", "__pypackages__", "_build", "buck-out", "build", "dist", "node_modules", "site-packages", "venv"),
    "_agentgate",  # our own vendored copy
)
# key → what it holds; what stands in the policy's tables, the policy's own reader checks
KEYS: dict[str, str] = {
    "select": "codes",
    "ignore": "codes",
    "extend-select": "codes",
    "extend-ignore": "codes",
    "exclude": "patterns",
    "extend-exclude": "patterns",
    "per-file-ignores": "codes by pattern",
    "prompts": "tables",
    "effects": "tables",
    "respect-gitignore": "true or false",
    "consent": "the policy's",
    "approve": "the policy's",
}
# the type of a record's field → what a file has for it
_SHAPES: dict[object, tuple[type, str]] = {
    str: (str, "a string"),
    str | None: (str, "a string"),
    bool: (bool, "true or false"),
    int | None: (int, "a number"),
    tuple[str, ...]: (list, "a list of strings"),
}
_NAMES = ("agentgate.toml", "pyproject.toml")
Table: TypeAlias = Mapping[str, Any]


class UsageError(Exception):
    """The command line names something that is not there, or a setting that does not exist."""


class ConfigError(UsageError):
    """A configuration file says something that is not understood; the message names the file and the line."""


class Config(NamedTuple):
    """The settings of one run.

    select: codes and prefixes, None for the rules that are on by default. ignore: codes and prefixes left out.
    exclude: patterns of files and folders that are not looked at, unless they are named themselves.
    per_file_ignores: codes and prefixes left out in the files of a pattern. own: the project's own
    prompts and effects. root: the folder that patterns are relative to. source: the file that this was read from.
    """

    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = EXCLUDED
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    own: Own = NOTHING
    respect_gitignore: bool = True
    force_exclude: bool = False
    root: str | None = None
    source: str | None = None

    def selects(self, finding: Finding) -> bool:
        """Whether a finding is to be reported."""
        if finding.code not in _selected(self.select, self.extend_select, self.ignore):
            return False
        return not self.per_file_ignores or not self._is_ignored_there(finding)

    def _is_ignored_there(self, finding: Finding) -> bool:
        path = relative(finding.path, self.root)
        return any(
            finding.code.startswith(codes) and _globs((pattern,)).matches(path)
            for pattern, codes in self.per_file_ignores
        )


@cache
def _globs(patterns: tuple[str, ...]) -> Globs:
    return Globs(patterns)


@cache
def _selected(
    select: tuple[str, ...] | None, extend_select: tuple[str, ...], ignore: tuple[str, ...]
) -> frozenset[str]:
    from agentgate.lint.messages import RULES

    chosen = {code for code, rule in RULES.items() if rule.default}
    if select is not None:
        chosen = {code for code in RULES if code.startswith(select)}
    chosen |= {code for code in RULES if code.startswith(extend_select)}
    return frozenset(code for code in chosen if not code.startswith(ignore))


def codes_of(words: Sequence[str], where: str) -> tuple[str, ...]:
    """Rule codes and prefixes of them (`ALL` is all), as a user wrote them. Raises UsageError for an unknown one."""
    from agentgate.lint.messages import RULES

    found = []
    for word in words:
        code = word.strip().upper()
        if code == "ALL":
            code = "AG"
        if not code.startswith("AG") or not any(known.startswith(code) for known in RULES):
            raise UsageError(f"{where}: there is no rule {word}{_nearest(code, list(RULES))}")
        found.append(code)
    return tuple(found)


def _nearest(word: str, known: Sequence[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(word, known, 1, 0.5)
    return f"; did you mean {close[0]}?" if close else f"; there are {', '.join(known)}"


def find(paths: Sequence[str]) -> str | None:
    """The nearest configuration file upwards from the first path."""
    folder = os.path.realpath(paths[0] if paths else os.curdir)
    if not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    while True:
        for name in _NAMES:
            path = os.path.join(folder, name)
            if _configures(path, name):
                return path
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def _configures(path: str, name: str) -> bool:
    if not os.path.isfile(path):  # a pipe would be waited for
        return False
    if name == "agentgate.toml":
        return True
    try:
        with open(path, "rb") as file:
            return b"agentgate" in file.read() and _section(_parsed(path), path) is not None
    except OSError:
        return False


def read(path: str) -> Config:
    """The settings of a file. Raises ConfigError."""
    document = _parsed(path)
    table = _section(document, path)
    if table is None:
        raise ConfigError(f"{path}: there is no [tool.agentgate] in it")
    return _Reader(path).config(table)


def _parsed(path: str) -> Table:
    import tomllib

    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits
        raise ConfigError(f"{path}: is not valid TOML: {error}") from None


def _section(document: Table, path: str) -> Table | None:
    if os.path.basename(path) != "pyproject.toml":
        return document
    tool = document.get("tool", {})
    table = tool.get("agentgate") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigError(f"{path}: tool.agentgate is a table: [tool.agentgate]")
    return table


class _Reader:
    """Checks one table, and knows where its keys stand."""

    def __init__(self, path: str) -> None:
        self.path = path

    def config(self, table: Table) -> Config:
        for key in table:
            if key not in KEYS:
                self.fail(key, f"unknown key {key!r}{_nearest(key, list(KEYS))}")
        folder = os.path.dirname(os.path.abspath(self.path))
        respects = table.get("respect-gitignore", True)
        if not isinstance(respects, bool):
            self.fail("respect-gitignore", "respect-gitignore is true or false")
        exclude = self.strings(table, "exclude") if "exclude" in table else EXCLUDED
        return Config(
            select=self.codes(table, "select") if "select" in table else None,
            extend_select=self.codes(table, "extend-select"),
            ignore=self.codes(table, "ignore") + self.codes(table, "extend-ignore"),
            exclude=exclude + self.strings(table, "extend-exclude"),
            per_file_ignores=self.per_file_ignores(table),
            own=Own(self.prompts(table), self.effects(table)),
            respect_gitignore=respects,
            root=folder,
            source=self.path,
        )

    def fail(self, key: str, problem: str) -> Any:
        raise ConfigError(f"{self.path}:{self.line(key)}: {problem}")

    def line(self, key: str) -> int:
        """The line that a key stands on, as well as plain text can tell."""
        with open(self.path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        start = text.find("[tool.agentgate") if os.path.basename(self.path) == "pyproject.toml" else 0
        word = re.escape(key)
        found = re.compile(rf"""^[ \t]*(?:["']?{word}["']?[ \t]*[=.]|\[+[^\]\n]*["']?{word}["']?\])""", re.M).search(
            text, max(start, 0)
        )
        return text.count("\n", 0, found.start()) + 1 if found else 1

    def strings(self, table: Table, key: str, owner: str | None = None) -> tuple[str, ...]:
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            self.fail(key, f"{owner or key} is a list of strings")
        return tuple(value)

    def codes(self, table: Table, key: str, owner: str | None = None) -> tuple[str, ...]:
        words = self.strings(table, key, owner)
        try:
            return codes_of(words, owner or key)
        except UsageError as error:
            return self.fail(key, str(error))  # type: ignore[no-any-return]

    def per_file_ignores(self, table: Table) -> tuple[tuple[str, tuple[str, ...]], ...]:
        value = table.get("per-file-ignores", {})
        if not isinstance(value, dict):
            self.fail("per-file-ignores", "per-file-ignores is a table: pattern = [codes]")
        return tuple((pattern, self.codes(value, pattern, f"per-file-ignores {pattern!r}")) for pattern in value)

    def prompts(self, table: Table) -> tuple[Prompt, ...]:
        if "prompts" not in table:
            return ()
        from agentgate.catalog import CatalogError, Prompt, parse

        tables = self.tables(table, "prompts", Prompt)
        try:
            return parse({"schema": 1, "library": "prompts", "prompt": tables}, "prompts").prompts
        except CatalogError as error:
            return self.fail("prompts", str(error).removeprefix("prompts.toml: "))  # type: ignore[no-any-return]

    def effects(self, table: Table) -> tuple[Effect, ...]:
        from agentgate.lint.known import Effect, record

        return tuple(record(Effect, one, "effects") for one in self.tables(table, "effects", Effect))

    def tables(self, table: Table, key: str, record: type[tuple[Any, ...]]) -> list[dict[str, Any]]:
        """The tables of a key, each with the fields of a record and with values of their types."""
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            self.fail(key, f"{key} is a list of tables: [[{key}]]")
        for one in value:
            self.fields(one, key, record)
        return list(value)

    def fields(self, table: Table, key: str, record: Any) -> None:
        types = get_type_hints(record)
        for field, value in table.items():
            if field not in types:
                self.fail(field, f"{key}: unknown key {field!r}{_nearest(field, record._fields)}")
            kind, wanted = _SHAPES.get(types[field], (dict, "a table"))
            strings = not isinstance(value, list) or all(isinstance(one, str) for one in value)
            if type(value) is not kind or not strings:
                self.fail(field, f"{key}: {field} is {wanted}")
        for field in record._fields:
            if field not in table and field not in record._field_defaults:
                self.fail(key, f"{key}: {field} is missing")
        for field in ("call", "calls", "also"):
            given = table.get(field, [])
            names: list[str] = [given] if isinstance(given, str) else given
            for name in names:
                if "." not in name or not all(part.isidentifier() for part in name.split(".")):
                    self.fail(field, f"{key}: {name!r} is not a qualified name, such as mytool.cloud.delete")
