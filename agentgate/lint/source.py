"""Bytes to text and syntax tree, and positions in both.

Every edit and column is worked out on the decoded text, in characters; `Source.encode` gives the bytes back.
"""

from __future__ import annotations

import ast
import codecs
import io
import re
import sys
import tokenize
import warnings
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from agentgate.lint.load import Unreadable
from agentgate.lint.outline import bodies, outline
from agentgate.lint.standing import Standing, nodes

if TYPE_CHECKING:
    from agentgate.lint.suppress import Suppressions

__all__ = ["Source", "read", "read_bindings", "unparsed"]

# what the compiler says about statements that were right in Python 2
_PYTHON_2_MESSAGES = (
    "Missing parentheses in call to",
    "leading zeros in decimal integer literals",
)
# `except A, B:` is right in Python 3.14 too, where B is another class and not a variable
_PYTHON_2_SOURCE = re.compile(
    r"""^[ \t]*(?:print[ \t]+["'\w]|exec[ \t]+["'\w]|except[ \t]+[\w.]+[ \t]*,[ \t]*[a-z_]\w*[ \t]*:)""", re.MULTILINE
)
# a declaration of the encoding stands on one of the first two lines
_HEAD = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)?[^\r\n]*")
# what `str.splitlines` takes for the end of a line beside these, and Python does not
_OTHER_ENDS = "\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


class Source:
    """One file's text and syntax tree.

    encoding: the text's encoding; a byte order mark is not part of the text.
    """

    def __init__(self, data: bytes, text: str, encoding: str, mark: bytes, tree: ast.Module) -> None:
        self.data = data
        self.text = text
        self.encoding = encoding
        self.mark = mark
        self.tree = tree
        # of the file only a part was parsed (`part`)
        self.is_part = False
        # read once, by the one who asks first (`suppress`)
        self.silenced: Suppressions | None = None

    @cached_property
    def lines(self) -> list[str]:
        """The lines as Python counts them, line ends kept; a form feed ends none."""
        if any(end in self.text for end in _OTHER_ENDS):
            return _LINE.findall(self.text)
        return self.text.splitlines(keepends=True)

    @cached_property
    def starts(self) -> list[int]:
        """The offset in the text at which each line starts, and where the text ends."""
        return list(accumulate(map(len, self.lines), initial=0))

    @cached_property
    def standing(self) -> Standing:
        """Where its words stand."""
        return Standing(self.text, self.starts)

    def on_lines_of(self, words: Iterable[str], within: ast.AST | None = None) -> Iterator[ast.AST]:
        """The nodes of the statements on whose lines one of these words stands. within: a part of the tree."""
        lines = self.standing.lines(words)
        return nodes(within or self.tree, lines) if lines else iter(())

    def part(self, text: str) -> Source:
        """The same file of which only this much is parsed, line by line as it is; its words stand where they stood.

        Raises Unreadable, also for the syntax of a newer Python.
        """
        part = Source(self.data, text, self.encoding, self.mark, _parse(text, newer=False))
        part.standing = self.standing
        part.is_part = True
        return part

    def line_start(self, line: int) -> int:
        """The offset in the text at which a line (from 1) starts; the end of the text for the one after the last."""
        return self.starts[line - 1]

    def column(self, line: int, utf8_column: int) -> int:
        """The column in characters, from 0, of one that `ast` counts in UTF-8 bytes."""
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        return (
            utf8_column
            if text.isascii()
            else len(text.encode("utf-8", "surrogatepass")[:utf8_column].decode("utf-8", "replace"))
        )

    def start(self, node: ast.expr | ast.stmt) -> int:
        """The offset in the text at which a node starts."""
        return self.line_start(node.lineno) + self.column(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.stmt) -> int:
        """The offset in the text just behind a node."""
        line, column = node.end_lineno or node.lineno, node.end_col_offset or 0
        return self.line_start(line) + self.column(line, column)

    def encode(self, text: str) -> bytes:
        """The bytes of a changed text, in the file's own encoding. Raises UnicodeEncodeError."""
        return self.mark + text.encode(self.encoding)

    @cached_property
    def round_trips(self) -> bool:
        """The decoded text gives back every byte (not so for an encoding with several ways to write one text)."""
        try:
            return self.encode(self.text) == self.data
        except UnicodeEncodeError:
            return False


def read(data: bytes) -> Source:
    """Decode as Python does (byte order mark, PEP 263 cookie) and parse. Raises Unreadable."""
    text, encoding, mark = _decoded(data)
    return Source(data, text, encoding, mark, _parse(text))


def unparsed(data: bytes) -> Source:
    """As `read`, with an empty tree. Raises Unreadable."""
    return Source(data, *_decoded(data), ast.Module([], []))


def read_bindings(data: bytes) -> Source:
    """As `read`, without what functions do, where that is of no use for the names of the module. Raises Unreadable."""
    text, encoding, mark = _decoded(data)
    with suppress(Unreadable):
        short = outline(text, bodies(text))
        return Source(data, short, encoding, mark, _parse(short, newer=False))
    return Source(data, text, encoding, mark, _parse(text))


def _decoded(data: bytes) -> tuple[str, str, bytes]:
    """The text, its encoding, and its byte order mark."""
    if b"\0" in data:
        before = data[: data.index(b"\0")]
        line = len(re.findall(rb"\r\n|\r|\n", before)) + 1
        raise Unreadable("contains a null byte, which no Python source may", line)
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    encoding = _encoding(data)
    try:
        text = data[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        line = len(re.findall(rb"\r\n|\r|\n", data[: len(mark) + error.start])) + 1
        raise Unreadable(f"is not valid {encoding}", line) from None
    return text, encoding, mark


def _encoding(data: bytes) -> str:
    head = _HEAD.match(data)
    if head is None or b"coding" not in head[0]:
        return "utf-8"
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(b"\n".join(head[0].splitlines())).readline)
    except SyntaxError as error:
        raise Unreadable(f"has a wrong encoding declaration: {error.msg}") from None
    return "utf-8" if encoding == "utf-8-sig" else encoding


def _parse(text: str, *, newer: bool = True) -> ast.Module:
    version = ".".join(map(str, sys.version_info[:2]))
    try:
        with warnings.catch_warnings():
            # other people's invalid escapes are not our message
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        old = error.msg.startswith(_PYTHON_2_MESSAGES) or _PYTHON_2_SOURCE.search(text)
        # more parentheses than Python's tokenizer counts are no syntax of any version
        known = not newer or old or error.msg.startswith("too many nested")
        tree = None if known else _parse_newer(text)
        if tree is not None:
            return tree
        hint = "; it looks like Python 2" if old else ""
        raise Unreadable(
            f"is not valid Python {version}: {error.msg}{hint}", error.lineno or 1, max(error.offset or 1, 1)
        ) from None
    except (RecursionError, MemoryError):
        raise Unreadable(f"is nested too deeply for Python {version} to parse") from None
    except ValueError as error:
        raise Unreadable(f"is not valid Python {version}: {error}") from None


def _parse_newer(text: str) -> ast.Module | None:
    """The tree of a file in the syntax of a newer Python; None when it is in none that is known."""
    from agentgate.lint.newer import parse

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return parse(text)
    except (RecursionError, SyntaxError, ValueError):
        return None  # libcst does not look at what is in a string
