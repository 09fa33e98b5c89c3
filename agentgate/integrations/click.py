"""agentgate's options for a program built on click.

from agentgate.integrations.click import install

cli = install(cli)      # then cli() as before
"""

from __future__ import annotations

from typing import Any, TypeVar

import click

from ..runtime import entry
from . import commands, common

__all__ = ["install", "run"]

C = TypeVar("C", bound=click.Command)


def install(command: C) -> C:
    """Add the options to the help of a command and all its subcommands, and let its call take them.

    An agent gets a usage error as an envelope too. With `--json` the result is one document: what the
    command returned, if that is a dict or a list, else what it printed. Called with arguments of its own
    (a test's CliRunner), the command is as it was.
    """
    installed: C = commands.install(command, _option, (click.ClickException, click.UsageError))
    return installed


def run(command: click.Command) -> Any:
    """Install the options and call the command."""
    return install(command)()


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
    if value and value is not True:
        for one in value if isinstance(value, tuple) else (value,):
            entry.use_option(parameter.opts[0], one)
