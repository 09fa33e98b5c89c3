"""Gate the prompts of a program that was not rewritten: each library's, when it has been imported.

Used by `agentgate run --gate`. A prompt is replaced where its code is defined, so that every later import
of it, under whatever name, gets the gated one.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

from .. import rulefiles
from . import declaration, identity, state
from .gate import gate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..catalog import Library, Prompt

__all__ = ["install"]


def install() -> None:
    """Gate what is imported already, and whatever will be."""
    import json

    state.gates_unmodified = True
    state.launcher = json.loads(os.environ.pop("AGENTGATE_LAUNCHER", "null"))
    for name, module in list(sys.modules.items()):
        if module is not None:
            _gate_module(name, module)
    sys.meta_path.insert(0, _Finder())


class _Finder:
    """Finds nothing itself: has the modules of catalog libraries gated when they have been executed."""

    def __init__(self) -> None:
        self._libraries = frozenset(rulefiles.libraries())
        self._finding: set[str] = set()

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.partition(".")[0] not in self._libraries or name in self._finding:
            return None
        self._finding.add(name)
        try:
            for finder in sys.meta_path:
                find = getattr(finder, "find_spec", None)
                spec: ModuleSpec | None = find(name, path, target) if find is not None and finder is not self else None
                if spec is not None:
                    break
            else:
                return None
        finally:
            self._finding.discard(name)
        execute = getattr(spec.loader, "exec_module", None)
        if execute is not None and not isinstance(spec.loader, type):  # a class loads what is built in

            def execute_and_gate(module: ModuleType) -> None:
                execute(module)
                _gate_module(name, module)

            setattr(spec.loader, "exec_module", execute_and_gate)  # noqa: B010  # the loader has no other hook
        return spec


def _gate_module(name: str, module: ModuleType) -> None:
    library = identity.library_of(name.partition(".")[0])
    if library is None:
        return
    for prompt in library.prompts:
        for origin in prompt.origin:
            if not (prompt.declares or prompt.told_by_code) and origin.startswith(name + "."):
                _gate_prompt(module, origin[len(name) + 1 :], prompt)
    _hook_options(name, library)


def _gate_prompt(module: ModuleType, place: str, prompt: Prompt) -> None:
    """Replace a function, or a method in its class, by one that decides at each call."""
    *owners, attribute = place.split(".")
    owner: Any = module
    for one in owners:
        owner = vars(owner).get(one)
        if not isinstance(owner, type):
            return
    plain = vars(owner).get(attribute)
    if plain is None or getattr(plain, declaration.MARK, False):
        return
    if isinstance(owner, type):
        setattr(owner, attribute, _method(plain, prompt))
        return
    gated = gate.later(plain)
    setattr(gated, declaration.MARK, True)
    for other, value in list(vars(module).items()):
        if value is plain:
            setattr(module, other, gated)


def _method(plain: Any, prompt: Prompt) -> Any:
    def decide(receiver: Any, *args: Any, **kwargs: Any) -> Any:
        bound = plain.__get__(None, receiver) if prompt.bind == "class" else plain.__get__(receiver)
        return gate(bound)(*args, **kwargs)

    setattr(decide, declaration.MARK, True)
    return classmethod(decide) if prompt.bind == "class" else decide


def _hook_options(name: str, library: Library) -> None:
    """A framework's option class, where the options themselves will be made."""
    if library.option is None:
        return
    for place in library.option.classes:
        if place.partition(":")[0] == name:
            declaration.hook_class(place, library.name)
