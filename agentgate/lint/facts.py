"""What is learned in one place and needed in another that may be read first.

Attributes set on `self`, globals assigned in functions, names of enclosing functions, states at the end of a
loop, and which names are worth following. Facts only grow; when one grows after it was used, the file is
interpreted once more.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable

from agentgate.lint.interest import Interest
from agentgate.lint.scope import State
from agentgate.lint.values import Values

__all__ = ["Facts"]


class Facts:
    """Values by key, kept from one pass over a file to the next. interest: the lines that are interpreted."""

    def __init__(self, interest: Interest) -> None:
        self.interest = interest
        self._values: dict[Hashable, Values] = {}
        self._used: set[Hashable] = set()
        self._loops: dict[Hashable, State] = {}
        self.stale = False

    def use(self, key: Hashable) -> Values:
        """All that is known so far; empty when nothing is."""
        self._used.add(key)
        return self._values.get(key, frozenset())

    def add(self, key: Hashable, values: Values) -> None:
        """Learn that these are possible too."""
        known = self._values.get(key, frozenset())
        if not values <= known:
            self._values[key] = known | values
            self.stale = self.stale or key in self._used

    def follow(self, name: str, leads_to: Collection[str], *, attribute: bool) -> None:
        """This name is worth following wherever it stands (`Interest.add`)."""
        self.stale = self.interest.add(name, leads_to, attribute=attribute) or self.stale

    def loop(self, key: Hashable) -> State | None:
        """The state that the end of a loop brought back to its head."""
        return self._loops.get(key)

    def close_loop(self, key: Hashable, state: State) -> None:
        """Remember such a state for the next pass."""
        if self._loops.get(key) != state:
            self._loops[key] = state
            self.stale = True
