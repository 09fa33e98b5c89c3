"""agentgate's options and surfaces for a program built on click.

from agentgate.integrations.click import install

cli = install(cli)      # then cli() as before
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, TypeVar

import click

from ..runtime import entry
from . import commands, common

__all__ = ["install", "run"]

C = TypeVar("C", bound=click.Command)


def install(command: C, *, without: Collection[str] = ()) -> C:
    """Add the options to the help of a command and all its subcommands, and let its call take them.

    without: the surfaces to leave out, by their names in `common.SURFACES`. Raises ValueError for an unknown
    one. An agent gets one document: what the command returned, if that is a dict or a list, else what it printed;
    a usage error is one too. Called with arguments of its own (a test's CliRunner), the command is as it was.
    """
    errors = (click.ClickException, click.UsageError)
    installed: C = commands.install(command, _option, errors, without=without)
    return installed


def run(command: click.Command, *, without: Collection[str] = ()) -> Any:
    """Install the options and call the command."""
    return install(command, without=without)()


def _option(option: common.Option) -> click.Parameter:
    return click.Option(
        [option.flag],
        metavar=option.metavar,
        multiple=option.repeat,
        is_flag=option.metavar is None,
        expose_value=False,
        help=option.help,
        callback=_use,
    )


def _use(_context: click.Context, parameter: click.Parameter, value: Any) -> None:
    if value and parameter.opts[0] in entry.OPTIONS:
        for one in value if isinstance(value, tuple) else (value,):
            entry.use_option(parameter.opts[0], one)
