"""The prefilter never rejects what the checks would find something in: on generated programs, and on real ones."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentgate.lint import Config, lint_file
from agentgate.lint.barename import BareNames
from agentgate.lint.check import check
from agentgate.lint.engine import engine
from agentgate.lint.imported import imported
from agentgate.lint.index import default
from agentgate.lint.load import Unreadable
from agentgate.lint.prefilter import Prefilter
from agentgate.lint.source import read

PREFILTER = Prefilter(default())
NAMES = ("input", "breakpoint", "x", "click", "getpass", "self.input", "c.prompt", "getpass.getpass", "input_")
names = st.sampled_from(NAMES)
strings = st.sampled_from(
    [
        "'input('",
        '"""\ndef f(input):\n"""',
        "f'{input}'",
        "f'{{input}}'",
        "f'{x!r}'",
        "'#'",
        "b'\"'",
        "r'\\n'",
        "'a\\\n b'",
    ]
)
calls = st.builds(
    "{}({})".format, names, st.sampled_from(["", "'a'", "input", "x=input", "*input", "input=1", "input"])
)
atoms = st.one_of(names, strings, calls)
expressions = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.builds("({}, {})".format, inner, inner),
        st.builds("[{} for input in {}]".format, inner, inner),
        st.builds("[{} for x in {}]".format, inner, inner),
        st.builds("{{{}: {}}}".format, inner, inner),
        st.builds("(lambda input: {})".format, inner),
        st.builds("(lambda x=input: {})".format, inner),
        st.builds("({} if {} else {})".format, inner, inner, inner),
        st.builds("({} or {})".format, inner, inner),
        st.builds("({}\n{})".format, inner, st.sampled_from(["", "  # input(", ".input"])),
        st.builds("({} and\\\n {})".format, inner, inner),
    ),
    max_leaves=6,
)
simple = st.one_of(
    st.builds("x = {}".format, expressions),
    st.builds("input = {}".format, expressions),
    st.builds("return {}".format, expressions),
    st.builds("print({})  # input".format, expressions),
    st.just("global input"),
    st.just("import click, getpass"),
    st.just("from click import prompt as x"),
    st.just("from getpass import *"),
    st.just("import os, \\\n    click as c"),
    st.just("from six.moves import (\n    input,\n)"),
    st.just("x: input = 1"),
    st.just("del input"),
)


def indented(text: str) -> str:
    return text.replace("\n", "\n    ")


blocks = st.recursive(
    st.lists(simple, min_size=1, max_size=3).map("\n".join),
    lambda inner: st.one_of(
        st.builds(
            lambda p, b: f"def f({p}):\n    {indented(b)}",
            st.sampled_from(["", "input", "x=input", "x, *input"]),
            inner,
        ),
        st.builds(lambda b: f"class A:\n    {indented(b)}", inner),
        st.builds(lambda b: f"@x(input)\ndef input():\n    {indented(b)}", inner),
        st.builds(lambda b: f"try:\n    {indented(b)}\nexcept E as input:\n    {indented(b)}", inner),
        st.builds(lambda a, b: f"{a}\n{b}", inner, inner),
    ),
    max_leaves=5,
)


@pytest.mark.parametrize(
    "head",
    [
        "@click.command()\ndef f(path):\n",
        "@app.callback()\ndef f(path):\n",
        "class Command:\n  def handle(self, path):\n",
        "from agentgate import effects\n@effects('read_only')\ndef f(path):\n",
    ],
)
@pytest.mark.parametrize("call", ["shutil.rmtree(path)", "gone(path)"])
def test_a_handler_that_destroys_and_asks_nothing_is_read(head: str, call: str) -> None:
    source = f"import shutil\nfrom os import remove as gone\n{head}    {call}\n"
    found = lint_file("x.py", source.encode(), Config(select=("AG201",)))
    assert [finding.code for finding in found] == ["AG201"]


@pytest.mark.parametrize(
    "source",
    [
        "from hosts import app\n@app.command()\ndef f(x):\n    x.remove(1)\n",
        "import os\n@app.command()\ndef f(x):\n    x.remove(os.sep)\n",
        "import os\n@callback\ndef f(x):\n    os.remove(x)\n",
    ],
)
def test_what_destroys_nothing_or_handles_no_command_is_not_parsed(source: str) -> None:
    assert engine().analyse("x.py", source.encode()) is None


@settings(max_examples=300, deadline=None)
@given(blocks, st.sampled_from(["\n", "\r\n", "\r"]))
def test_what_is_rejected_holds_nothing(program: str, end: str) -> None:
    data = (program.replace("\n", end) + end).encode()
    if PREFILTER.may_prompt(data, imported(data, PREFILTER.words)):
        return
    try:
        source = read(data)
    except Unreadable:
        return
    assert check("x.py", source, default())[1] == []


@pytest.mark.parametrize(
    "source",
    [
        "ask = lambda read=input: read()",
        "f(input)",
        "f(x,\n  input,\n  y)",
        "return_ = [input\n]",
        "x = yield_ or input",
        "f'''{input('x')}'''",
        "f\"{input('x')}\"",
        "x = '''a''' + input('b')",
        "class A:\n    input = input\n",
        "def f(input): pass\ndef g(): return h(input)\n",
        "def g():\n    '''\nclass B:\n    '''\n    return h(input)\n",
        "@decorate(input)\ndef input(): pass\n",
        "def f():\n  def g(input): pass\n  return h(\n          input)\n",
        "class A:\n  def f(self, input): pass\n  def g(self): return h(input)\n",
        "class A:\n  input = 1\n  def f(self): return h(input)\n  x = 1\n",
        "class A:\n  def f(self): pass\n  x = h(input)\n",
        "class A:\n  def f(self, x=input): pass\n",
        "class A:\n  @h(input)\n  def f(self): pass\n",
        "class A:\n  if x:\n    def f(self, input): return h(input)\n  def g(self): return h(input)\n",
        "class A:\n  if x:\n    def f(self): pass\n    def g(self): return h(input)\n  else: pass\n",
        "class A:\n  class B:\n    def f(self, input): pass\n    def g(self): return h(input)\n",
        "class A:\n  def f(self, input):\n    '''\n  def g(self):\n    '''\n  def i(self): return h(input)\n",
    ],
)
def test_a_read_of_the_builtin_passes(source: str) -> None:
    assert BareNames(["input"]).may_be_read(source.encode())


@pytest.mark.parametrize(
    "source",
    [
        "def f(input): return g(input)",
        "x = 'input(1)'  # input(1)",
        "self.input(1)",
        "f(input=1)",
        "def f(x, input: int = 3): return x",
        "'''The input (a string) and input, too'''",
        "def f(x):\n    input = x\n    return g(input)\n",
        "def f(x): return [input for input in x]",
        "class A:\n  x = 1\n  def f(self, input): return g(input)\n  def h(self): pass\n",
        "class A:\n\tdef f(self):\n\t\tinput = 1\n\t\treturn g(input)\n\t@x\n\tdef h(self): pass\n",
        "class A:\n  def f(self):\n    def g(input): return h(input)\n    return g\n  y = 1\n",
    ],
)
def test_a_name_of_its_own_does_not(source: str) -> None:
    assert not BareNames(["input"]).may_be_read(source.encode())
