"""`agentgate.run`: the way into a program, whatever its parser."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, TypeVar, overload

from ..runtime import entry, state

if TYPE_CHECKING:
    import argparse

    import click
    import typer

    T = TypeVar("T")

__all__ = ["run"]


@overload
def run(
    main: Callable[[], T],
    parser: argparse.ArgumentParser | None = None,
    *,
    program: str | None = None,
    leave: Collection[str] = (),
    without: Collection[str] = (),
    exit_code: int | None = None,
) -> T: ...
@overload
def run(main: click.Command | typer.Typer, *, without: Collection[str] = (), exit_code: int | None = None) -> Any: ...


def run(
    main: Any,
    parser: argparse.ArgumentParser | None = None,
    *,
    program: str | None = None,
    leave: Collection[str] = (),
    without: Collection[str] = (),
    exit_code: int | None = None,
) -> Any:
    """Run a program with agentgate's options, and return what it returns.

    main: a click command, a typer app, or a function that is called without arguments. parser: the argparse
    parser that this function uses. With a command, an app or a parser the program gets every surface (`--json`,
    `--schema`, …) but those named in `without`. With a bare function its output stays as it is, and agentgate's
    own options are taken out of its command line; program is its name then, and leave the options that it
    declares itself. exit_code: that of a stop, for a program in which 3 means something else.

    On an agent's run an exception that nobody catches ends with a `failed` envelope (exit code 1), and an
    interrupt with code 130. Raises SystemExit (exit code 2) when an option has no proper value.
    """
    state.exit_code = exit_code or state.exit_code
    if parser is not None:
        from .argparse import run as run_argparse

        return run_argparse(main, parser, without=without)
    # an app is of a library that has been imported, or it is none
    if "typer" in sys.modules and isinstance(main, sys.modules["typer"].Typer):
        from .typer import run as run_typer

        return run_typer(main, without=without)
    if "click" in sys.modules and isinstance(main, sys.modules["click"].Command):
        from .click import run as run_click

        return run_click(main, without=without)
    return entry.run(main, program=program, leave=leave)
