"""What must hold for any program: generated ones with prompts in odd places, and the whole standard library."""

from __future__ import annotations

import builtins
import re
import sys
import sysconfig
import time
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from agentgate.fix import FileChange, fix_source
from agentgate.lint import lint_file
from agentgate.lint.load import Unreadable

LEAVES = (
    "input('x')",
    "input()",
    "input",
    "input('Go? [y/N] ') == 'y'",
    "input(\n    'two\\nlines'\n)",
    "input( '\xe9' )",
    "getpass.getpass('p')",
    "ask('a')",
    "reader",
    "gate",
    "yes",
    "1",
    "'\xe9\xfc'",
    "(yield)",
)
EXPRESSIONS = (
    "({0} or {1})",
    "(not yes and not {0})",
    "[{0} for _ in [{1}] if {0}]",
    "{{{0}: {1} for i in 'ab'}}",
    'f"{{{0}}}"',
    'f"{{{0}!r:>{{{1}}}}} \xe9 {{{1}}}"',
    'f"{{{0}=}}"',
    "(lambda a={0}, *b: {1})",
    "(w := {0})",
    "({0} if {1} else 2)",
    "{0}[{1}]",
    "print({0}, *[{1}], end={1})",
    "str({0}).strip().lower()",
    "map({0}, [{1}])",
    "({0}\n\t+ {1})",
    "{0} \\\n    or {1}",
    "(({0}), )",
    "{0}.later",
    "-{0} ** {1}",
    "gate({0})",
    "({0} if sys.stdin.isatty() else {1})",
    "(sys.stdin.isatty() and {0})",
)
STATEMENTS = (
    "{0}",
    "x = {0}; y = {1}",
    "x: {0} = {1}",
    "if {0}:\n    {1}\nelse: {0}",
    "if not yes: {0}",
    "if not sys.stdin.isatty(): {0}\nelse: x = {1}",
    "print({0})\nx = {1}",
    "def k():\n    if sys.stdin is None or not sys.stdin.isatty(): return {0}\n    return {1}",
    "for i in [{0}]: x = {1}",
    "def f(a={0}, *, yes=False) -> {1}:\n    '''doc'''\n    return {0}",
    "async def h():\n    nonlocal_ = {0}\n    await {1}",
    "@d({0})\n@d\ndef g(): {1}",
    "class C(d({0})):\n    def m(self):\n        global gate\n        return {1}",
    "try:\n    {0}\nexcept (ValueError, KeyError) as gate: {1}\nfinally:\n    pass",
    "with d({0}) as f, d({1}): {0}",
    "match {0}:\n    case [gate, *_]: {1}\n    case _: pass",
    "assert {0}, {1}",
    "import getpass",
    "from getpass import getpass as ask",
    "from builtins import input as ask",
    "try:\n    from builtins import raw_input as ask\nexcept ImportError:\n    ask = input",
    "if True:\n    import os; reader = input",
    "import os; x = {0}",
    "gate = 1",
    "from agentgate import gate",
    "import agentgate, sys",
    "def input(x=None): return x",
    "# \xe9 a comment",
    "x = {0}  # agentgate: ignore",
    "",
    "\x0c",
)
HEADS = (
    "",
    '"""doc"""\n',
    "'doc'; import os\n",
    "#!/usr/bin/env python\n",
    "# coding: latin-1\n",
    "from __future__ import annotations\n",
    "#\n\nimport os, sys\nimport getpass\n",
    "import os; \\\n  import sys\n",
    "\x0cimport os\n",
    "if False: from agentgate import gate\n",
)

expressions = st.recursive(
    st.sampled_from(LEAVES),
    lambda inner: st.builds(lambda template, a, b: template.format(a, b), st.sampled_from(EXPRESSIONS), inner, inner),
    max_leaves=4,
)
statements = st.builds(
    lambda template, a, b: template.format(a, b), st.sampled_from(STATEMENTS), expressions, expressions
)


@st.composite
def programs(draw: st.DrawFn) -> bytes:
    body = draw(st.lists(statements, min_size=1, max_size=5))
    text = draw(st.sampled_from(HEADS)) + "\n".join(body) + draw(st.sampled_from(("\n", "", "\n\n", "  \n")))
    if draw(st.booleans()):
        text = "def main(yes=0):\n" + "".join(f"    {line}\n" for line in text.split("\n"))
    if draw(st.booleans()):
        text = text.replace("    ", "\t")
    text = text.replace("\n", draw(st.sampled_from(("\n", "\r\n", "\r"))))
    if text.startswith("# coding: latin-1"):
        return text.encode("latin-1")
    return draw(st.sampled_from((b"", b"\xef\xbb\xbf"))) + text.encode()


