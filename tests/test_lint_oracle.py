"""The resolver against an oracle of its own kind: the standard library's `symtable`, on the standard library.

Python's own compiler says of every name in every scope whether it is local, free or global. A bare call of
`input` is the builtin's where the name is global and the module binds it nowhere.
"""

from __future__ import annotations

import ast
import functools
import re
import symtable
import sysconfig
import warnings
from contextlib import suppress
from pathlib import Path

import pytest

from agentgate.lint import lint_file
from agentgate.lint.check import check
from agentgate.lint.imported import imported
from agentgate.lint.index import default
from agentgate.lint.load import Unreadable
from agentgate.lint.prefilter import Prefilter
from agentgate.lint.source import read

PREFILTER = Prefilter(default())
NAMES = ("input", "breakpoint")
LIBRARY = Path(sysconfig.get_path("stdlib"))


@functools.cache
def files() -> list[tuple[str, bytes]]:
    """Files of the standard library that write such a name anywhere."""
    found = []
    for path in sorted(LIBRARY.rglob("*.py")):
        data = path.read_bytes()
        if "site-packages" not in path.parts and any(re.search(rb"\b%s\b" % name.encode(), data) for name in NAMES):
            found.append((str(path), data))
    return found


def global_calls(data: bytes) -> set[tuple[int, str]]:
    """The (line, name) of the calls that reach past the module; nothing of a module that binds the name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(data)
        if not any(isinstance(node, ast.Call) and getattr(node.func, "id", None) in NAMES for node in ast.walk(tree)):
            return set()
        table = symtable.symtable(data.decode("utf-8", "replace"), "x", "exec")
    bound = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    tables = [table]
    for one in tables:
        tables += one.get_children()
        # assigned as a global in a function
        bound |= {
            symbol.get_name() for symbol in one.get_symbols() if symbol.is_declared_global() and symbol.is_assigned()
        }
    scopes: dict[tuple[str, int], list[symtable.SymbolTable]] = {}
    for one in tables:
        scopes.setdefault((one.get_name(), one.get_lineno()), []).append(one)
    calls = set()
    stack: list[tuple[ast.AST, symtable.SymbolTable]] = [(tree, table)]
    while stack:
        node, scope = stack.pop()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in set(NAMES) - bound:
            symbol = scope.lookup(node.func.id)
            if symbol.is_global() or (scope.get_type() == "class" and not symbol.is_assigned()):
                calls.add((node.lineno, node.func.id))
        inner = scope
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            [inner] = [one for one in scopes[node.name, node.lineno] if one.get_type() in ("function", "class")] or [
                scope
            ]
        elif isinstance(node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            continue
        stack += [(child, inner) for child in ast.iter_child_nodes(node)]
    return calls


def test_finds_the_calls_that_the_compiler_says_are_global() -> None:
    wanted = found = 0
    for path, data in files():
        try:
            calls = global_calls(data)
        except (ValueError, SyntaxError):
            continue  # two scopes of one name on one line: the oracle cannot tell them apart; or no Python
        findings = [finding for finding in lint_file(path, data) if finding.call in NAMES]
        here = {(finding.line, finding.call) for finding in findings}
        references = {finding.line for finding in findings if finding.code == "AG108"}
        assert calls <= here, path
        wanted += len(calls)
        found += len({line for line, _ in here} - references)
    assert wanted > 20
    assert found >= wanted


def test_the_prefilter_loses_nothing() -> None:
    skipped = 0
    for path, data in files():
        if not PREFILTER.may_prompt(data, imported(data, PREFILTER.words)):
            with suppress(Unreadable):
                assert check(path, read(data), default())[1] == [], path
                skipped += 1
    assert skipped > 5


@pytest.mark.parametrize(
    "source",
    [
        b"import os, \\\n  click\nclick.prompt('x')\n",
        b"import os, \\\r\n  click\r\nclick.prompt('x')\r\n",
        b"import os\rimport click\rclick.prompt('x')\r",
        b"from click import (\n  prompt as p,\n)\np('x')\n",
        b"x = (input\n  ('x'))\n",
        b"say = input\n[1]\n",
        b"x = 1 if y else input\n",
        b"if 1: import getpass; getpass.getpass()\n",
    ],
)
def test_the_prefilter_reads_odd_layouts(source: bytes) -> None:
    assert PREFILTER.may_prompt(source, imported(source, PREFILTER.words))
    assert lint_file("x.py", source)
