"""A byte-level test that most files fail, so that they are never parsed.

Derived from the catalog alone. A file can hold a prompt only when it reads the bare name of a builtin prompt, or
imports a prompt's module and writes, from the name that the import gives, every name on the way to the prompt. A file
that passes may still hold none; one that fails cannot, whatever else is wrong with it. Most files import no such
module, and of them only the imports are looked at.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from agentgate.catalog import Prompt
from agentgate.lint.barename import BareNames
from agentgate.lint.imported import GAP, READ, Imports, parsed, statements
from agentgate.lint.index import Index
from agentgate.lint.known import Questions

__all__ = ["Prefilter"]

Path = tuple[bytes, ...]

# how a question is printed whose end of line is left out
_PRINTS = re.compile(rb"(?<!\w)(?:end|nl)%b=|(?:stdout|stderr|stderr__)%b\.%bwrite" % (GAP, GAP, GAP))


class _Written(NamedTuple):
    """What a file has to write to use one prompt: the names of its path, and something besides, if anything."""

    path: Path
    needs: re.Pattern[bytes] | None

    def may_be_in(self, data: bytes) -> bool:
        """All of it is somewhere."""
        return all(name in data for name in self.path[:0:-1]) and (
            self.needs is None or self.needs.search(data) is not None
        )


class Prefilter:
    """The test for one catalog. words: the modules of its prompts."""

    def __init__(self, index: Index) -> None:
        modules: dict[bytes, set[_Written]] = defaultdict(set)
        for name, prompt in index.prompts.items():
            path = tuple(part.encode() for part in name.split("."))
            modules[path[0]].add(_Written(path, _needs(prompt, index.known.questions)))
        self._modules = dict(modules)
        self.words = frozenset(modules)
        # a project imports its own modules in more ways than by their full names
        self._own = tuple({name.rpartition(".")[2].encode() for name in index.own})
        self._builtins = BareNames(index.builtins)

    def may_prompt(self, data: bytes, imports: Imports) -> bool:
        """Whether these bytes are worth parsing. imports: theirs."""
        return self.found(data, imports) != frozenset()

    def found(self, data: bytes, imports: Imports) -> frozenset[str] | None:
        """The prompts that may be used, where each asks only for what stands around it; None when one always asks."""
        found: set[Path] = set()
        for root in self.words & imports.words:
            written = [one for one in self._modules[root] if one.may_be_in(data)]
            always = {one.path for one in written if one.needs is None}
            if always and _uses(root, data, always):
                return None
            perhaps = {one.path for one in written if one.needs is not None}
            if perhaps and _uses(root, data, perhaps):
                found |= perhaps
        if self._builtins.may_be_read(data) or any(name in data for name in self._own):
            return None
        return frozenset(b".".join(path).decode() for path in found)


def _uses(root: bytes, data: bytes, prompts: set[Path]) -> bool:
    """One of these prompts of a module may be reached from a name that an import gives."""
    code, nodes = data, []
    for statement in sorted(statements(data), key=len, reverse=True):
        node = parsed(statement) if root in statement else None
        if node is not None:
            if not statement.isascii():
                return True  # the name that it gives may be written in no other byte
            code = code.replace(statement, b"")  # where a name is imported it is not used yet
            nodes.append(node)
    for name, path in {bound for node in nodes for bound in _bound(node, prompts)}:
        rest = {one[len(path) :] for one in prompts if one[: len(path)] == path}
        if rest and _leads(name, rest, code):
            return True
    return False


def _bound(node: ast.Import | ast.ImportFrom, prompts: set[Path]) -> Iterator[tuple[bytes, Path]]:
    """The names that an import gives, each with the path of what it is."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            path = _path(alias.name)
            yield (alias.asname.encode(), path) if alias.asname else (path[0], path[:1])
    elif not node.level:
        module = _path(node.module or "")
        for alias in node.names:
            if alias.name != "*":
                yield (alias.asname or alias.name).encode(), (*module, alias.name.encode())
        if node.names[0].name == "*":
            for name in {path[len(module)] for path in prompts if path[: len(module)] == module != path}:
                yield name, (*module, name)


def _path(name: str) -> Path:
    return tuple(part.encode() for part in name.split("."))


def _leads(name: bytes, rest: set[Path], data: bytes) -> bool:
    """One of the paths may be followed from this name, which may stand behind a dot itself."""
    word = re.escape(name)
    follows = set(re.findall(rb"%b\b(?<!\w%b)(?:%b\.%b(\w+)|%b)" % (word, word, GAP, GAP, READ), data))
    if () in rest:
        return bool(follows)
    if b"" in follows:  # it is handed on as a value, which may go by any name then
        return any(re.search(rb"\.%b%b\b" % (GAP, path[-1]), data) for path in rest)
    return any(_leads(path[0], {path[1:]}, data) for path in rest if path[0] in follows)


def _needs(prompt: Prompt, questions: Questions) -> re.Pattern[bytes] | None:
    """What else makes it prompt."""
    when = prompt.prompts_when
    if when is not None and not when.default:
        # left out, the parameter may still come in by `**`
        return re.compile(rb"%b%b=|\*\*" % (when.param.encode(), GAP))
    if prompt.waits:
        bare = "|".join(sorted(questions.waits_bare))
        waits = "|".join(sorted({*questions.waits, *(name.rpartition(".")[2] for name in questions.sleeps)}))
        gap = GAP.decode()
        return re.compile(rf"(?:{waits})\b|\.{gap}(?:{bare}){gap}\({gap}\)".encode())
    if prompt.after_question:
        return _PRINTS
    return re.compile(rb"stdin") if prompt.of_stdin else None
