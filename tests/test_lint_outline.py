"""An outline of a module binds what the module binds, and holds nothing of what its functions do."""

from __future__ import annotations

import ast
import sysconfig
import warnings
from pathlib import Path

import pytest

from agentgate.lint.outline import bodies, outline
from agentgate.lint.source import read_bindings

FIXTURES = sorted((Path(__file__).parent.parent / "fixtures").rglob("*.py"))
LIBRARY = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))

CASES = {
    "a body": ("x = 1\ndef f():\n    return ask()\n\ny = 2\n", "x = 1\ndef f():pass\n\ny = 2\n"),
    "the last one": ("x = 1\ndef f():\n    return ask()", "x = 1\ndef f():pass\n"),
    "a body behind the colon": ("\ndef f(): return ask()\ny = 2\n", "\ndef f(): return ask()\ny = 2\n"),
    "a head of several lines": (
        "\ndef f(a: dict[str, int] = {'x': 1},\n  *, b=lambda: 0,\n) -> 'a:b':  # why:\n  pass\ny = 2\n",
        "\ndef f(a: dict[str, int] = {'x': 1},\n  *, b=lambda: 0,\n) -> 'a:b':pass\n\ny = 2\n",
    ),
    "methods, and what is beside them": (
        "\nclass C:\n    a = 1\n    @d\n    async def f(self):\n        pass\n\n    b = 2\nc = 3\n",
        "\nclass C:\n    a = 1\n    @d\n    async def f(self):pass\n\n    b = 2\nc = 3\n",
    ),
    "a function in one": ("\ndef f():\n  def g():\n    pass\n  return g\ny = 2\n", "\ndef f():pass\n\ny = 2\n"),
    "a string that goes on to the left": ('\ndef f():\n    x = """\ny = 1\n"""\ny = 2\n', "\ndef f():pass\n\ny = 2\n"),
    "a comment to the left": ("\ndef f():\n    x = 1\n# y = 1\n    z = 2\ny = 2\n", "\ndef f():pass\n\ny = 2\n"),
    "a line that is continued": ("\ndef f():\n    x = \\\ny\n    z = 2\ny = 2\n", "\ndef f():pass\n\ny = 2\n"),
    "one in a string": ('x = """\ndef f():\n    pass\n"""\n', 'x = """\ndef f():\n    pass\n"""\n'),
    "one that assigns a name of the module": (
        "\ndef f():\n    global y\n    y = 1\ndef g():\n    pass\n",
        "\ndef f():\n    global y\n    y = 1\ndef g():pass\n",
    ),
    "line ends of two characters": ("\r\ndef f():\r\n    pass\r\ny = 2\r\n", "\r\ndef f():pass\n\ny = 2\r\n"),
    "under a condition": (
        "\nif a:\n    def f():\n        pass\nelse:\n    f = 1\n",
        "\nif a:\n    def f():pass\n\nelse:\n    f = 1\n",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_left_out(name: str) -> None:
    text, expected = CASES[name]
    left = outline(text, bodies(text))
    assert written(left) == written(expected)
    assert left.count("\n") == text.count("\n")


def written(text: str) -> list[str]:
    return [line for line in text.splitlines() if line]


def _without_bodies(tree: ast.Module) -> str:
    """The tree, where functions that assign no name of the module do nothing."""
    for node in ast.walk(tree):
        is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if is_function and not any(isinstance(part, ast.Global) for part in ast.walk(node)):
            node.body = [ast.Pass()]
    return ast.dump(tree)


@pytest.mark.parametrize("path", [*FIXTURES, *LIBRARY], ids=lambda path: path.name)
def test_an_outline_binds_the_same(path: Path) -> None:
    data = path.read_bytes()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            whole = ast.parse(data)
            expected = _without_bodies(whole)
        except (SyntaxError, ValueError, RecursionError):
            pytest.skip("no Python of this version, or nested deeper than it can show")
        left = read_bindings(data).tree
    assert _without_bodies(left) == expected


@pytest.mark.parametrize("path", [*FIXTURES, *LIBRARY], ids=lambda path: path.name)
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_every_line_keeps_its_number(path: Path, end: str) -> None:
    text = path.read_text("utf-8", "surrogateescape").replace("\n", end)
    left = outline(text, bodies(text)).split("\n")
    lines = text.split("\n")
    assert len(left) == len(lines)
    assert all(
        whole.startswith(part.rstrip("\r").removesuffix("pass")) for part, whole in zip(left, lines, strict=True)
    )


def test_what_cannot_be_cut_is_read_whole() -> None:
    text = "\ndef f():\n    return [\ninput,\n]\nask = input\n"
    with pytest.raises(SyntaxError):
        ast.parse(outline(text, bodies(text)))
    assert ast.dump(read_bindings(text.encode()).tree) == ast.dump(ast.parse(text))
