"""agentgate's options and surfaces for a program built on typer.

from agentgate.integrations.typer import run

run(app)                # instead of app()
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import typer
import typer.main

from ..runtime import commandline
from . import commands, common

__all__ = ["run"]


def run(app: typer.Typer, *, without: Collection[str] = ()) -> Any:
    """Call the app with agentgate's options in the help of all its commands.

    without: the surfaces to leave out, by their names in `common.SURFACES`. Raises ValueError for an unknown
    one. An agent gets one document: what the command returned, if that is a dict or a list, else what it printed;
    a usage error is one too.
    """
    build = typer.main.get_command

    def with_options(instance: typer.Typer) -> Any:
        command = build(instance)
        if instance is not app:
            return command
        name = app.info.name if isinstance(app.info.name, str) else commandline.program_name()
        return commands.install(command, _option, _errors(command), name=name, without=without)

    # the app builds its command anew when it is called, and has no other hook
    typer.main.get_command = with_options  # type: ignore[assignment]  # same signature, under another name
    try:
        return app()
    finally:
        typer.main.get_command = build


def _option(option: common.Option) -> Any:
    """The option as typer builds it, by way of a command that has it."""
    probe = typer.Typer(add_completion=False)
    declared = typer.Option(None, option.flag, metavar=option.metavar, help=option.help)
    if option.metavar is None:

        @probe.command()
        def flag(value: bool = typer.Option(False, option.flag, help=option.help)) -> None: ...
    elif option.repeat:

        @probe.command()
        def several(value: list[str] = declared) -> None: ...
    else:

        @probe.command()
        def single(value: str = declared) -> None: ...

    made = next(one for one in typer.main.get_command(probe).params if option.flag in one.opts)
    made.expose_value = False
    return made


def _errors(command: Any) -> tuple[type[BaseException], type[BaseException]]:
    """The exceptions of the click that this typer was built on (its own copy, in newer releases)."""
    import importlib

    base = next(one for one in type(command).__mro__ if one.__module__.endswith("click.core"))
    errors = importlib.import_module(base.__module__.removesuffix(".core") + ".exceptions")
    return errors.ClickException, errors.UsageError
