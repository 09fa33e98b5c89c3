"""What a project says of its own code, beside the catalog: the calls that wait for a person, or change the world."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from agentgate.catalog import Prompt
    from agentgate.lint.known import Effect

__all__ = ["NOTHING", "Own"]


class Own(NamedTuple):
    """A project's own prompts and effects, each as in the catalog's files."""

    prompts: tuple[Prompt, ...] = ()
    effects: tuple[Effect, ...] = ()

    def names(self) -> Iterator[str]:
        """The qualified names of all of these calls."""
        for prompt in self.prompts:
            yield from (prompt.call, *prompt.also)
        for effect in self.effects:
            yield from effect.calls


NOTHING = Own()
