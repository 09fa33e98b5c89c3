"""The parsers under an argparse parser."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from .said import said, text

__all__ = ["subcommands", "subparsers", "tree"]


def tree(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """A parser and all its subparsers."""
    found: dict[argparse.ArgumentParser, None] = {}
    waiting = [parser]
    while waiting:
        one = waiting.pop(0)
        if one not in found:
            found[one] = None
            waiting += [under for _, under in subparsers(subcommands(one))]
    yield from found


def subcommands(parser: argparse.ArgumentParser) -> argparse._SubParsersAction[Any] | None:
    """The action that takes a subcommand, None when there are none."""
    return next((one for one in parser._actions if isinstance(one, argparse._SubParsersAction)), None)


def subparsers(action: argparse._SubParsersAction[Any] | None) -> list[tuple[str, argparse.ArgumentParser]]:
    """The subparsers by name; also out of a mapping that makes them when they are asked for, and may fail to."""
    if action is None:
        return []
    names: list[Any] = said(lambda: list(action.choices), [])
    made = [(text(name), said(lambda name=name: action.choices[name], None)) for name in names]  # type: ignore[misc]
    return [(name, parser) for name, parser in made if isinstance(parser, argparse.ArgumentParser)]
