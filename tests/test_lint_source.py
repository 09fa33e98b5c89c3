"""Bytes to text, and positions back to bytes."""

from __future__ import annotations

import ast
import time

import pytest

from agentgate.lint import lint_file
from agentgate.lint.load import Unreadable
from agentgate.lint.source import read


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (b"x = 1\n", "utf-8"),
        (b"\xef\xbb\xbfx = 1\n", "utf-8"),
        (b"\xef\xbb\xbf# coding: utf-8\nx = 1\n", "utf-8"),
        ("# coding: latin-1\nx = 'é'\n".encode("latin-1"), "iso-8859-1"),
        ("#!/bin/python\n# vim: set fileencoding=cp1252 :\nx = '€'\n".encode("cp1252"), "cp1252"),
        (b"x = 1\r\n\r\ny = 2\rz = 3", "utf-8"),
        (b"\x0cx = 1\n\x0c\ny = 2\n", "utf-8"),
        (b"", "utf-8"),
    ],
)
def test_gives_every_byte_back(data: bytes, encoding: str) -> None:
    source = read(data)
    assert source.encoding == encoding
    assert source.round_trips
    assert source.encode(source.text) == data


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_positions_are_those_of_the_text(end: str) -> None:
    text = end.join(["\x0ca = 'é𝄞'; b = 'ü'", "", "\x0c", "def f():", "\x0c\treturn '€', c", ""])
    source = read(text.encode())
    found = {}
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Name):
            found[node.id] = source.text[source.start(node) : source.end(node)]
    assert found == {name: name for name in "abc"}


@pytest.mark.parametrize(
    ("data", "line", "reason"),
    [
        (b"a = 1\nb = \0\n", 2, "null byte"),
        (b"a = 1\nb = '\xff'\n", 2, "not valid utf-8"),
        (b"# coding: nonsense\n", 1, "encoding declaration"),
        (b"# coding: utf-8\n\nx = '\xe9'\n", 3, "not valid utf-8"),
        (b"a = 1\nb = (\n", 2, "is not valid Python"),
        (b"if 1:\n\ta = 1\n        b = 2\n", 3, "is not valid Python"),
        (b"x = 1\nprint 'a'\n", 2, "looks like Python 2"),
        (b"x = 1\nexec 'a'\n", 2, "looks like Python 2"),
        (b"try:\n    pass\nexcept ValueError, e:\n    pass\n", 3, "looks like Python 2"),
        (b"x = " + b"(" * 250 + b")" * 250, 1, "is not valid Python"),
        (b"x = " + b"-" * 60_000 + b"1", 1, "nested too deeply"),
        (b"x = 1" + b"+1" * 60_000, 1, "nested too deeply"),
    ],
)
def test_says_why_it_cannot_be_read(data: bytes, line: int, reason: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read(data)
    assert reason in caught.value.reason
    assert caught.value.line == line


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_a_declared_encoding_counts_whatever_ends_the_lines(end: bytes) -> None:
    source = read(b"#!/usr/bin/python" + end + b"# -*- coding: latin-1 -*-" + end + b"x = '\xe9'" + end)
    assert source.encoding == "iso-8859-1"
    assert "'é'" in source.text


def test_other_peoples_warnings_are_not_ours(recwarn: pytest.WarningsRecorder) -> None:
    read(b"x = '\\d'\ny = 1 is 1\n")
    assert not recwarn.list


def test_columns_are_characters() -> None:
    [finding] = lint_file("x.py", "é = 'ü', input('x')\n".encode())
    assert (finding.line, finding.column, finding.end_column) == (1, 10, 15)


def test_many_questions_under_one_name_are_read_in_a_moment() -> None:
    program = "".join(f"x = input('q{number}')\nif x == 'y':\n    print(x)\n" for number in range(4000))
    start = time.process_time()
    assert len(lint_file("x.py", program.encode())) == 4000
    assert time.process_time() - start < 8  # it was a matter of minutes when each was compared with all others


def test_deep_trees_are_no_recursion_of_ours() -> None:
    terms = " + ".join(["input()"] * 900)
    calls = "x" + ".y()" * 900
    chain = "if a:\n  pass\n" + "".join(f"elif b == {number}:\n  input()\n" for number in range(900))
    for text, wanted in ((f"x = {terms}\n", 900), (f"{calls}.z(input)\n", 1), (chain, 900)):
        assert len(lint_file("x.py", text.encode())) == wanted
