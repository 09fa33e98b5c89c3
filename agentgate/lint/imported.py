"""The imports of a file, found in its bytes: from them it is told whether the file is worth a syntax tree.

Every search is led by a literal, which is what makes it fast. What is found is all of the imports, and some prose.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["BLANK", "GAP", "READ", "Imports", "given", "imported", "parsed", "statements"]

# what may stand between two words of a statement
BLANK = rb"(?:[ \t\f]|\\(?:\r\n|\r|\n))"
# what may stand between two words of an expression: lines end in parentheses, and a comment with each
GAP = rb"(?:[\s\\]+|#[^\r\n]*+)*+"
# behind a name: nothing is read where it is stored, and in prose another word follows than these
READ = rb"(?![ \t]*=[^=]|[ \t]+(?!(?:and|as|async|else|for|if|in|is|not|or)\b)[\w\"'])"
# the rest of a list in parentheses, if one is open
_REST = rb"[^)#]*(?:#[^\r\n]*[\r\n][^)#]*)*\)"
_IN_PARENTHESES = rb"\(" + _REST
_NAME = rb"\w.\x80-\xff"

_TO_THE_END_OF_A_LIST = re.compile(_REST)
# what stands behind these words, on the next line too where a backslash joins them
_FROM = re.compile(rb"from[ \t\f\\\r\n]+[\w.]+")
_IMPORT = re.compile(
    rb"import(?:[ \t\f\\\r\n]*" + _IN_PARENTHESES + rb"|[^\r\n\\]*(?:\\(?:\r\n|.)[^\r\n\\]*)*)", re.DOTALL
)
# whole statements, each up to the first byte that can be no part of it
_IMPORT_STATEMENT = re.compile(
    rb"import\b" + BLANK + rb"*(?:" + _IN_PARENTHESES + rb"|(?:[,*" + _NAME + rb"]|" + BLANK + rb")+)"
)
_FROM_STATEMENT = re.compile(rb"from\b(?:[" + _NAME + rb"]|" + BLANK + rb"){1,1000}?\b" + _IMPORT_STATEMENT.pattern)

_WORDS_ALONE = bytes(byte if byte < 128 and (chr(byte).isalnum() or byte == ord("_")) else 32 for byte in range(256))
# to `ast`, any byte of a name in any encoding will do
_ASCII = bytes(byte if byte < 128 else ord("_") for byte in range(256))


class Imports(NamedTuple):
    """What stands behind the words `import` and `from` of a file: the text, and those of its words that matter."""

    text: bytes
    words: frozenset[bytes]


def imported(data: bytes, words: frozenset[bytes]) -> Imports:
    """The imports of a file. words: those that anybody asks for."""
    last = data.rfind(b"import")
    found = _IMPORT.match(data, last) if last >= 0 else None
    if found is None:
        return Imports(b"", frozenset())
    # most of a file lies behind its last import, which may be a word of a comment in the list of another
    rest = _TO_THE_END_OF_A_LIST.match(data, found.end())
    end = rest.end() if rest is not None else len(data)
    text = b"\n".join(_IMPORT.findall(data, 0, end) + _FROM.findall(data, 0, last))
    return Imports(text, words.intersection(text.translate(_WORDS_ALONE).split()))


def statements(data: bytes) -> list[bytes]:
    """Its import statements one by one."""
    whole = {found.end(): found[0] for found in _FROM_STATEMENT.finditer(data)}
    found = [whole.get(found.end(), found[0]) for found in _IMPORT_STATEMENT.finditer(data)]
    return [statement.strip(b" \t\f\\\r\n") for statement in found]


def parsed(statement: bytes) -> ast.Import | ast.ImportFrom | None:
    """The syntax of one; None when it was prose."""
    try:
        (node,) = ast.parse(statement.translate(_ASCII)).body
    except (SyntaxError, ValueError):
        return None
    return node if isinstance(node, ast.Import | ast.ImportFrom) else None


def given(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """The full names of what an import gives: for a star, that of its module; nothing for a relative one."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.name if alias.asname else alias.name.partition(".")[0]
    elif not node.level:
        for alias in node.names:
            yield f"{node.module}.{alias.name}" if alias.name != "*" else f"{node.module}"
