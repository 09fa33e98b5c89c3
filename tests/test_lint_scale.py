"""Time grows with a file, and not with a power of its size: what a generator wrote is linted too."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator

import pytest

from agentgate.lint import Config, lint_file

SHAPES: dict[str, Callable[[int], str]] = {
    "one variable, asked for over and over": lambda size: (
        "def f():\n" + "".join(f"    answer = input('q{number}')\n" for number in range(size))
    ),
    "a question in every branch": lambda size: (
        "def f(a):\n    if a: pass\n"
        + "".join(f"    elif a == {number}:\n        x = input('q{number}')\n" for number in range(size // 4))
    ),
    "methods that set an attribute and call one another": lambda size: (
        "class A:\n"
        + "".join(
            f"    def f{number}(self):\n        self.x{number} = input('q')\n        return self.f{number // 2}()\n"
            for number in range(size)
        )
    ),
    "a call that is handed from method to method": lambda size: (
        "import subprocess\nclass A:\n    def f(self):\n        self.x0 = subprocess.run\n"
        + "".join(
            f"    def f{number}(self):\n        self.x{number + 1} = self.x{number}\n"
            for number in reversed(range(size))
        )
        + f"    def g(self):\n        self.x{size}('git push')\n"
    ),
    "functions that nobody asks about": lambda size: (
        "x = input()\n" + "".join(f"def f{number}(a, b):\n    return a.b(c, d=[e])\n" for number in range(size))
    ),
    "names of modules": lambda size: (
        "import os\n" + "".join(f"x{number} = os.path.join(os.sep, os.environ['A'])\n" for number in range(size))
    ),
}


@pytest.fixture
def without_collector() -> Iterator[None]:
    """The collector walks what all other tests have left, so its share of the time is not the linter's."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("without_collector")
@pytest.mark.parametrize("shape", SHAPES)
def test_twice_as_long_takes_twice_the_time(shape: str) -> None:
    def seconds(size: int) -> float:
        data = SHAPES[shape](size).encode()
        start = time.process_time()
        lint_file("x.py", data)
        return time.process_time() - start

    seconds(10)  # loads the catalog
    # a square would be 16 times as much in every round; a busy machine is not
    assert any(seconds(2000) < max(8 * seconds(500), 0.5) for _ in range(6))


@pytest.mark.parametrize(("command", "part"), [("'git push '", "x"), ("['git', 'push']", "['x']")])
def test_a_sum_of_hundreds_is_read(command: str, part: str) -> None:
    source = f"import os\nos.system({' + '.join([command, *[part] * 600])})\n"
    assert [finding.code for finding in lint_file("x.py", source.encode())] == ["AG109"]


def test_an_expression_of_any_depth_ends_no_run() -> None:
    every = Config(select=("AG",))
    chain = "import os\ndef f(a):\n    os.remove('x')\n    a" + ".b(1)" * 300 + "\n    z = input('x')\n"
    assert {finding.code for finding in lint_file("x.py", chain.encode(), every)} == {"AG101", "AG204"}
    choice = "".join(f"['a'] if a == {number} else " for number in range(950))
    source = f"import subprocess\nsubprocess.run({choice}['git', 'push'])\nz = input('x')\n"
    codes = {finding.code for finding in lint_file("x.py", source.encode(), every)}
    assert codes and codes <= {"AG101", "AG109", "AG901"}
