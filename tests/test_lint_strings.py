"""What is said to a reader is left out of a search, and what the program can read is not."""

from __future__ import annotations

import pytest

from agentgate.lint.strings import without_prose

PROSE = {
    "a comment": "x = 1  # git push\n",
    "a comment behind a string": "x = '#'  # git push\n",
    "a module": '"""git push"""\nx = 1\n',
    "a module, below its first lines": '#!/bin/x\n# coding\n\nr"""\ngit push\n"""\n\nimport os\n',
    "nothing else": "'''git push'''",
    "a function": 'import x\ndef f(x) -> int:\n    """git push"""\n    return 1\n',
    "a function of many lines": "import x\ndef f(\n    x,\n):\n    '''\n    git push\n    '''\n",
    "a coroutine": 'import x\nasync def f():\n    u"""git push"""  # x\n\n    # x\n    return 1\n',
    "a class": 'import x\nclass A(B):\n\n    """\n    git push\n    """\n\n    @property\n    def x(self): pass\n',
    "another line's end": 'import x\r\ndef f():\r\n    """git\r\n    push"""\r\n    x\r\n',
}
TEXT = {
    "a value": 'x = """git push"""\n',
    "a short string": "'git push'\n",
    "an argument on its own line": 'f(\n"""git push"""\n)\n',
    "a key's value": '{x:\n"""git push"""\n}\n',
    "what a lambda gives": 'f(lambda:\n"""git push""")\n',
    "an object of a method": 'def f():\n    """git push""".run()\n',
    "part of an expression": 'def f():\n    """git %s""" % push\n',
    "a string that follows": 'x = (\n"""git """\n"""push"""\n)\n',
    "behind what looks like a comment": "x = 'a # b', 'git push'\n",
    "behind a comment in an f-string's own quotes": 'x = f"{d["#"]} git push"\n',
    "in an f-string's own long quotes": 'x = f"""{d["""a"""]} """\ny = """\ngit push\n"""\n',
}


@pytest.mark.parametrize("program", PROSE.values(), ids=PROSE)
def test_prose_is_left_out(program: str) -> None:
    assert b"push" not in without_prose(program.encode())


@pytest.mark.parametrize("program", TEXT.values(), ids=TEXT)
def test_what_a_program_can_read_is_kept(program: str) -> None:
    assert b"push" in without_prose(program.encode())
