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

__all__ = ["Prefilter", "imported", "prefilter"]

# what stands behind these words, on the next line too where a backslash joins them; prose is no harm
_FROM = re.compile(rb"from[ \t\f\\\r\n]+[\w.]+")
_IMPORT = re.compile(rb"import(?:[ \t]*\([^)]*\)|[^\r\n\\]*(?:\\(?:\r\n|.)[^\r\n\\]*)*)", re.DOTALL)
_BLANK = b" \t\f\r\n\\"


def imported(data: bytes) -> bytes:
    """What stands behind the words `import` and `from` of a file: all of its imports, and some prose."""
    return b"\n".join(_IMPORT.findall(data) + _FROM.findall(data))


class _Written(NamedTuple):
    """What a file has to write to use one prompt.

    last: its last name, behind a dot or in an import. parts: the names before that. keyword: the parameter without
    which it does not prompt, when it is left out.
    """

    last: bytes
    parts: tuple[bytes, ...]
    keyword: bytes | None


class _Module(NamedTuple):
    """One module of prompts. renames: an import that gives other names; value: the module is handed on as a value."""

    root: bytes
    word: re.Pattern[bytes]
    renames: re.Pattern[bytes]
    value: re.Pattern[bytes]
    prompts: tuple[_Written, ...]


class Prefilter:
    """The test for one catalog."""

    def __init__(self, index: Index) -> None:
        written: dict[str, set[_Written]] = defaultdict(set)
        for name, prompt in index.prompts.items():
            written[name.partition(".")[0]].add(_written(name, prompt))
        self._modules = [_module(root.encode(), several) for root, several in sorted(written.items())]
        self._words = {one.last: _word(one.last) for several in written.values() for one in several}
        self._keywords = {
            one.keyword: re.compile(re.escape(one.keyword) + rb"\s*=")
            for several in written.values()
            for one in several
            if one.keyword is not None
        }
        # a project imports its own modules in more ways than by their full names
        self._own = tuple({name.rpartition(".")[2].encode() for name in index.own})
        self._builtins = [BareName(name) for name in sorted(index.builtins)]

    def may_prompt(self, data: bytes, imports: bytes) -> bool:
        """Whether these bytes are worth parsing. imports: what `imported` gives for them."""
        if any(name in data for name in self._own):
            return True
        for module in self._modules:
            if module.root in imports and module.word.search(imports) and self._uses(module, data, imports):
                return True
        called = [name for name in self._builtins if name.may_be_read(data)]
        return bool(called) and reads_builtin(called, data)

    def _uses(self, module: _Module, data: bytes, imports: bytes) -> bool:
        written = [one for one in module.prompts if self._writes(one, data, imports)]
        if not written or any(one.parts for one in written) or module.renames.search(imports):
            return bool(written)
        # imported under its own name, it leads to a function of its own only right behind a dot
        follows = {found[1] for found in re.finditer(re.escape(module.root) + rb"\s*\.[\s\\]*(\w+)", data)}
        return any(one.last in follows for one in written) or module.value.search(data) is not None

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


def _module(root: bytes, prompts: set[_Written]) -> _Module:
    name = re.escape(root)
    return _Module(
        root,
        _word(root),
        re.compile(name + rb"(?:\.\w+)*[ \t\\\r\n]+as\b|from[ \t\\\r\n]+" + name + rb"\b"),
        # neither its attribute is read, nor does it stand in prose or in an import
        re.compile(name + rb"\b(?<![\w.]" + name + rb")(?!\s*\.|[ \t]+\w)(?<!import " + name + rb")"),
        tuple(sorted(prompts, key=repr)),
    )


def _written(name: str, prompt: Prompt) -> _Written:
    _, *parts = name.split(".")
    when = prompt.prompts_when
    keyword = when.param.encode() if when is not None and not when.default else None
    return _Written(parts[-1].encode(), tuple(part.encode() for part in parts[:-1]), keyword)


@cache
def prefilter() -> Prefilter:
    """The test for the whole catalog."""
    return Prefilter(default())
