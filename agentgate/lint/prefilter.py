"""A byte-level test that most files fail, so that they are never parsed.

Derived from the catalog alone. A file can hold a prompt only when it reads the bare name of a builtin prompt, or
imports a prompt's module and writes the prompt's name behind a dot or in the import. A file that passes may still
hold none; one that fails cannot, whatever else is wrong with it. Every search is led by a literal, which is what
makes it fast.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from typing import NamedTuple

from agentgate.catalog import Prompt
from agentgate.lint.barename import BareName, reads_builtin
from agentgate.lint.index import Index, default

__all__ = ["Prefilter", "prefilter"]

# the rest of each line behind these words, and of the next where a backslash joins them; a `from` of prose is no harm
_FROM = re.compile(rb"from[^\r\n\\]*(?:\\(?:\r\n|.)[^\r\n\\]*)*", re.DOTALL)
_IMPORT = re.compile(rb"import(?:[ \t]*\([^)]*\)|[^\r\n\\]*(?:\\(?:\r\n|.)[^\r\n\\]*)*)", re.DOTALL)
_BLANK = b" \t\f\r\n\\"


class _Written(NamedTuple):
    """What a file has to write to use one prompt.

    last: its last name, behind a dot or in an import. parts: the names before that. keyword: the parameter without
    which it does not prompt, when it is left out.
    """

    last: bytes
    parts: tuple[bytes, ...]
    keyword: bytes | None


class Prefilter:
    """The test for one catalog."""

    def __init__(self, index: Index) -> None:
        written: dict[str, set[_Written]] = defaultdict(set)
        for name, prompt in index.prompts.items():
            written[name.partition(".")[0]].add(_written(name, prompt))
        self._modules = [
            (root.encode(), _word(root.encode()), tuple(sorted(several, key=repr)))
            for root, several in sorted(written.items())
        ]
        self._words = {one.last: _word(one.last) for several in written.values() for one in several}
        self._keywords = {
            one.keyword: re.compile(re.escape(one.keyword) + rb"\s*=")
            for several in written.values()
            for one in several
            if one.keyword is not None
        }
        self._builtins = [BareName(name) for name in sorted(index.builtins)]

    def may_prompt(self, data: bytes) -> bool:
        """Whether these bytes are worth parsing."""
        if b"import" in data and self._imports_prompt(data):
            return True
        called = [name for name in self._builtins if name.may_be_read(data)]
        return bool(called) and reads_builtin(called, data)

    def _imports_prompt(self, data: bytes) -> bool:
        imports = b"\n".join(_IMPORT.findall(data) + _FROM.findall(data))
        return any(
            root in imports
            and word.search(imports) is not None
            and any(self._writes(one, data, imports) for one in several)
            for root, word, several in self._modules
        )

    def _writes(self, one: _Written, data: bytes, imports: bytes) -> bool:
        if one.last not in data or not all(part in data for part in one.parts):
            return False
        # left out, the parameter may still come in by `**`
        if one.keyword is not None and b"**" not in data and self._keywords[one.keyword].search(data) is None:
            return False
        word = self._words[one.last]
        return (
            b"*" in imports
            or word.search(imports) is not None
            or any(data[: found.start()][-80:].rstrip(_BLANK).endswith(b".") for found in word.finditer(data))
        )


def _word(name: bytes) -> re.Pattern[bytes]:
    """The whole word; the literal comes first, and what must not stand before it is looked at behind it."""
    return re.compile(re.escape(name) + rb"\b(?<![\w]" + re.escape(name) + rb")")


def _written(name: str, prompt: Prompt) -> _Written:
    _, *parts = name.split(".")
    when = prompt.prompts_when
    keyword = when.param.encode() if when is not None and not when.default else None
    return _Written(parts[-1].encode(), tuple(part.encode() for part in parts[:-1]), keyword)


@cache
def prefilter() -> Prefilter:
    """The test for the whole catalog."""
    return Prefilter(default())
