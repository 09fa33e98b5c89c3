"""How a name, an attribute and a call lead to values: the scoping rules of the language."""

from __future__ import annotations

from typing import Protocol

from agentgate.lint.facts import Facts
from agentgate.lint.index import BUILTINS, Index
from agentgate.lint.scope import Kind, Scope
from agentgate.lint.values import (
    NOT_BOUND,
    NOTHING_KNOWN,
    Instance,
    LocalClass,
    LocalInstance,
    Maker,
    Module,
    Ref,
    Special,
    Value,
    Values,
    matter,
)

__all__ = ["Names", "Outside", "all_of_project", "of_project"]

# the package and its vendored copy
_OURS = ("agentgate", "_agentgate")


class Outside(Protocol):
    """The other modules of the project, as one of its files sees them.

    files: those that were read so far.
    """

    files: set[str]

    def find(self, module: str, level: int) -> str | None:
        """The file that an import means; None when it is none of the project that can matter."""

    def absolute(self, module: str, level: int) -> str:
        """The full name of what a relative import means; with level 0 and no module, that of the file itself."""

    def exports(self, path: str, name: str | None = None) -> dict[str, Values]:
        """The names of a module, found before, that hold something of interest. name: the only one asked for."""


def of_project(outside: Outside, module: str, name: str | None, level: int) -> Values:
    """What an import of another module of the project gives, or of a name of it."""
    path = outside.find(module, level)
    if name is not None:
        found = outside.exports(path, name).get(name) if path is not None else None
        if found is not None:
            return found
        if path is not None and not path.endswith("__init__.py"):
            return NOTHING_KNOWN  # a plain module has no modules in it
        path = outside.find(f"{module}.{name}" if module else name, level)
    matters = path is not None and bool(outside.exports(path))
    return frozenset({Module(path)}) if path is not None and matters else NOTHING_KNOWN


def all_of_project(outside: Outside, module: str, level: int) -> dict[str, Values]:
    """What another module of the project has under its names, as far as it matters."""
    path = outside.find(module, level)
    return outside.exports(path) if path is not None else {}


