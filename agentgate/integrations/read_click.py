"""A tree of commands out of what click builds, whoever vendors it (typer does)."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from typing import Any

from ..surfaces.effects import declared
from ..surfaces.explain import Origin
from ..surfaces.tree import Command, Parameter, examples_in
from .commands import passes_on
from .said import said, text
from .value_types import value_type

__all__ = ["commands_of", "context", "origins", "read"]
_COMPLETION = ("install_completion", "show_completion")  # typer's own, in every app


def read(command: Any, name: str | None = None) -> Command:
    """The tree of a command. name: what the program is called (the command's name, if left out)."""
    return _command(command, context(command, name or text(command.name) or "main", None), ())


def context(command: Any, name: str, parent: Any) -> Any:
    """A context to ask a command about itself, in which nothing is parsed and nothing runs."""
    about: dict[str, Any] = {"parent": parent, "info_name": name, "resilient_parsing": True}
    settings = {key: value for key, value in (command.context_settings or {}).items() if key != "obj"}
    made = said(lambda: command.context_class(command, **{**settings, **about}), None)
    return made if made is not None else command.context_class(command, **about)


def commands_of(group: Any, within: Any) -> Iterator[tuple[str, Any]]:
    """The commands of a group by name, also where it loads them only when they are asked for.

    None stands for a command that cannot be loaded.
    """
    names: list[Any] = said(lambda: list(group.list_commands(within)), [])
    for name in names:
        failed = object()
        found = said(lambda name=name: group.get_command(within, name), failed)  # type: ignore[misc]
        if found is not None:
            yield text(name), found if found is not failed and _is_command(found) else None


def _is_command(found: Any) -> bool:
    return all(hasattr(found, name) for name in ("get_params", "context_class", "make_context"))


def _command(command: Any, within: Any, path: tuple[str, ...], **place: Any) -> Command:
    help_text = inspect.cleandoc(text(command.help)).partition("\f")[0]
    under = tuple(_under(command, within, path))
    return Command(
        name=path[-1] if path else within.info_name,
        path=path,
        summary=said(lambda: text(command.get_short_help_str(limit=200)), next(iter(help_text.splitlines()), "")),
        description=_plain(help_text),
        usage=_usage(command, within),
        group=text(getattr(command, "rich_help_panel", None) or None),
        parameters=tuple(_parameter(one, within) for one in _params(command, within)),
        commands=under,
        needs_command=bool(under) and not getattr(command, "invoke_without_command", False),
        passes_on=passes_on(command),
        effects=declared(_callback(command)),
        examples=tuple(one for part in (help_text, text(command.epilog)) for one in examples_in(part)),
        handler=_callback(command),
        rendered=_rendered(command, within),
        **place,
    )


def _under(group: Any, within: Any, path: tuple[str, ...]) -> Iterator[Command]:
    above = list(_parents(within))
    for name, one in commands_of(group, within):
        if one is None:
            yield Command(name=name, path=(*path, name), summary="(This command cannot be loaded.)")
        elif not any(one is parent for parent in above):  # a group may have itself under it
            yield _command(one, context(one, name, within), (*path, name), hidden=bool(one.hidden))


def _parents(within: Any) -> Iterator[Any]:
    while within is not None:
        yield within.command
        within = within.parent


def _params(command: Any, within: Any) -> list[Any]:
    return said(lambda: list(command.get_params(within)), list(command.params))


def _callback(command: Any) -> Callable[..., Any] | None:
    return getattr(command, "callback", None)


def _rendered(command: Any, within: Any) -> Callable[[], str]:
    """The help as the framework shows it; one that draws it at once on the terminal is asked to format it only."""

    def rendered() -> str:
        import importlib

        base = next(one for one in type(command).__mro__ if one.__module__.endswith("click.core"))
        formatter = within.make_formatter()
        importlib.import_module(base.__module__).Command.format_help(command, within, formatter)
        return str(formatter.getvalue()).rstrip("\n")

    return lambda: said(rendered, "")


def _usage(command: Any, within: Any) -> str:
    path = said(lambda: text(within.command_path), text(within.info_name))
    return " ".join([path, *said(lambda: map(text, command.collect_usage_pieces(within)), ())])


def _parameter(param: Any, within: Any) -> Parameter:
    is_option = param.param_type_name == "option"
    is_flag = bool(getattr(param, "is_flag", False))
    count = bool(getattr(param, "count", False))
    takes_value = not is_option or not (is_flag or count)
    question = text(getattr(param, "prompt", None) or None)
    value = value_type(param)
    return Parameter(
        name=text(param.name),
        flags=tuple(param.opts) if is_option else (),
        off=tuple(param.secondary_opts),
        type=value.type if takes_value else "integer" if count else "boolean",
        takes_value=takes_value,
        repeat=bool(getattr(param, "multiple", False)) or param.nargs != 1,
        together=is_option and param.nargs != 1,
        count=count,
        required=bool(param.required) and not question,
        choices=value.choices if takes_value else (),
        minimum=value.minimum if takes_value else None,
        maximum=value.maximum if takes_value else None,
        is_path=value.is_path,
        default=_default(param, within) if takes_value or count or param.secondary_opts else None,
        env=_variables(param, within),
        secret=bool(getattr(param, "hide_input", False)),
        hidden=bool(getattr(param, "hidden", False)),
        metavar=param.metavar if isinstance(param.metavar, str) else None,
        help=_plain(inspect.cleandoc(text(getattr(param, "help", None)))),
        prompt=question or None,
        confirm=is_flag and bool(question),
        about_program=not param.expose_value and (param.is_eager or param.name in _COMPLETION),
        ours=getattr(param, "is_agentgates", False),
    )


def _default(param: Any, within: Any) -> Any:
    """A default that is written down; one that a function works out is told by nobody."""
    default = said(lambda: param.get_default(within, call=False), None)
    if callable(default) or getattr(param, "hide_input", False):
        return None
    return _told(default)


def _told(value: Any) -> Any:
    """A value without click's mark for none, and an enum's member as typer declares them."""
    if type(value).__name__ == "Sentinel":
        return None
    if isinstance(value, (list, tuple)):
        return [_told(one) for one in value]
    return value.value if isinstance(value, Enum) else value


def _variables(param: Any, within: Any) -> tuple[str, ...]:
    found = param.envvar
    if found is None and getattr(param, "allow_from_autoenv", False) and within.auto_envvar_prefix and param.name:
        found = f"{within.auto_envvar_prefix}_{param.name.upper()}"
    return tuple([found] if isinstance(found, str) else map(text, found or ()))


def _plain(text: str) -> str:
    """A help text without click's marks for the end of wrapping."""
    return "\n".join(line for line in text.splitlines() if line.strip() != "\b").strip()


def origins(command: Any, name: str, arguments: list[str]) -> dict[str, Origin]:
    """Where each value of a command line comes from. Nothing is prompted for and no callback runs."""
    seen: dict[str, Origin] = {}
    within, words = None, list(arguments)
    while command is not None and _is_command(command):
        with _without_callbacks(command.params):
            made = said(lambda: command.make_context(name, words, parent=within, resilient_parsing=True), None)  # noqa: B023
        if made is None:  # a command line that is wrong: what it says so far is all there is to tell
            break
        within = made
        for param in command.params:
            if param.expose_value and not getattr(param, "is_agentgates", False):
                seen[text(param.name)] = _origin(param, within)
        kept = "_protected_args" if hasattr(within, "_protected_args") else "protected_args"  # as older click calls it
        words = [*getattr(within, kept, ()), *within.args]
        command = dict(commands_of(command, within)).get(words[0]) if words else None
        name, words = (words[0], words[1:]) if words else ("", [])
    return seen


@contextmanager
def _without_callbacks(params: list[Any]) -> Iterator[None]:
    callbacks = [param.callback for param in params]
    for param in params:
        param.callback = None
    try:
        yield
    finally:
        for param, callback in zip(params, callbacks, strict=True):
            param.callback = callback


def _origin(param: Any, within: Any) -> Origin:
    value = _told(within.params.get(param.name))
    location = max(param.opts, key=len, default=text(param.name))
    kind = said(lambda: within.get_parameter_source(param.name).name, "DEFAULT")
    if kind == "ENVIRONMENT":
        variables = _variables(param, within)
        used = next((one for one in variables if one in os.environ), next(iter(variables), location))
        return Origin(value, "environment", used)
    if kind == "DEFAULT_MAP":
        return Origin(value, "config", "default_map")
    return Origin(value, "flag" if kind == "COMMANDLINE" else "default", location)
