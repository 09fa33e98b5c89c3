"""One scope while it is interpreted: the values of its names at this point of the flow.

A name that is not in a state is unbound where an outer name is seen then, and one that may matter: any name of
a class, and a module's that a builtin prompt has. Elsewhere it is unknown: in a function an unbound local is an
error, never an outer name. So a state holds only what matters, and is cheap to copy and to join.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from agentgate.lint.scopes import Bindings, ScopeNode, Scopes
from agentgate.lint.values import NOT_BOUND, NOTHING_KNOWN, Special, Values, union

__all__ = ["Kind", "Scope", "State"]

State = dict[str, Values]


class Kind(Enum):
    """What opened a scope."""

    MODULE = "module"
    CLASS = "class"
    FUNCTION = "function"
    COMPREHENSION = "comprehension"


class Scope:
    """The names of a module, class, function or comprehension.

    shows: the names under which an outer name is seen when they are unbound; None for all.
    state: the values now. live: this point can be reached.
    running: the scope's own code is being interpreted, so `state` is what its inner scopes see.
    caught: for each `try` around this point, all that was bound since it began.
    """

    def __init__(
        self,
        kind: Kind,
        node: ScopeNode,
        scopes: Scopes,
        parent: Scope | None,
        shows: frozenset[str] | None = frozenset(),
    ) -> None:
        self.kind = kind
        self.node = node
        self._scopes = scopes
        self.parent = parent
        self.state: State = {}
        self.live = True
        self.running = True
        self.caught: list[State] = []
        self.breaks: list[list[State]] = []
        self.continues: list[list[State]] = []
        self.shows = shows

    @property
    def bindings(self) -> Bindings:
        """The names that it binds."""
        return self._scopes[self.node]

    def is_global(self, name: str) -> bool:
        """It declares the name to be the module's."""
        return self._scopes.declares and self.kind is not Kind.MODULE and name in self.bindings.globals

    def is_nonlocal(self, name: str) -> bool:
        """It declares the name to be that of a function around it."""
        return self._scopes.declares and self.kind is not Kind.MODULE and name in self.bindings.nonlocals

    def absent(self, name: str) -> Values:
        """The values of a name that is not in a state."""
        return NOT_BOUND if self.shows is None or name in self.shows else NOTHING_KNOWN

    def get(self, name: str) -> Values:
        """The values of a name of this scope now."""
        found = self.state.get(name)
        return self.absent(name) if found is None else found

    def set(self, name: str, values: Values) -> None:
        """Bind a name here and now."""
        if values == self.absent(name):
            self.state.pop(name, None)
        else:
            self.state[name] = values
        for caught in self.caught:
            caught[name] = union((caught.get(name, frozenset()), values))

    def delete(self, name: str) -> None:
        """Unbind a name."""
        self.set(name, self.absent(name))

    def fork(self) -> State | None:
        """A copy of the state for another way to go; None when this point cannot be reached."""
        return dict(self.state) if self.live else None

    def resume(self, ways: Iterable[State | None]) -> None:
        """Go on where these ways meet. With none left the rest cannot be reached, and is read all the same."""
        reached = [way for way in ways if way is not None]
        self.live = bool(reached)
        if not reached:
            return
        first, *others = reached
        self.state = dict(first)
        for other in others:
            for name in self.state.keys() | other.keys():
                here, there = self.state.get(name), other.get(name)
                if here != there:
                    absent = self.absent(name)
                    self.state[name] = (here or absent) | (there or absent)

    def with_caught(self, before: State, caught: State) -> State:
        """The state in which a handler starts: anything between the start of its `try` and the end."""
        state = dict(before)
        for name, values in caught.items():
            state[name] = state.get(name, self.absent(name)) | values
        return state

    def adds(self, state: State, head: State) -> bool:
        """A loop's end brings something to its head that was not there and can matter."""
        for name, values in state.items():
            new = values - head.get(name, self.absent(name)) - NOTHING_KNOWN
            if new:
                return True
        return any(
            name not in state and self.absent(name) == NOT_BOUND and Special.UNBOUND not in values
            for name, values in head.items()
        )
