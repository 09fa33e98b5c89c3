"""A tree of commands out of what click builds, whoever vendors it (typer does)."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator
from typing import Any

from ..surfaces.effects import declared
from ..surfaces.explain import Origin
from ..surfaces.tree import Command, Parameter, examples_in
from .value_types import value_type

__all__ = ["commands_of", "context", "origins", "read"]
_COMPLETION = ("install_completion", "show_completion")  # typer's own, in every app


def read(command: Any, name: str | None = None) -> Command:
    """The tree of a command. name: what the program is called (the command's name, if left out)."""
    return _command(command, context(command, name or command.name or "main", None), ())


def context(command: Any, name: str, parent: Any) -> Any:
    """A context to ask a command about itself, in which nothing is parsed and nothing runs."""
    settings = {key: value for key, value in command.context_settings.items() if key != "obj"}
    return command.context_class(command, parent=parent, info_name=name, resilient_parsing=True, **settings)


def commands_of(group: Any, within: Any) -> Iterator[tuple[str, Any]]:
    """The commands of a group by name, also where it loads them only when they are asked for."""
    for name in group.list_commands(within) if hasattr(group, "list_commands") else ():
        found = group.get_command(within, name)
        if found is not None:
            yield name, found


def _command(command: Any, within: Any, path: tuple[str, ...], **place: Any) -> Command:
    help_text = inspect.cleandoc(command.help or "").partition("\f")[0]
    under = list(commands_of(command, within))
    return Command(
        name=path[-1] if path else within.info_name,
        path=path,
        summary=command.get_short_help_str(limit=200),
        description=_plain(help_text),
        usage=_usage(command, within),
        group=str(getattr(command, "rich_help_panel", None) or ""),
        parameters=tuple(_parameter(one, within) for one in command.get_params(within)),
        commands=tuple(
            _command(one, context(one, name, within), (*path, name), hidden=bool(one.hidden)) for name, one in under
        ),
        needs_command=bool(under) and not command.invoke_without_command,
        effects=declared(command.callback),
        examples=tuple(one for text in (help_text, command.epilog or "") for one in examples_in(text)),
        handler=command.callback,
        rendered=_rendered(command, within),
        **place,
    )


def _rendered(command: Any, within: Any) -> Callable[[], str]:
    """The help as the framework shows it; one that draws it at once on the terminal is asked to format it only."""

    def rendered() -> str:
        import importlib

        base = next(one for one in type(command).__mro__ if one.__module__.endswith("click.core"))
        formatter = within.make_formatter()
        importlib.import_module(base.__module__).Command.format_help(command, within, formatter)
        return str(formatter.getvalue()).rstrip("\n")

    return rendered


def _usage(command: Any, within: Any) -> str:
    return " ".join([within.command_path, *command.collect_usage_pieces(within)])


def _parameter(param: Any, within: Any) -> Parameter:
    is_option = param.param_type_name == "option"
    is_flag = bool(getattr(param, "is_flag", False))
    count = bool(getattr(param, "count", False))
    takes_value = not is_option or not (is_flag or count)
    value = value_type(param)
    return Parameter(
        name=param.name or "",
        flags=tuple(param.opts) if is_option else (),
        off=tuple(param.secondary_opts),
        type=value.type if takes_value else "integer" if count else "boolean",
        takes_value=takes_value,
        repeat=bool(getattr(param, "multiple", False)) or param.nargs != 1,
        together=is_option and param.nargs != 1,
        count=count,
        required=bool(param.required) and not getattr(param, "prompt", None),
        choices=value.choices,
        minimum=value.minimum,
        maximum=value.maximum,
        is_path=value.is_path,
        default=_default(param, within),
        env=_variables(param, within),
        secret=bool(getattr(param, "hide_input", False)),
        hidden=bool(getattr(param, "hidden", False)),
        metavar=param.metavar,
        help=_plain(inspect.cleandoc(getattr(param, "help", None) or "")),
        prompt=getattr(param, "prompt", None) or None,
        confirm=is_flag and bool(getattr(param, "prompt", None)),
        about_program=not param.expose_value and (param.is_eager or param.name in _COMPLETION),
        ours=getattr(param, "is_agentgates", False),
    )


def _default(param: Any, within: Any) -> Any:
    """A default that is written down; one that a function works out is told by nobody."""
    default = param.get_default(within, call=False)
    if callable(default) or type(default).__name__ == "Sentinel" or getattr(param, "hide_input", False):
        return None
    return getattr(default, "value", default)  # an enum's member, as typer declares them


def _variables(param: Any, within: Any) -> tuple[str, ...]:
    found = param.envvar
    if found is None and getattr(param, "allow_from_autoenv", False) and within.auto_envvar_prefix and param.name:
        found = f"{within.auto_envvar_prefix}_{param.name.upper()}"
    return tuple([found] if isinstance(found, str) else found or ())


def _plain(text: str) -> str:
    """A help text without click's marks for the end of wrapping."""
    return "\n".join(line for line in text.splitlines() if line.strip() != "\b").strip()


def origins(command: Any, name: str, arguments: list[str]) -> dict[str, Origin]:
    """Where each value of a command line comes from. Nothing is prompted for and no callback runs."""
    seen: dict[str, Origin] = {}
    within, words = None, list(arguments)
    while command is not None:
        try:
            within = command.make_context(name, words, parent=within, resilient_parsing=True)
        except Exception:  # a command line that is wrong: what it says so far is all there is to tell
            break
        for param in command.params:
            if param.expose_value and not getattr(param, "is_agentgates", False):
                seen[param.name] = _origin(param, within)
        words = [*getattr(within, "_protected_args", getattr(within, "protected_args", ())), *within.args]
        command = command.get_command(within, words[0]) if words and hasattr(command, "get_command") else None
        name, words = (words[0], words[1:]) if words else ("", [])
    return seen


def _origin(param: Any, within: Any) -> Origin:
    value = within.params.get(param.name)
    value = None if type(value).__name__ == "Sentinel" else getattr(value, "value", value)
    flag = max(param.opts, key=len)
    source = within.get_parameter_source(param.name)
    kind = getattr(source, "name", "DEFAULT")
    if kind == "ENVIRONMENT":
        variables = _variables(param, within)
        return Origin(value, "environment", next((one for one in variables if one in os.environ), variables[0]))
    if kind == "DEFAULT_MAP":
        return Origin(value, "config", "default_map")
    return Origin(value, "flag" if kind == "COMMANDLINE" else "default", flag)
