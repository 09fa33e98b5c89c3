"""The proof that an edited file is the old one but for its gates."""

from __future__ import annotations

import ast

import pytest

from agentgate.fix.verify import is_same_but_for_gates

OLD = "import os\nx = f(input('a'))\n"


def same(new: str, *, wraps: int = 1, imported: bool = True, old: str = OLD, gate: str = "gate") -> bool:
    return is_same_but_for_gates(
        ast.parse(old), ast.parse(new), gate, wraps, imported="agentgate" if imported else None
    )


def test_wraps_and_import_are_all() -> None:
    assert same("import os\nfrom agentgate import gate\nx = f(gate(input, yes='y')('a'))\n")
    assert same("import os\nx = f(g.gate(input)('a'))\n", imported=False, gate="g.gate")
    assert same("from agentgate import gate\nx = gate.later(input)\n", old="x = input\n")
    assert same("from agentgate import gate\ngate(gate(input)('a'))\n", old="gate(input('a'))\n")


@pytest.mark.parametrize(
    "new",
    [
        "import os\nx = f(gate(input)('a'))\n",
        "import os\nfrom agentgate import gate\nx = f(gate(input)('b'))\n",
        "import os\nfrom agentgate import gate\nx = f(input('a'))\n",
        "import os\nfrom agentgate import gate\nx = gate(f)(gate(input)('a'))\n",
        "from agentgate import gate\nx = f(gate(input)('a'))\n",
        "import os\nfrom agentgate import gate\nx = f(gate(input)('a'))\ny = 1\n",
        "import os\nfrom agentgate import gate\nx = f(other(input)('a'))\n",
        "import os\nfrom agentgate import gate as g\nx = f(gate(input)('a'))\n",
    ],
)
def test_anything_else_is_seen(new: str) -> None:
    assert not same(new)


def test_constants_of_another_type_differ() -> None:
    assert not same("x = 1.0\n", wraps=0, imported=False, old="x = 1\n")
    assert not same("x = True\n", wraps=0, imported=False, old="x = 1\n")
    assert not same("x = -0.0\n", wraps=0, imported=False, old="x = 0.0\n")
    assert same("x = 1e999 - 1e999\n", wraps=0, imported=False, old="x = 1e999 - 1e999\n")
