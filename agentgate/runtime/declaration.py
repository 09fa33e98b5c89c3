"""Declarations that prompt later (an option with `prompt=`): wrapped always, decided when they would prompt.

The framework builds an option object and asks through one of its methods; that method is hooked, on
the one object, or on its class where the declaration does not build it.
"""

from __future__ import annotations

import sys

from ..rulefiles import header
from .mode import agent_run, waived

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["MARK", "declares", "hook_class", "wrapped"]

MARK = "_agentgate_hooked"

_headers: dict[str, dict[str, tuple[str, ...]]] = {}
_Function = type(lambda: None)


def declares(prompt: object) -> bool:
    """Whether this is a catalog function that declares a prompt, told by its code as `identity` does."""
    if type(prompt) is not _Function:
        return False
    module = prompt.__globals__.get("__name__")
    if not isinstance(module, str):
        return False
    names = _header(module.partition(".")[0]).get("declares")
    return names is not None and f"{module}.{prompt.__code__.co_qualname}" in names


def wrapped(prompt: Callable[..., Any], hints: dict[str, Any]) -> Callable[..., Any]:
    """The declaring function with its option hooked."""
    library = prompt.__globals__["__name__"].partition(".")[0]
    keys = _header(library)

    def declare(*args: Any, **kwargs: Any) -> Any:
        declared = prompt(*args, **kwargs)
        if "hook_class" in keys:
            hook_class(keys["hook_class"][0], library)
            return declared

        def decorate(function: Any) -> Any:
            decorated = declared(function)
            option = _newest(decorated, keys["created"])
            if option is not None:
                _hook(option, library, keys, hints)
            return decorated

        return decorate

    declare.__wrapped__ = prompt  # type: ignore[attr-defined]
    return declare


def _header(library: str) -> dict[str, tuple[str, ...]]:
    if library not in _headers:
        _headers[library] = header(library)
    return _headers[library]


def _newest(decorated: object, attributes: tuple[str, ...]) -> Any:
    for attribute in attributes:
        listed = getattr(decorated, attribute, None)
        if listed:
            return listed[-1]
    return None


def _hook(option: Any, library: str, keys: dict[str, tuple[str, ...]], hints: dict[str, Any]) -> None:
    """Hook one option object."""
    ask, consume = keys["ask"][0], keys["consume"][0]
    setattr(option, ask, _asking(getattr(option, ask), option, library, hints))
    setattr(option, consume, _consuming(getattr(option, consume), option))
    setattr(option, MARK, True)


def hook_class(place: str, library: str) -> None:
    """Hook a class of options (`module:Class`), once."""
    keys = _header(library)
    module, _, name = place.partition(":")
    cls = getattr(sys.modules.get(module), name, None)
    if cls is None or MARK in vars(cls):
        return
    ask, consume = keys["ask"][0], keys["consume"][0]
    plain_ask, plain_consume = getattr(cls, ask), getattr(cls, consume)

    def ask_hook(self: Any, context: Any) -> Any:
        return _asking(plain_ask.__get__(self), self, library, {})(context)

    def consume_hook(self: Any, context: Any, parsed: Any) -> Any:
        return _consuming(plain_consume.__get__(self), self)(context, parsed)

    setattr(cls, ask, ask_hook)
    setattr(cls, consume, consume_hook)
    setattr(cls, MARK, True)


def _asking(plain: Callable[..., Any], option: Any, library: str, hints: dict[str, Any]) -> Callable[..., Any]:
    def ask(context: Any) -> Any:
        if not agent_run() and not waived():
            return plain(context)
        from . import option as options

        return options.ask(option, plain, context, library, hints)

    return ask


def _consuming(plain: Callable[..., Any], option: Any) -> Callable[..., Any]:
    """Keep what was parsed, so that all missing options can be found when the first one asks."""

    def consume(context: Any, parsed: Any) -> Any:
        context._agentgate_parsed = parsed
        if agent_run():
            from . import option as options

            options.refuse_placeholder(option, parsed)
        return plain(context, parsed)

    return consume
