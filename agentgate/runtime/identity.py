"""Which prompt of the catalog a callable really is.

Names lie: `getpass.getpass` is `unix_getpass`, a test double made with `functools.wraps` says `input`.
What no double can share is where the code itself comes from: the function's globals are the library
module's own dictionary, and its code object has the qualified name that the catalog gives as `origin`.
"""

from __future__ import annotations

import sys

from ..catalog import Library, Prompt, load
from .later import Later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Found", "find", "is_genuine", "origin_of", "resolve"]

_libraries: dict[str, Library | None] = {}


class Found:
    """A catalog prompt behind a callable. called: the callable without what a partial has bound to it."""

    __slots__ = ("args", "called", "kwargs", "library", "prompt")

    def __init__(
        self, called: Any, prompt: Prompt, library: Library, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        self.called, self.prompt, self.library, self.args, self.kwargs = called, prompt, library, args, kwargs

    def given(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """All arguments of a call by their names, with those that are bound."""
        positional = self.args + args
        if self.prompt.bind == "instance" and type(self.called) is _Function:
            positional = positional[1:]  # called on the class, the object comes first
        return {**dict(zip(self.prompt.args, positional, strict=False)), **self.kwargs, **kwargs}


def find(called: object) -> Found | None:
    """The catalog's entry for a callable, None when it is not a prompt of the catalog (a mock, a lambda)."""
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = {}
    from functools import partial

    while type(called) is partial:
        args, kwargs, called = called.args + args, {**called.keywords, **kwargs}, called.func
    origin = origin_of(called)
    if origin is None:
        return None
    library = library_of(origin.partition(".")[0])
    if library is None:
        return None
    entries = [prompt for prompt in library.prompts if origin in prompt.origin]
    if not entries:
        return None
    return Found(called, _of_receiver(entries, called), library, args, kwargs)


def origin_of(called: object) -> str | None:
    """Module and qualified name of a callable's own code; None when it cannot be told for certain."""
    called = called.__wrapped__ if isinstance(called, Later) else called
    if type(called) is _Function and called.__globals__.get("__name__") in _WRAPPERS:
        called = getattr(called, "__wrapped__", called)  # a gated prompt is still that prompt
    called = getattr(called, "__func__", called) if type(called) is _Method else called
    if type(called) is _Builtin:
        owner = getattr(called, "__self__", None)
        if owner is not None and owner is sys.stdin:
            return f"sys.stdin.{called.__name__}"
        return f"{owner.__name__}.{called.__name__}" if type(owner) is _Module else None
    if type(called) is _Function:
        name = called.__globals__.get("__name__")
        module = sys.modules.get(name) if isinstance(name, str) else None
        genuine = getattr(module, "__dict__", None) is called.__globals__
        return f"{name}.{called.__code__.co_qualname}" if genuine else None
    if isinstance(called, type):
        return f"{called.__module__}.{called.__qualname__}"
    return None


def library_of(name: str) -> Library | None:
    """The catalog's file for an import name, read once."""
    if name not in _libraries:
        _libraries[name] = load(name)
    return _libraries[name]


def is_genuine(place: str) -> bool:
    """Whether a reader (`module:attribute`) is still the real one, not a test's.

    The real one is a builtin prompt, or a function whose code comes from the module's package (not from
    its test runner) or from a library of the catalog. None is a place that is filled at the first use.
    """
    module = place.partition(":")[0]
    if module not in sys.modules:
        return True
    reader = resolve(place)
    origin = origin_of(reader)
    if origin is None:
        return reader is None
    package, inside = module.partition(".")[0], origin.partition(".")[2]
    return (origin.startswith(package + ".") and ".testing." not in f".{inside}") or find(reader) is not None


def resolve(place: str) -> Any:
    """What stands at `module:attribute` now (a module that does not set it sees the builtin)."""
    module, _, attribute = place.partition(":")
    namespace = vars(sys.modules[module])
    return namespace.get(attribute, getattr(sys.modules["builtins"], attribute, None))


def _of_receiver(entries: list[Prompt], called: object) -> Prompt:
    """Several classes share one method's code: the entry of the first class in the receiver's order."""
    receiver = getattr(called, "__self__", None)
    if len(entries) > 1 and receiver is not None:
        owner = receiver if isinstance(receiver, type) else type(receiver)
        for base in owner.__mro__:
            for entry in entries:
                if entry.owner == f"{base.__module__}.{base.__qualname__}":
                    return entry
    return entries[0]


_WRAPPERS = tuple(f"{__package__}.{module}" for module in ("ask", "held", "unmodified"))
_Builtin = type(len)
_Function = type(find)
_Method = type(Found.__init__.__get__(object()))
_Module = type(sys)
