"""What an integration tells of the program that it runs; everything else is the same for every parser."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .explain import Origin
    from .tree import Command

__all__ = ["Ended", "Host"]


class Ended(NamedTuple):
    """How a framework ended the program: an error code of the envelope, and its sentence."""

    code: str
    message: str


class Host(NamedTuple):
    """A program and the framework that parses for it.

    name: what it is called. call: runs it, given whether its result goes into a document, and returns what it
    returned. read: its tree. ended: what a SystemExit of the framework means. origins: of the values that its
    arguments would have, by name. declared: the options and words that are its own, or left out. main: what it
    runs, where its parser does not tell.
    """

    name: str | None
    call: Callable[[bool], Any]
    read: Callable[[], Command]
    ended: Callable[[SystemExit], Ended | None]
    origins: Callable[[list[str]], dict[str, Origin]]
    declared: Collection[str]
    main: Callable[..., Any] | None = None
