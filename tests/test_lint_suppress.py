"""Comments that silence, comments that silence nothing, and those that are written for a user."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from agentgate.fix.annotate import annotated
from agentgate.lint import lint_file, lint_source
from agentgate.lint.load import Unreadable


@pytest.mark.parametrize(
    ("source", "warning"),
    [
        ("x = input('x')  # agentgate: ignore\n", None),
        ("x = input('x')  # agentgate: ignore[AG101]\n", None),
        ("# agentgate: ignore-next-line\nx = input('x')\n", None),
        ("x = input('x')  # noqa\n", None),
        ("x = 1  # noqa\n", None),
        ("x = 1  # noqa: E501\n", None),
        ("x = 1  # agentgate: ignore\n", "silences nothing"),
        ("x = 1  # agentgate: ignore[AG101]\n", "silences nothing"),
        ("# agentgate: ignore-next-line\nx = 1\n", "silences nothing"),
        ("x = input('x')  # agentgate: ignore[AG102]\n", "silences nothing"),
        ("x = input('x')  # agentgate: ignore[AG101, AG102]\n", "has no AG102 to silence"),
        ("x = input('x')  # agentgate: ignore[AG999]\n", "names AG999, which is no rule"),
        ("x = input('x')  # agentgate: ignore[]\n", "silences nothing"),
        ("x = 1  # noqa: E501, AG101\nimport click\nclick.prompt()\n", "silences nothing"),
        ("'# agentgate: ignore'\n", None),
        ("x = 1  # agentgate: ignroe[AG101]\n", "is not understood: write ignore or ignore-next-line"),
        ("x = 1  # agentgate: ignroe\n", "is not understood: write ignore or ignore-next-line"),
        ("x = 1  # agentgate:ignore-file\n", "is not understood: write ignore or ignore-next-line"),
        ("x = 1  # agentgate: disable[AG101]\n", "is not understood: write ignore or ignore-next-line"),
        ("x = 1  # agentgate: a person answers this\n", None),
    ],
)
def test_unused_and_unknown_ones_are_warnings(source: str, warning: str | None) -> None:
    result = lint_source("x.py", source.encode())
    assert [one.message.partition("` ")[2] for one in result.warnings] == ([warning] if warning else [])
    assert all(one.code == "AG902" for one in result.warnings)


def test_their_place() -> None:
    [warning] = lint_source("x.py", "é = 1  # something  # agentgate: ignore\n".encode()).warnings
    assert (warning.line, warning.column) == (1, 21)


@pytest.mark.parametrize(
    "source",
    [
        "x = input('x')\n",
        "x = input('x')",
        "x = input('x')  # a comment\r\ny = 1\r\n",
        "if 1:\n\tx = input(\n\t\t'x',\n\t)\n",
        "x = input('a'), input('b'); breakpoint()\n",
        "x = input('''a\nb''')\n",
        "x = '''\n''' + input('x')\n",
        "if 1:\n    x = 1; y = input('''a\nb''')\n",
        "if 1:\r\n\tx = f(input('''a\r\nb'''), breakpoint())\r\n",
        "x = [\n  1, input \\\n    ('x')]\n",
        "x = input \\\n('x')",
        "é = input('ü')\n",
    ],
)
def test_written_comments_silence_and_change_nothing_else(source: str) -> None:
    data = source.encode()
    after, left = annotated(data, lint_file("x.py", data))
    again = lint_source("x.py", after)
    assert not (left or again.findings or again.warnings)
    assert (after.count(b"\r\n") == after.count(b"\n")) is (data.count(b"\r\n") == data.count(b"\n"))


def test_a_tree_of_any_depth() -> None:
    data = f"x = input()\ny = {' + '.join(['1'] * 1500)}\n".encode()
    after, left = annotated(data, lint_file("x.py", data))
    assert after == data.replace(b"()\n", b"()  # agentgate: ignore[AG101]\n")
    assert not left


def test_the_syntax_of_a_newer_python_is_written_to_or_left_alone() -> None:
    data = b'x = f"{QQQ"QQQ}"\ny = input()\n'.replace(b"QQQ", b"'''")
    findings = lint_file("x.py", data)
    if sys.version_info >= (3, 12):
        assert annotated(data, findings)[0].endswith(b"input()  # agentgate: ignore[AG101]\n")
    else:
        with pytest.raises(Unreadable, match="newer syntax"):
            annotated(data, findings)


def test_where_no_comment_can_stand(tmp_path: Path) -> None:
    data = b"x = '''\n''' + input \\\n('x')\n"
    after, left = annotated(data, lint_file("x.py", data))
    assert after == data
    assert len(left) == 1
