"""A file that asks nothing itself is told by its functions that may matter; nothing is missed for those left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentgate.lint.engine import engine

FOUND = {
    "in the function itself": "import subprocess\ndef f():\n    subprocess.run(['git', 'push'])\n",
    "a variable of the function": "import subprocess\ndef f():\n    c = ['git', 'push']\n    subprocess.run(c)\n",
    "a variable of the module": "import subprocess\nC = ['git', 'push']\ndef f():\n    subprocess.run(C)\n",
    "a variable of a function around": (
        "import subprocess\ndef f():\n    c = ['git', 'push']\n    def g():\n        subprocess.run(c)\n    return g\n"
    ),
    "a name by import": "from subprocess import run\ndef f():\n    run(['git', 'push'])\n",
    "another name by import": "from subprocess import run as r\ndef f():\n    r(['git', 'push'])\n",
    "an import in the function": "def f():\n    from subprocess import run as r\n    r(['git', 'push'])\n",
    "the module by another name": "import subprocess as s\ndef f():\n    s.run(['git', 'push'])\n",
    "another name in the module": "import subprocess\nr = subprocess.run\ndef f():\n    r(['git', 'push'])\n",
    "another name given by a function": (
        "import subprocess\nr = None\ndef a():\n    global r\n    r = subprocess.run\n"
        "def f():\n    r(['git', 'push'])\n"
    ),
    "an attribute given by another method": (
        "import subprocess\nclass A:\n    def __init__(self):\n        self.r = subprocess.run\n"
        "    def f(self):\n        self.r(['git', 'push'])\n"
    ),
    "an attribute of that": (
        "import subprocess\nclass A:\n    def __init__(self):\n        self.s = subprocess\n"
        "    def f(self):\n        self.s.run(['git', 'push'])\n"
    ),
    "an attribute that is handed from method to method": (
        "import subprocess\nclass A:\n    def f(self):\n        self.a = subprocess.run\n"
        + "".join(
            f"    def f{b}(self):\n        self.{b} = self.{a}\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
        )
        + "    def g(self):\n        self.i(['git', 'push'])\n"
    ),
    "a name of another function's import": (
        "def a():\n    global sp\n    import subprocess as sp\ndef f():\n    sp.run(['git', 'push'])\n"
    ),
    "an editor": "import os, subprocess\ndef f(p):\n    e = os.environ.get('EDITOR')\n    subprocess.call([e, p])\n",
    "this Python": (
        "import sys, subprocess\ndef f():\n    subprocess.call([sys.executable, '-m', 'pip', 'uninstall', 'x'])\n"
    ),
    "a default": "import subprocess\ndef f(r=subprocess.run):\n    r(['git', 'push'])\n",
    "a default that is a call": "import subprocess\ndef f(r=subprocess.run(['git', 'push'])):\n    pass\n",
    "a command handler": "import os\nclass C:\n    def handle(self):\n        x = 1\n        os.remove('x')\n",
    "a read-only command": (
        "import shutil\nfrom agentgate import effects\n@effects('read_only')\ndef f():\n    shutil.rmtree('x')\n"
    ),
    "an agent's variable": "import os\ndef f():\n    return os.getenv('CLAUDECODE')\n",
    "an option that asks": "import click\nO = click.option('--x', prompt=True)\n@O\ndef f(x):\n    pass\n",
    "an option whose dictionary says so": (
        "import click\nK = {'prompt': True}\ndef f():\n    x = 1\n    return click.option('--x', **K)\n"
    ),
    "an answer to what was printed": (
        "import sys\ndef f():\n    print('Name: ', end='')\n    return sys.stdin.readline()\n"
    ),
    "an answer by another name of stdin": (
        "import sys\nclass A:\n    def __init__(self):\n        self.i = sys.stdin\n"
        "    def f(self):\n        print('Name: ', end='')\n        return self.i.readline()\n"
    ),
    "a login in the browser": (
        "import time, webbrowser\ndef f(u):\n    webbrowser.open(u)\n    while not done():\n        time.sleep(1)\n"
    ),
    "behind a function that cannot be cut": (
        "import subprocess\ndef a():\n    return [\n1,\n]\ndef f():\n    subprocess.run(['git', 'push'])\n"
    ),
    "a function on one line": "import subprocess\ndef f(): subprocess.run(['git', 'push'])\n",
    "a comment that silences nothing": "import subprocess\nsubprocess.run(['git', x])  # noqa: AG109\n'git push'\n",
}


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("program", FOUND.values(), ids=FOUND)
def test_what_may_matter_is_found(program: str, end: str) -> None:
    report = engine().report("/nowhere/x.py", program.replace("\n", end).encode())
    assert report.findings or report.warnings


def test_a_module_that_is_handed_on_is_found(tmp_path: Path) -> None:
    (tmp_path / "compat.py").write_text("import subprocess\n")
    user = tmp_path / "user.py"
    user.write_text("from compat import subprocess\ndef f():\n    subprocess.run(['git', 'push'])\n")
    report = engine().report(str(user), user.read_bytes())
    assert report.findings
    assert str(tmp_path / "compat.py") in report.depends


PASSED_OVER = {
    "another function": "import subprocess\ndef a(x):\n    run('git push')\ndef b(c):\n    subprocess.run(c)\n",
    "prose": 'import subprocess\ndef a():\n    """\n    git push\n    """\ndef b(c):\n    subprocess.run(c)\n',
    "a line that answers nothing": (
        "import sys\ndef a():\n    print(x, end='')\ndef b():\n    x\n    return sys.stdin.readline()\n"
    ),
    "a page that another function waits for": (
        "import webbrowser\ndef a(u):\n    x\n    webbrowser.open(u)\ndef b(t):\n    t.join()\n"
    ),
    "no handler": "import os\n@a.command()\ndef f():\n    pass\ndef g():\n    os.remove('x')\n",
    "a variable that is set": "import os\ndef f():\n    os.environ['CLAUDECODE'] = '1'\n",
}


@pytest.mark.parametrize("program", PASSED_OVER.values(), ids=PASSED_OVER)
def test_what_is_apart_is_passed_over(program: str) -> None:
    assert engine().analyse("/nowhere/x.py", program.encode()) is None


def test_what_depends_on_a_module_that_hands_on_nothing_yet_is_kept(tmp_path: Path) -> None:
    compat, user = tmp_path / "compat.py", tmp_path / "user.py"
    compat.write_text("subprocess = None\n")
    user.write_text("from compat import subprocess\ndef f():\n    subprocess.run(['git', 'push'])\n")
    report = engine().report(str(user), user.read_bytes())
    assert not report.findings
    assert str(compat) in report.depends


def test_an_error_where_it_matters_is_said() -> None:
    text = "import subprocess\ndef f():\n    subprocess.run(['git', 'push')\n"
    assert [one.code for one in engine().report("/nowhere/x.py", text.encode()).findings] == ["AG901"]
