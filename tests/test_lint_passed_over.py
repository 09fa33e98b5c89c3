"""What is passed over without a syntax tree holds nothing: in every way to write an import, a name and a call."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentgate.lint.barename import BareNames
from agentgate.lint.check import check
from agentgate.lint.engine import engine
from agentgate.lint.index import default
from agentgate.lint.known import known
from agentgate.lint.source import read

FIXTURES = sorted((Path(__file__).parent.parent / "fixtures").rglob("*.py"))

# {module}, {name}: an import of the one from the other; {rest}: what is then left of the path, behind a dot
IMPORTS = [
    ("import {module}", "{module}.{name}{rest}"),
    ("import {module} as q", "q.{name}{rest}"),
    ("import os, {module} as q, re", "q.{name}{rest}"),
    ("import os, \\\n {module}\\\n as q", "q.{name}{rest}"),
    ("import\f{module}", "{module}.{name}{rest}"),
    ("import é, {module} as q  # ü", "q.{name}{rest}"),
    ("if 1: import {module} as q; é = 'ß'", "q.{name}{rest}"),
    ("try:\n  import {module} as q\nexcept ImportError:\n  q = None", "q.{name}{rest}"),
    ("def f():\n  import {module} as q\n  return q", "f().{name}{rest}"),
    ("import {module} as q\nr = q", "r.{name}{rest}"),
    ("import {module}\nr = {module}", "r.{name}{rest}"),
    ("import os, {module}\nimport {module} \\\n\nr = {module}", "r.{name}{rest}"),
    ("import {module} as q", "(q\n  . \\\n  {name}){rest}"),
    ("import {module} as q", "(q  # .\n  .{name}){rest}"),
    ("import {module} as q", "(q.\n  # .\n  {name}){rest}"),
    ("import {module} as ñ", "ñ.{name}{rest}"),
    ("import {module} as q\nclass A: r = q", "A().r.{name}{rest}"),
    ("from {module} import {name}", "{name}{rest}"),
    ("from {module} import {name} as q", "q{rest}"),
    ("from {module} import {name} as ñ", "ñ{rest}"),
    ("from {module} import (\n  x,  # :)\n  {name} as q,\n)", "q{rest}"),
    ("from {module} \\\n import x, \\\n {name} as q", "q{rest}"),
    ("from {module} import \\\n (x,\n {name} as q)", "q{rest}"),
    ("from {module} import(x, {name} as q)", "q{rest}"),
    ("from {module} import*", "{name}{rest}"),
    ("from {module} import x; from {module} import {name} as q; x", "q{rest}"),
]
CALLS = [
    "{call}('x')",
    "{call}('x', prompt=True)",
    "{call}('x', prompt = 1)",
    "{call}('x', prompt  # =\n = 1)",
    "{call}('x', **k)",
    "print({call})",
    "w = {call}\nw('x')",
    "o = {owner}('x')\no.{method}()",
    "with {owner}() as o: o.{method}()",
    "class B({owner}): pass\nB().{method}()",
    "def g(o: {owner}): return o.{method}()",
    "import time\ndef g():\n  {call}('x')\n  while 1: time . sleep(1)",
    "def g(t):\n  {call}('x')\n  t.join( )",
    "def g(t):\n  {call}('x')\n  t.join \\\n (  # )\n )",
    "import sys\nprint('Name: ', end = '')\n{call}()",
    "import click\nclick.echo('Name: ', nl  # =\n = False)\n{call}()",
    "import sys\ndef g(s=sys.stdin): return {call}(s)\n{call}(sys.stdin)",
]
COMMANDS = [
    "['git', 'push']",
    "'git push'",
    "' '.join(['git', 'push'])",
    "'{} push {x}'.format('git', x=x)",
    "'%s push' % 'git'",
    "f'{G} push'",
    "['git', *('push', x)]",
    "[os.path.join(x, 'git'), 'push']",
    "['bash', '-c', f'cd {x}; git push']",
    "'sh -c \"git push\"'",
    "f'git -C {x} push'",
    "['ssh', host]",
    "['/usr/bin/rm', '-ri', x]",
    "'rm --interactive ' + x",
    "'cp\\t-i ' + x",
    "('gpg', '--sign', x)",
    "['python', '-m', 'pip', 'uninstall', x]",
    "[os.environ['EDITOR'], x]",
    "'cd x; sudo ls'",
    "'cd x\\nsudo ls'",
    "'\\tsudo ls'",
    '"""\nsudo ls\n"""',
    "f'{x} && (sudo ls)'",
    "'if x; then sudo ls; fi'",
    "'FOO=1 sudo ls'",
    "f'FOO={x} BAR= /usr/bin/env -i sudo ls'",
    "'nice -n 5 git push'",
    "['env', 'A=1', 'git', 'push']",
    "'git -C x \\\n  push'",
    "f'git -C {d[\"x\"]} push'",
    "'${EDITOR:-vi} ' + x",
    "f'${{EDITOR-vi}} {x}'",
    "'cd x; \\\\rm -i ' + x",
    "['C:/bin/vi.exe', x]",
    "'nice npm.exe init'",
    "'apt-get\\tinstall ' + x",
    "'cargo login>' + x",
    "'case x in a) sudo ls;; esac'",
    "'>x 2>y sudo ls'",
    "f'env A={d[\"x\"]} git push'",
    "('nice '  # -n\n  '-n 5 git push')",
]
# where a call stands: all that it needs may be anywhere
PLACES = [
    "{call}({words})",
    "def f():\n  x\n  c = {words}\n  {call}(c)\ndef g(): pass",
    "def f():\n  x\n  c = {words}\n  def g():\n    {call}(c)\n  return g",
    "C = {words}\nclass D:\n  def f(self):\n    x\n    {call}(C)",
    "w = {call}\ndef f():\n  x\n  w({words})",
    "def f():\n  global w\n  w = {call}\ndef g():\n  x\n  w({words})",
    "class D:\n  def __init__(self):\n    self.w = {call}\n  def f(self):\n    x\n    self.w({words})",
    "def f(w={call}):\n  x\n  w({words})",
    "def f():\n  return {words}\ndef g():\n  x\n  {call}(f())",
    "class D:\n  def __init__(self):\n    self.w = {words}\n  def f(self):\n    x\n    {call}(self.w)",
    "def f():\n  for c in [{words}, x]:\n    x\n    {call}(c)",
]


def spelled(draw: st.DrawFn, path: str) -> tuple[str, str]:
    """An import on the way to a dotted name, and how that is written then."""
    parts = path.split(".")
    at = draw(st.integers(1, len(parts) - 1))
    rest = "".join(f".{part}" for part in parts[at + 1 :])
    head, written = draw(st.sampled_from(IMPORTS))
    named = {"module": ".".join(parts[:at]), "name": parts[at], "rest": rest}
    return head.format(**named), written.format(**named)


def parted(call: str) -> tuple[str, str]:
    """What stands before the last dot, where that is an expression, and the name behind it."""
    owner, _, method = call.rpartition(".")
    return (owner, method) if owner and not call.endswith(")") else ("object", "input")


@st.composite
def prompts(draw: st.DrawFn) -> str:
    """A program that may use a prompt of the catalog."""
    head, call = spelled(draw, draw(st.sampled_from(sorted(default().prompts))))
    owner, method = parted(call)
    use = draw(st.sampled_from(CALLS)).format(call=call, owner=owner, method=method)
    return f"{head}\n{use}\n"


@st.composite
def surroundings(draw: st.DrawFn) -> str:
    """A program that may start one that asks, destroy something in a handler, or look for an agent."""
    facts = known()
    kind = draw(st.sampled_from(("starts", "destroys", "reads")))
    if kind == "starts":
        head, call = spelled(draw, draw(st.sampled_from(sorted(facts.starts))))
        command = draw(st.sampled_from(COMMANDS))
        words = ", ".join(["0"] * (facts.starts[name].words or 0)) if (name := call) in facts.starts else ""
        placed = draw(st.sampled_from(PLACES)).format(call=call, words=f"{words}, {command}" if words else command)
        return f"import os\nG = 'git'\n{head}\n{placed}\n"
    if kind == "destroys":
        destroys = sorted(name for name, effect in facts.effects.items() if effect.destroys)
        head, call = spelled(draw, draw(st.sampled_from(destroys)))
        handler = draw(
            st.sampled_from(
                (
                    "@app . command()\ndef f(x):",
                    "@ group\ndef f(x):",
                    "@app.\\\ncallback(\n  x)\nasync def f(x):",
                    "from agentgate import effects as e\n@e('d')\ndef f(x):",
                    "class C:\n def  handle(self, x):",
                )
            )
        )
        owner, method = parted(call)
        use = f"{owner}(x).{method}()" if draw(st.booleans()) else f"{call}(x)"
        return f"{head}\n{handler}\n    {use}\n"
    head, call = spelled(draw, draw(st.sampled_from(("os.environ", "os.getenv"))))
    read = draw(st.sampled_from(("{}['{}']", '{}.get("{}")', '{}("{}")', "'{1}' in {0}")))
    return f"{head}\n{read.format(call, draw(st.sampled_from(sorted(facts.variables))))}\n"


def is_lost(data: bytes, path: str = "/nowhere/x.py") -> bool:
    """A syntax tree shows something, and the file is passed over."""
    return bool(check(path, read(data), default()).sites) and engine().analyse(path, data) is None


@settings(max_examples=500, deadline=None)
@given(st.one_of(prompts(), surroundings()), st.sampled_from(["\n", "\r\n", "\r"]))
def test_nothing_is_lost(program: str, end: str) -> None:
    assert not is_lost(program.replace("\n", end).encode())


def programs() -> Iterator[str]:
    """One in every spelling."""
    for head, call in IMPORTS:
        named = {"module": "click", "name": "prompt", "rest": ""}
        yield f"{head.format(**named)}\n{call.format(**named)}('x')\n"


@pytest.mark.parametrize("program", list(programs()))
def test_every_spelling_of_an_import_is_found(program: str) -> None:
    assert engine().report("/nowhere/x.py", program.encode()).findings


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_nothing_of_the_fixtures_is_lost(path: Path) -> None:
    try:
        assert not is_lost(path.read_bytes(), str(path))
    except Exception as error:
        assert type(error).__name__ == "Unreadable"


PASSED_OVER = {
    "another name of the module": "from click import Context\nContext.prompt\n",
    "another object's method": "import click\nself.prompt('x')\nclick.echo('x')\n",
    "an import that is not used": "from getpass import getpass, getuser\ngetuser()\n",
    "a star of another module": "import six\nfrom numpy import *\nx.input\n",
    "an option that asks nothing": "import click\n@click.option('--x')\ndef f(x): pass\n",
    "a page that nobody waits for": "import webbrowser\nwebbrowser.open('x')\n",
    "a read of stdin that nothing asks for": "import sys\nfor x in f: sys.stdin.readline()\n",
    "stdin, and another file's line": "import sys\nsys.stdin.isatty()\nprint('x', end='')\nf.readline()\n",
    "a copy that does not ask": "import subprocess\nsubprocess.run(['cp', x, y])\n",
    "a built-in patch": "import subprocess\nsubprocess.run(['git', 'add', 'built-in'])\n",
    "a parameter of a function before a decorated one": "def f(input): return g(input)\n\n@x\ndef h(): pass\n",
    "the text of an f-string": "x = f'input: {y}'\n",
    "text beyond ASCII": "x = 'ß'\ndef f(input): return g(input)\n",
}


@pytest.mark.parametrize("program", PASSED_OVER.values(), ids=PASSED_OVER)
def test_what_cannot_ask_is_passed_over(program: str) -> None:
    assert engine().analyse("/nowhere/x.py", program.encode()) is None


@pytest.mark.parametrize(
    "program",
    ['x = f"{d["a"]} {input(\'x\')}"\n', "x = f'{d[\"a\"]} {input()}'\n", "x = f'{ {1: 2}[input()] }'\n"],
)
def test_an_f_string_within_its_own_quotes_is_read(program: str) -> None:
    assert BareNames(["input"]).may_be_read(program.encode())


def test_a_word_of_the_language_may_follow_a_number_at_once() -> None:
    assert engine().report("/nowhere/x.py", b"x = 1if input('x')else 2\n").findings


FAR = "GIT = 'git'\n" + "# a long way\n" * 40


@pytest.mark.parametrize(
    "command", ["GIT + ' push'", "f'{GIT} -q push'", "'%s -C x push' % GIT", "f'{GIT} remote update'", "[GIT, 'push']"]
)
def test_a_command_is_found_far_from_its_program(command: str) -> None:
    program = f"import os\n{FAR}def f(x):\n    os.system({command})\n"
    assert engine().report("/nowhere/x.py", program.encode()).findings


def project(folder: Path, ui: str, user: str) -> Path:
    (folder / "__init__.py").touch()
    (folder / "ui.py").write_text(ui)
    (folder / "user.py").write_text(user)
    return folder / "user.py"


HANDED = {
    "an object": (
        "import rich.console\nconsole = rich.console.Console()\n",
        "from .ui import console\nconsole.input()",
    ),
    "an object by a name that says nothing": (
        "from rich.console import Console\nout = Console()\n",
        "from .ui import out\nout.input('x')",
    ),
    "a debugger": ("import code\nshell = code.InteractiveConsole()\n", "from .ui import shell\nshell.interact()"),
    "a method of a module": ("from click import prompt\n", "from . import ui\nui.prompt('x')"),
    "a module": ("import builtins\n", "from .ui import builtins\nbuiltins.input('x')"),
    "a module of a module": ("import builtins\n", "from . import ui\nui.builtins.input('x')"),
    "a module's module": ("from six import moves\n", "from .ui import moves as m\nm \\\n .input('x')"),
    "a star": ("from click import *\n", "from .ui import*\nconfirm('x')"),
    "a function behind a star": ("from six.moves import input as yes_no\n", "from .ui import *\nyes_no('x')"),
    "a function of a module": ("from getpass import getpass\n", "from . import ui\nui.getpass()"),
    "in a function": ("from click import confirm as ask\n", "def f():\n  from .ui import ask\n  ask('x')"),
    "two of one name": (
        "from click import prompt\n",
        "def f():\n  from .ui import prompt\n  prompt('x')\ndef g():\n  from .other import prompt",
    ),
}


@pytest.mark.parametrize(("ui", "user"), HANDED.values(), ids=HANDED)
def test_what_a_module_hands_on_is_found(tmp_path: Path, ui: str, user: str) -> None:
    path = project(tmp_path, ui, user)
    assert [finding.code[:3] for finding in engine().report(str(path), path.read_bytes()).findings] == ["AG1"]


@pytest.mark.parametrize(
    ("ui", "user"),
    [
        ("def confirm(): pass\n", "from .ui import confirm\nconfirm('x')\n"),
        ("import click\ndef confirm(): pass\n", "from .ui import confirm\nfrom . import ui\nconfirm('x')\n"),
        ("import builtins\n", "from .ui import builtins\nbuiltins.print(x.prompt('x'))\n"),
        ("import builtins\n", "from . import ui\nui.builtins.print(x.prompt('x'))\n"),
        ("console = object()\n", "from .ui import console\nconsole.print('x')\n"),
    ],
)
def test_a_file_that_is_handed_nothing_is_passed_over_as_long_as_that_is_so(tmp_path: Path, ui: str, user: str) -> None:
    path = project(tmp_path, ui, user)
    assert engine().analyse(str(path), path.read_bytes()) is None
    report = engine().report(str(path), path.read_bytes())
    assert str(tmp_path / "ui.py") in report.depends and not report.findings


@pytest.mark.parametrize(
    "program",
    [
        "import asyncio\nasyncio.create_subprocess_exec('ssh', host)\n",
        "import pty\npty.spawn(['vi', x])\n",
        "from invoke.context import Context\nContext().run('git push')\n",
        "import os\nrun = os\nrun.system('cd x;ssh host')\n",
        "import subprocess\ndef f(x):\n  c = ['git']\n  x\n  c.append('push')\n  subprocess.run(c)\n",
        "import subprocess\ndef f(x):\n  c = []\n  c += ['nice', 'git']\n  c.extend(['push'])\n  subprocess.run(c)\n",
        "import os\ndef f(x):\n  c = 'cd x; git '\n  c += x\n  c += '; sudo ls'\n  os.system(c)\n",
    ],
)
def test_a_child_that_asks_is_found_whatever_starts_it(program: str) -> None:
    assert engine().report("/nowhere/x.py", program.encode()).findings


LAST_IMPORTS = {
    "a comment in a list": (
        "from click import (\n  x,  # an unused import (see x)\n  y,  # :)\n  confirm as q,\n)\nq('x')\n"
    ),
    "a comment behind the list": "from click import (\n  confirm as q,\n)  # an import\nq('x')\n",
    "the name of a function": "import click\ndef important(): click.confirm('x')\n",
    "a string at the end": "import click\nclick.confirm('x')\n'import'",
    "an open bracket at the end": "from click import (confirm,\n  prompt)\nprompt('x')\n# import (",
    "a statement over lines": "from click \\\n import \\\n x, \\\n confirm as q\nq('x')",
}


@pytest.mark.parametrize("program", LAST_IMPORTS.values(), ids=LAST_IMPORTS)
def test_the_last_import_is_read_to_its_end(program: str) -> None:
    assert engine().report("/nowhere/x.py", program.encode()).findings
