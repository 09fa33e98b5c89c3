"""Options and results for a tree of commands as click builds it, whoever vendors it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from ..runtime import commandline
from ..surfaces.flags import FLAGS
from . import common

if TYPE_CHECKING:
    from ..surfaces.explain import Origin
    from ..surfaces.tree import Command

__all__ = ["install", "passes_on"]


def install(
    command: Any,
    make: Callable[[common.Option], Any],
    errors: tuple[type[BaseException], type[BaseException]],
    *,
    name: str | None = None,
    without: Collection[str] = (),
) -> Any:
    """Add the options to every command of a tree, and let the top command's call take them.

    make: builds the framework's own option object. errors: its exceptions for a failure and for a
    usage error. name: what the program is called. without: the surfaces to leave out.
    """
    left_out = common.left_out(without)
    tree = list(dict.fromkeys(_tree(command)))
    for one in tree:  # it may be installed already
        one.params[:] = [parameter for parameter in one.params if not getattr(parameter, "is_agentgates", False)]
    ours = {*FLAGS, *(option.flag for option in common.OPTIONS)}
    declared = {flag for one in tree for parameter in one.params for flag in parameter.opts if flag in ours}
    for one in tree:
        if passes_on(one):
            continue
        for option in common.OPTIONS:
            if option.flag in declared or option.flag in left_out or (option.of_program and one is not command):
                continue
            made = make(option)
            made.is_agentgates = True
            # click keeps values by this name, and looks for it in the environment and the default_map
            made.name = f"agentgate_{option.flag.strip('-').replace('-', '_')}"
            made.allow_from_autoenv = False
            one.params.append(made)
    _take_options(command, declared | left_out, errors, name)
    return command


def passes_on(command: Any) -> bool:
    """Whether options that the command does not know go to another program."""
    set_to = {"ignore_unknown_options": command.ignore_unknown_options, **command.context_settings}
    interspersed = set_to.get("allow_interspersed_args", command.allow_interspersed_args)
    return bool(set_to["ignore_unknown_options"] or not interspersed) and not hasattr(command, "list_commands")


def _tree(command: Any) -> Any:
    yield command
    for one in getattr(command, "commands", {}).values():
        yield from _tree(one)


def _take_options(
    command: Any, declared: set[str], errors: tuple[type[BaseException], type[BaseException]], name: str | None
) -> None:
    plain = getattr(command.main, "agentgates_plain", command.main)
    failure, usage = errors

    def main(args: Any = None, prog_name: str | None = None, *rest: Any, **extra: Any) -> Any:
        if args is not None or rest or extra.get("standalone_mode") is False:
            return plain(args, prog_name, *rest, **extra)
        called = prog_name or name or _typed_name() or command.name
        seen = _Seen(command)

        def call(as_document: bool) -> Any:
            with seen:
                try:
                    return plain(prog_name=prog_name, **extra)
                except SystemExit as error:
                    if not as_document or error.code not in (None, 0):
                        raise
            return seen.value

        def ended(_: SystemExit) -> common.Ended | None:
            if type(seen.error).__name__ == "Abort":  # the framework's own, whoever vendors it
                return common.Ended("aborted", "The command was aborted.")
            if not isinstance(seen.error, failure):
                return None
            code = "usage" if isinstance(seen.error, usage) else "failed"
            return common.Ended(code, _sentence(seen.error))

        def read() -> Command:
            from .read_click import read

            return read(command, called)

        def origins(arguments: list[str]) -> dict[str, Origin]:
            from .read_click import origins

            return origins(command, called or "", arguments)

        return common.run(common.Host(called, call, read, ended, origins, declared))

    main.agentgates_plain = plain  # type: ignore[attr-defined]
    command.main = main


def _typed_name() -> str | None:
    """What a person types to start the program; a file of Python is called anything, and by its path."""
    name = commandline.program_name()
    return None if name == "-c" or commandline.start()[-1].endswith(".py") else name


def _sentence(error: Any) -> str:
    """What an error of the framework says; one that is nothing but the whole help is put in two words."""
    if type(error).__name__ == "NoArgsIsHelpError":
        return "Missing command." if getattr(error.ctx.command, "commands", None) else "Missing arguments."
    return str(error.format_message())


class _Seen:
    """What a command returned or raised while the framework ran it, which tells neither to its caller."""

    def __init__(self, command: Any) -> None:
        self._command = command
        self.value: Any = None
        self.error: BaseException | None = None
        self._telling = ExitStack()

    def __enter__(self) -> None:
        for method in ("make_context", "invoke"):
            setattr(self._command, method, self._watched(getattr(self._command, method), keep=method == "invoke"))

    def __exit__(self, *_: object) -> None:
        self._telling.close()
        del self._command.make_context, self._command.invoke

    def _watched(self, plain: Callable[..., Any], *, keep: bool) -> Callable[..., Any]:
        def watched(*args: Any, **kwargs: Any) -> Any:
            try:
                value = plain(*args, **kwargs)
            except BaseException as error:
                # a plain copy of the reference would keep a stop alive, and with it whatever it should end
                self.error = error if not isinstance(error, SystemExit) else None
                if self.error is not None:
                    self._telling.enter_context(common.quietly())
                raise
            if keep:
                self.value = value
            return value

        return watched