class Names:
    """Reads and binds names in the scopes of one module."""

    def __init__(self, index: Index, facts: Facts, module: Scope, outside: Outside | None = None) -> None:
        self.index = index
        self.facts = facts
        self.module = module
        self.outside = outside

    def look_up(self, scope: Scope, name: str) -> Values:
        """All that a name may hold here."""
        here: Scope | None = scope
        while here is not None and here.kind is not Kind.MODULE and not here.is_global(name):
            if here.kind is Kind.CLASS:
                # only the class body itself sees its names, and falls through to the globals
                if here is scope and here.bindings.is_local(name):
                    values = here.get(name)
                    return values - NOT_BOUND | self._global(name) if Special.UNBOUND in values else values
            elif here.bindings.is_local(name):
                return here.get(name) if here.running else self.facts.use((here.node, name)) | NOTHING_KNOWN
            here = here.parent
        return self._global(name)

    def of_module(self, name: str) -> Values:
        """What a name of the module itself may hold; one that functions assign counts as bound once they can run."""
        values = self.module.get(name)
        assigned = frozenset() if self.module.running else self.facts.use(("global", name))
        return values - NOT_BOUND | assigned | NOTHING_KNOWN if assigned else values

    def _global(self, name: str) -> Values:
        values = self.of_module(name)
        return values - NOT_BOUND | self._builtin(name) if Special.UNBOUND in values else values

    def _builtin(self, name: str) -> Values:
        if name in self.index.shows:
            return frozenset({Ref(f"{BUILTINS}.{name}")})
        return NOTHING_KNOWN

    def bind(self, scope: Scope, name: str, values: Values) -> None:
        """Give a name of this scope, or the scope that it declares the name to be of, these values."""
        if matter(values):
            self.facts.follow(name, self._leads_to(values), attribute=scope.kind is Kind.CLASS)
        if scope.is_global(name):
            self.facts.add(("global", name), values)
            if self.module.running:
                self.module.set(name, values)
        elif scope.is_nonlocal(name):
            outer = scope.parent
            while outer is not None and not (outer.kind is Kind.FUNCTION and outer.bindings.is_local(name)):
                outer = outer.parent
            if outer is not None:
                self.facts.add((outer.node, name), values)
        else:
            scope.set(name, values)
            if scope.kind is Kind.FUNCTION and values != NOTHING_KNOWN:
                self.facts.add((scope.node, name), values)

    def imported(self, module: str, name: str | None, level: int) -> Values:
        """What `import module`, or `from module import name`, gives."""
        if module.rpartition(".")[2] in _OURS:
            module, level = _OURS[0], 0
        dotted = ".".join(filter(None, (module, name)))
        if level and self.outside is not None and self.index.own:
            dotted = self.outside.absolute(dotted, level)
        own = self._leads_to_own(dotted)
        values = self.qualified(dotted) if own or not level else NOTHING_KNOWN
        # beside its own calls, a module of the project has what it imports
        if self.outside is None or dotted in self.index.own or (values != NOTHING_KNOWN and not own):
            return values
        found = of_project(self.outside, module, name, level)
        return found if values == NOTHING_KNOWN else values | found

    def defined(self, name: str) -> Values | None:
        """What a function of the module itself is, where it is one of the project's own calls."""
        if not self.index.own or self.outside is None:
            return None
        dotted = f"{self.outside.absolute('', 0)}.{name}"
        return self.qualified(dotted) if dotted in self.index.own else None

    def _leads_to_own(self, name: str) -> bool:
        """It is one of the project's own calls, or a module or class of one."""
        return any(f"{own}.".startswith(f"{name}.") for own in self.index.own)

    def exported(self, module: str, level: int) -> dict[str, Values]:
        """What `from module import *` gives of another module of the project."""
        return all_of_project(self.outside, module, level) if self.outside is not None else {}

    def qualified(self, name: str) -> Values:
        """The object of a dotted name, when it is one worth following."""
        return frozenset({Ref(name)}) if name in self.index.prompts or name in self.index.prefixes else NOTHING_KNOWN

    def attribute(self, values: Values, name: str) -> Values:
        """What `value.name` may be."""
        found: set[Value] = set()
        pending, seen = list(values), set(values)
        while pending:
            value = pending.pop()
            if isinstance(value, Ref | Instance):
                found |= self.qualified(f"{value.name}.{name}")
            elif isinstance(value, Module):
                found |= self.outside.exports(value.path).get(name, NOTHING_KNOWN) if self.outside else NOTHING_KNOWN
            elif isinstance(value, Special | Maker):
                found.add(Special.UNKNOWN)
            else:
                owner = value.type if isinstance(value, LocalInstance) else value
                own = owner.names.get(name, frozenset()) | self.facts.use((owner, name))
                found |= own
                # a class that does not define it has it from its bases
                pending += () if own else owner.bases - seen
                seen |= owner.bases
        return frozenset(found) or NOTHING_KNOWN

    def _leads_to(self, values: Values) -> set[str]:
        """The attributes of these values that matter, but for those that are followed under their own names."""
        found: set[str] = set()
        pending, seen = list(values), set(values)
        while pending:
            value = pending.pop()
            if isinstance(value, Ref | Instance):
                found |= self.index.members.get(value.name, set())
            elif isinstance(value, Module):
                found |= self.outside.exports(value.path).keys() if self.outside else set()
            elif isinstance(value, LocalClass | LocalInstance):
                bases = (value.type if isinstance(value, LocalInstance) else value).bases
                pending += bases - seen
                seen |= bases
        return found

    def set_attribute(self, values: Values, name: str, to: Values) -> None:
        """`value.name = …`: known from then on in all methods of the class."""
        for value in values:
            if isinstance(value, LocalInstance | LocalClass):
                self.have(value.type if isinstance(value, LocalInstance) else value, name, to)

    def have(self, owner: LocalClass, name: str, values: Values) -> None:
        """The objects of a class have an attribute of these values."""
        self.facts.add((owner, name), values)
        if matter(values):
            self.facts.follow(name, self._leads_to(values), attribute=True)
            self.heed(owner)

    def heed(self, owner: LocalClass) -> None:
        """A class turned out to matter."""
        owner.matters = True
        inherited = self._leads_to(frozenset({owner}))
        self.facts.follow(owner.name, inherited, attribute=False)
        if matter(owner.bases):
            # what it defines itself it has from no base, but for what it asks its bases for
            for name in (*inherited, "super"):
                self.facts.follow(name, (), attribute=False)

    def called(self, values: Values) -> Values:
        """What calling it gives: an object of the class, as far as it is a class that matters."""
        found: set[Value] = set()
        for value in values:
            if isinstance(value, Ref) and value.name in self.index.owners:
                found.add(Instance(value.name))
            elif isinstance(value, LocalClass):
                found.add(LocalInstance(value))
            elif isinstance(value, Maker):
                found |= value.returns
            else:
                found.add(Special.UNKNOWN)
        return frozenset(found)

    def aliased(self, values: Values) -> Values:
        """The values as an assignment hands them on: the reference is reported where it is made."""
        return frozenset(
            Ref(value.name, alias=True) if isinstance(value, Ref) and self._is_reported(value.name) else value
            for value in values
        )

    def _is_reported(self, name: str) -> bool:
        prompt = self.index.prompts.get(name)
        return prompt is not None and not prompt.declares
