"""The reader for newer syntax: the same tree as the standard library's, and newer syntax on every Python."""

from __future__ import annotations

import ast
import sysconfig
import warnings
from pathlib import Path

import pytest

from agentgate.lint.check import check
from agentgate.lint.index import default
from agentgate.lint.load import Unreadable
from agentgate.lint.newer import parse
from agentgate.lint.runner import lint_file
from agentgate.lint.source import Source, read

ROOT = Path(__file__).parent.parent
LIBRARY = Path(sysconfig.get_path("stdlib"))
FILES = [
    *sorted((ROOT / "fixtures" / "lint").glob("*.py")),
    *sorted((ROOT / "fixtures" / "cases").glob("*.py")),
    *[LIBRARY / name for name in ("getpass.py", "pdb.py", "code.py", "cmd.py", "fileinput.py", "site.py", "bdb.py")],
    *sorted(LIBRARY.glob("*.py"))[::24],
]
NEWER = {
    "type aliases": "type A[T: int = str] = list[T]\nx = input('x')\n",
    "type parameters": "def f[T, *Ts, **P](x: T) -> T:\n    return input('x')\nclass A[T](B[T], metaclass=M): ...\n",
    "nested quotes": 'x = input(f"{d["a"]!r:>{w}} {"é"}: ")\n',
    "a prompt in nested quotes": 'x = f"{input("x")}"\n',
    "except without parentheses": "try:\n    x = input('x')\nexcept ValueError, KeyError:\n    pass\n",
    "template strings": "x = input(t'hello {name!s:>{w}}')\n",
    "unpacked subscripts": "def f(*args: *Ts) -> A[*Ts]: return input('x')\n",
    "a star in an index": "x = a[*b, input('x')]\n",
}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_both_readers_give_one_tree_and_the_same_findings(path: Path) -> None:
    try:
        source = read(path.read_bytes())
    except Unreadable:
        pytest.skip("the standard library cannot read it")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            other = parse(source.text)
        except RecursionError:
            pytest.skip("too deep for libcst")
    assert other is not None
    assert ast.dump(other) == ast.dump(source.tree)
    again = Source(source.data, source.text, source.encoding, source.mark, other)
    first, second = (check("x.py", one, default())[1] for one in (source, again))
    assert [site.finding for site in first] == [site.finding for site in second]


@pytest.mark.parametrize("what", NEWER)
def test_newer_syntax_is_read_on_every_python(what: str) -> None:
    [finding] = lint_file("x.py", NEWER[what].encode())
    assert finding.code == "AG101"
    line = NEWER[what].splitlines()[finding.line - 1]
    assert line[finding.column - 1 : finding.end_column - 1] == "input"


# what stands before a brace, or is a quote of its own, must not end the string that it is read as
@pytest.mark.parametrize(
    "text", [r"rf'\{(input('x'))}'", r"f'\{(input('x'))}'", "f'''it'{input('x')}'''", r"f'\\{input(1)}\d'"]
)
def test_a_text_before_a_brace_is_read_as_it_is(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outside = text.replace("'x'", "1")
        assert ast.dump(parse(outside)) == ast.dump(ast.parse(outside))  # type: ignore[arg-type]
    [finding] = lint_file("x.py", f"{text}\ntype A = int\n".encode())
    assert finding.code == "AG101"


@pytest.mark.parametrize(
    "source",
    [
        "x = = input()\n",
        "input(\n",
        "print 'x'; input()\n",
        "def f(:\n  input()\n",
        "input('C:\\Users')\n",
        "input(f'{x}C:\\Users')\n",
        "input(b'é')\n",
    ],
)
def test_what_is_no_python_stays_unreadable(source: str) -> None:
    [finding] = lint_file("x.py", source.encode())
    assert finding.code == "AG901"


def test_it_is_imported_only_when_it_is_needed() -> None:
    import subprocess
    import sys

    code = (
        "import sys; from agentgate.lint import lint_file; lint_file('x', b'x = input()'); "
        "assert 'libcst' not in sys.modules; lint_file('x', b'x = = input()'); assert 'libcst' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
