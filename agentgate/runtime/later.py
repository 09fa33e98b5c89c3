"""`gate.later(prompt)`: a prompt that is stored or passed on, and gated anew at each call.

It stands for the prompt wherever a program only holds it: named, shown, compared, copied, pickled and bound to an
object as the prompt itself is.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Later", "later"]

_NAMES = ("__module__", "__name__", "__qualname__", "__doc__")


class Later:
    """A prompt with the hints of its gate."""

    def __init__(self, prompt: Any, hints: dict[str, Any]) -> None:
        self.__wrapped__ = prompt
        self._hints = hints
        vars(self).update((name, getattr(prompt, name)) for name in _NAMES if hasattr(prompt, name))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        from .gate import gate

        return gate(self.__wrapped__, **self._hints)(*args, **kwargs)

    def __repr__(self) -> str:
        return repr(self.__wrapped__)

    def __eq__(self, other: object) -> bool:
        return bool(self.__wrapped__ == (other.__wrapped__ if isinstance(other, Later) else other))

    def __hash__(self) -> int:
        return hash(self.__wrapped__)

    def __reduce__(self) -> tuple[Any, ...]:
        return later, (self.__wrapped__, self._hints)


class _OfFunction(Later):
    """A function takes the instance of its class first; a builtin and a bound method do not."""

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        return self if instance is None else _Method(self, instance)


# without an import, which a file beside the program could answer
_Method: Any = type(_OfFunction.__get__.__get__(object()))


def later(prompt: Any, hints: dict[str, Any]) -> Later:
    """The stand-in for a prompt."""
    return (_OfFunction if type(prompt) is type(later) else Later)(prompt, hints)
