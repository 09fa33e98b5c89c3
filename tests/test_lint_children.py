"""A node's children, by kind, are those that the syntax tree itself gives."""

from __future__ import annotations

import ast
import sys
import warnings
from pathlib import Path

import pytest

from agentgate.lint.scopes import children

_LEFT_OUT = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
FIXTURES = sorted((Path(__file__).parent.parent / "fixtures").rglob("*.py"))
WRITTEN = """
def f(a, /, b: int = 1, *c, d=2, e, **g) -> T: global x; nonlocal_ = {**a, 'b': c}
async def h(a):
    async for b, *c in d: yield b
    async with a as b, c: await d
    return [x async for x in y if z], f"{a!r:>{b}}", lambda *, k, v=1: (yield from k)
match a:
    case {"k": None, **rest} | C(a, b=1) | [1, *s] as t if u: del v
    case True | _: pass
try: assert a, b
except* (E, F) as e: raise G from e
else: import a.b as c, d
finally: from . import e as f, g
while (n := a < b <= c) or not d: n += -1; break
"""
# by the version of Python that brought it
NEWER = {(3, 12): "type Alias[T: int, *Ts, **P] = dict[T, P]\ndef f[T](a): return a", (3, 13): "class C[T = str]: pass"}


def _parsed(text: str | bytes) -> ast.AST:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pytest.skip("no Python of this version")


def _check(tree: ast.AST) -> None:
    for node in ast.walk(tree):
        assert children(node) == [one for one in ast.iter_child_nodes(node) if not isinstance(one, _LEFT_OUT)]


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name)
def test_of_a_fixture(path: Path) -> None:
    _check(_parsed(path.read_bytes()))


def test_of_every_kind() -> None:
    newer = [text for version, text in NEWER.items() if version <= sys.version_info]
    _check(ast.parse("\n".join([WRITTEN, *newer])))
