"""What a name may hold, as far as it matters here."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

__all__ = [
    "NOTHING_KNOWN",
    "NOT_BOUND",
    "Instance",
    "LocalClass",
    "LocalInstance",
    "Maker",
    "Module",
    "Ref",
    "Special",
    "Value",
    "Values",
    "matter",
    "union",
]


class Ref(NamedTuple):
    """The object of this qualified name: a module, class or function of the catalog.

    alias: it came here through an assignment that is reported itself, so its calls are not.
    """

    name: str
    alias: bool = False


class Instance(NamedTuple):
    """An object of a class with prompting methods."""

    name: str


class Module(NamedTuple):
    """Another module of the project, by its file."""

    path: str


class LocalClass:
    """A class of the project itself. Compared by identity.

    matters: a base, or something that its objects have, is worth following.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.bases: Values = frozenset()
        self.names: dict[str, Values] = {}
        self.matters = False


class Maker(NamedTuple):
    """A function of the project that returns something worth following."""

    returns: Values


class LocalInstance(NamedTuple):
    """An object of a class of the project."""

    type: LocalClass


class Special(Enum):
    """UNKNOWN: something else. UNBOUND: no value on some way here, so an outer scope's is seen."""

    UNKNOWN = "unknown"
    UNBOUND = "unbound"


Value = Ref | Instance | Module | LocalClass | Maker | LocalInstance | Special
Values = frozenset[Value]

NOTHING_KNOWN: Values = frozenset({Special.UNKNOWN})
NOT_BOUND: Values = frozenset({Special.UNBOUND})


def matter(values: Values) -> bool:
    """One of them is worth following."""
    for value in values:
        if isinstance(value, LocalClass | LocalInstance):
            if (value.type if isinstance(value, LocalInstance) else value).matters:
                return True
        elif not isinstance(value, Special):
            return True
    return False


def union(several: Iterable[Values]) -> Values:
    """All that any of them may hold; something unknown when there are none."""
    return frozenset().union(*several) or NOTHING_KNOWN
