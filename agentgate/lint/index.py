"""The catalog turned round: from a qualified name to the prompt that it is."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from agentgate.catalog import Library, Prompt, load_all
from agentgate.lint.known import OTHER, Known, known
from agentgate.lint.own import NOTHING, Own

__all__ = ["BUILTINS", "GATES", "SUPPRESS", "Index", "build", "default"]

BUILTINS = "builtins"
# our own verb: what stands inside its parentheses is gated already
GATES = ("agentgate.gate", "agentgate.gate.later")
# a `with` of this goes on behind the block wherever the block was left
SUPPRESS = "contextlib.suppress"


class Index(NamedTuple):
    """All prompts of a catalog, by name.

    prompts: qualified name → prompt, for every name that a prompt goes by.
    owners: classes (or factories) whose call gives an object with prompting methods.
    prefixes: modules and classes on the way to a prompt or to a name that is followed.
    members: the last names of prompts and prefixes, by the module or class that they are of.
    roots: the top-level modules of the prompts, and of the project's own calls.
    builtins: the prompts that need no import, by bare name.
    followed: the qualified names of what is no prompt, and matters all the same.
    shows: the builtins among both, by bare name.
    own: the qualified names of the project's own calls. known: what is known beside the prompts.
    """

    prompts: dict[str, Prompt]
    owners: frozenset[str]
    prefixes: frozenset[str]
    members: dict[str, set[str]]
    roots: frozenset[str]
    builtins: frozenset[str]
    followed: frozenset[str]
    shows: frozenset[str]
    own: frozenset[str]
    known: Known

    @property
    def handed_on(self) -> frozenset[str]:
        """The modules of which a project's own module hands on a prompt: all but the one that everybody imports."""
        return self.roots - {"sys"}

    @property
    def standard(self) -> frozenset[str]:
        """The modules of the standard library that matter. Everybody imports them, few from another module."""
        return frozenset(name.partition(".")[0] for name in self.followed) & sys.stdlib_module_names - {BUILTINS}

    def narrowed(self, calls: frozenset[str]) -> Index:
        """The same for these calls alone, and for what the rules look for around them."""
        followed = self.followed & calls | {*GATES, SUPPRESS, *OTHER, *self.known.questions.sleeps}
        prefixes = {*followed, *(prefix for name in calls | followed for prefix in _prefixes(name))}
        nothing: frozenset[str] = frozenset()
        return self._replace(
            prompts={name: prompt for name, prompt in self.prompts.items() if name in calls},
            owners=self.owners & prefixes,
            prefixes=frozenset(prefixes),
            members=_members(calls | prefixes),
            builtins=nothing,
            followed=followed,
            shows=nothing,
            own=nothing,
        )

    def exports(self, module: str) -> Iterator[str]:
        """The names of interest that `from module import *` binds."""
        for name in {*self.prompts, *self.prefixes}:
            parent, _, child = name.rpartition(".")
            if parent == module and not child.startswith("_"):
                yield child


def build(libraries: Iterable[Library], own: Own = NOTHING) -> Index:
    """Index the prompts of these libraries, and a project's own."""
    prompts: dict[str, Prompt] = {}
    owners: set[str] = set()
    for prompt in (*(prompt for library in libraries for prompt in library.prompts), *own.prompts):
        for name in (prompt.call, *prompt.also):
            # the first that claims a shared name is the one that the name is written for
            if name == prompt.call or name not in prompts:
                prompts[name] = prompt
            if prompt.bind:
                owners.add(name.rpartition(".")[0])
    facts = known().extended(own.effects)
    owners.update(facts.owners())
    followed = frozenset((*GATES, SUPPRESS, *facts.names()))
    prefixes = {*followed, *(prefix for name in (*prompts, *followed) for prefix in _prefixes(name))}
    return Index(
        prompts,
        frozenset(owners),
        frozenset(prefixes),
        _members((*prompts, *prefixes)),
        frozenset(name.partition(".")[0] for name in (*prompts, *own.names())),
        frozenset(_bare(prompts)),
        followed,
        frozenset(_bare((*prompts, *followed))),
        frozenset(own.names()),
        facts,
    )


@cache
def default() -> Index:
    """The index of the whole catalog."""
    return build(load_all())


def _bare(names: Iterable[str]) -> Iterator[str]:
    """The names of builtins, as they are written."""
    return (name.partition(".")[2] for name in names if name.startswith(BUILTINS + "."))


def _members(names: Iterable[str]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name in names:
        owner, _, last = name.rpartition(".")
        found.setdefault(owner, set()).add(last)
    return found


def _prefixes(name: str) -> Iterator[str]:
    while "." in name:
        name = name.rpartition(".")[0]
        yield name
