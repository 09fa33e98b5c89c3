"""A program's version: what its distribution was installed as, else what its package says of itself."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

__all__ = ["version_of"]


def version_of(handler: Callable[..., Any] | None) -> str | None:
    """The version of the program that a function belongs to, None when nothing tells it."""
    package = (getattr(handler, "__module__", None) or "").partition(".")[0]
    if not package:
        return None
    if package == "__main__":
        return _text(getattr(sys.modules["__main__"], "__version__", None))
    from importlib import metadata

    distributions = metadata.packages_distributions().get(package, [])
    if len(set(distributions)) == 1:
        return metadata.version(distributions[0])
    return _text(getattr(sys.modules.get(package), "__version__", None))


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
