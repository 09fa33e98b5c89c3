"""A name is followed only where it leads somewhere, and nothing that it leads to is missed for that."""

from __future__ import annotations

import pytest

from agentgate.lint import lint_file

CASES = {
    "an attribute over two lines": ("import click\nx = (click\n    .prompt('a'))\n", ["AG101"]),
    "blanks around the dot": ("import click\nclick . prompt('a')\n", ["AG101"]),
    "a comment before the dot": ("import click\nx = (click  # why\n    .prompt('a'))\n", ["AG101"]),
    "a backslash before the dot": ("import click\nx = click\\\n    .prompt('a')\n", ["AG101"]),
    "the module under another name, made in a function": (
        "import click\ndef f():\n    c = click\n    c.echo('a')\n    return c.prompt('a')\n",
        ["AG101"],
    ),
    "a module of a module": ("import rich.prompt\nrich.print('a')\nrich.prompt.Prompt.ask('a')\n", ["AG101"]),
    "an object of a class, by an attribute": (
        "from rich.console import Console\nclass A:\n    def __init__(self):\n        self.out = Console()\n"
        "    def f(self):\n        self.out.print('a')\n        return self.out.input('a')\n",
        ["AG101"],
    ),
    "an attribute of the class itself": (
        "from rich.console import Console\nclass A:\n    out = Console()\n\nA.out.input('a')\n",
        ["AG101"],
    ),
    "the object under another name than self": (
        "from rich.console import Console\nclass A:\n    out = Console()\n    def f(self):\n        me = self\n"
        "        def g():\n            return me.out.input('a')\n        return g\n",
        ["AG101"],
    ),
    "a subclass, which has its attribute from its base": (
        "from rich.prompt import Prompt\nclass Mine(Prompt):\n    pass\n\n\ndef f():\n    return Mine.ask('a')\n",
        ["AG101"],
    ),
    "an object of a subclass": (
        "from cmd import Cmd\nclass Shell(Cmd):\n    pass\nshell = Shell()\nshell.prompt = '> '\nshell.cmdloop()\n",
        ["AG101"],
    ),
    "a method of the class, called on the object": (
        "from rich.console import Console\nclass A:\n    def console(self):\n        return Console()\n"
        "a = A()\na.console().input('a')\n",
        ["AG101"],
    ),
    "a class in a class": (
        "from rich.console import Console\nclass A:\n    class B:\n        def __init__(self):\n"
        "            self.out = Console()\nb = A.B()\nb.out.input('a')\n",
        ["AG101"],
    ),
    "a property": (
        "from rich.console import Console\nclass A:\n    @property\n    def out(self):\n        return Console()\n"
        "def f():\n    a = A()\n    return a.out.input('a')\n",
        ["AG101"],
    ),
    "a name of the module that a function sets": (
        "import click\nask = None\ndef f():\n    global ask\n    from click import prompt as ask\n"
        "def g():\n    return ask('a')\n",
        ["AG101"],
    ),
    "a builtin as an attribute": ("class A:\n    ask = input\n\n\ndef f(a: A):\n    return a.ask('b')\n", ["AG108"]),
    "an attribute of the name of a builtin": ("def f(a):\n    return a.input('b'), a.open('c')\n", []),
    "a builtin is asked for its attribute": ("print(input.__name__)\n", []),
    "a name that a branch binds after it has left": (
        "def f(a):\n    while True:\n        from click import prompt as ask\n        if a:\n            break\n"
        "        ask = None\n    return ask('b')\n",
        ["AG101"],
    ),
    "behind what cannot be passed": (
        "def f(a):\n    if a:\n        input = None\n    else:\n        if a.b:\n            return 1\n        else:\n"
        "            raise a\n    return input('b')\n",
        [],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_name_leads_to_a_prompt(name: str) -> None:
    text, codes = CASES[name]
    assert [finding.code for finding in lint_file("x.py", text.encode())] == codes