def compiles(data: bytes) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(data, "x.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def checked(path: str, data: bytes, **options: Any) -> FileChange | None:
    """The change of a file, which holds all that is promised of one."""
    try:
        change, left = fix_source(path, data, **options)
    except Unreadable:
        # `tokenize` looks for the encoding in what line feeds end, and Python in what any line end does
        assert not compiles(data) or (b"coding" in data and b"\n" not in data), data
        return None
    if change is None:
        return None
    assert change.findings, "a change without a finding"
    assert {*change.findings} <= {*lint_file(path, data)}
    assert not {*change.findings} & {rest.finding for rest in left}
    assert without(change) == data, "a byte outside of the edits"
    assert compiles(change.after) or not compiles(data), change.after
    again, _ = fix_source(path, change.after, **options)
    assert again is None, again and again.after
    return change


def without(change: FileChange) -> bytes:
    """The new bytes with all that was put in taken out again."""
    mark = b"\xef\xbb\xbf" if change.before.startswith(b"\xef\xbb\xbf") else b""
    encoding = "latin-1" if change.before.startswith(b"# coding: latin-1") else "utf-8"
    text = change.after[len(mark) :].decode(encoding)
    for edit in sorted(change.edits, key=lambda edit: edit.start):
        assert edit.start == edit.end
        assert text[edit.start :].startswith(edit.text)
        text = text[: edit.start] + text[edit.start + len(edit.text) :]
    return mark + text.encode(encoding)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(data=programs(), consent_flags=st.booleans(), vendored=st.sampled_from((None, "a.b")))
@example(data=b"x = input", consent_flags=False, vendored=None)
@example(data=b"if not yes and input('x'):\n    input('Go? [y/N] ') == 'y'", consent_flags=True, vendored=None)
@example(data=b"'doc'; x = f'{input()}'", consent_flags=False, vendored=None)
@example(data=b"print(input)\nx = input()\n", consent_flags=False, vendored=None)
def test_generated(data: bytes, consent_flags: bool, vendored: str | None) -> None:
    assume(compiles(data))
    checked("x.py", data, consent_flags=consent_flags, vendored=vendored)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(data=programs())
def test_a_generated_program_does_the_same(data: bytes) -> None:
    """Run before and after with an `input` that answers: the same questions, values and exceptions."""
    assume(compiles(data) and b"agentgate" not in data)
    change = checked("x.py", data)
    assume(change is not None)
    assert change is not None
    assert traced(change.after) == traced(data)


def traced(data: bytes) -> tuple[list[object], str, list[str]]:
    asked: list[object] = []

    def answer(*question: object) -> str:
        asked.append(question)
        assert len(asked) < 200
        return "y"

    names: dict[str, Any] = {"__name__": "x", "yes": 0, "sys": sys, "ask": answer, "reader": answer, "d": lambda x: x}
    error = ""
    with pytest.MonkeyPatch.context() as patched, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        patched.setattr(builtins, "input", answer)
        patched.setattr("getpass.getpass", answer)
        patched.setattr(builtins, "print", lambda *values, **_: asked.append(values))
        try:
            exec(compile(data, "x.py", "exec", dont_inherit=True), names)
        except Exception as raised:
            error = f"{type(raised).__name__}"
    kept = sorted(name for name in names if name not in ("gate", "agent_gate", "__builtins__"))
    # one that is stored is another function, which calls the same one
    seen = [re.sub(r" at 0x\w+", "", re.sub(r"<function \S+", "<function", repr(one))) for one in asked]
    return seen, error, kept


def standard_library() -> list[Path]:
    folder = Path(sysconfig.get_path("stdlib"))
    return [path for path in sorted(folder.rglob("*.py")) if "site-packages" not in path.parts]


def test_the_standard_library() -> None:
    start = time.process_time()
    changed = read = 0
    for path in standard_library():
        data = path.read_bytes()
        change = checked(str(path), data)
        read += 1
        changed += change is not None
    assert read > 500
    assert changed > 5
    assert time.process_time() - start < 60
