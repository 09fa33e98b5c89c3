"""`completion SHELL`: a script that completes the program's commands, options, choices and file names in a shell."""

from __future__ import annotations

import argparse
import re
from typing import Any

from ..runtime import stop
from . import fig
from .tree import Command, Parameter, Program

__all__ = ["SHELLS", "document", "script"]

SHELLS = ("bash", "zsh", "fish", "powershell", "fig")
ALIASES = {"pwsh": "powershell"}
# the scripts put these words where their shell would expand anything else
_PLAIN = re.compile(r"[\w.,+@%/=-]+\Z")


def document(program: Program, words: tuple[str, ...]) -> str:
    """What `completion WORDS` prints. Raises SystemExit (exit code 2) unless it is one of SHELLS."""
    shell = ALIASES.get(words[0], words[0]) if len(words) == 1 else ""
    if shell not in SHELLS:
        stop.usage_error(f"completion takes one shell: {', '.join((*SHELLS, *ALIASES))}")
    return script(program, shell)


def script(program: Program, shell: str) -> str:
    """The script for one of SHELLS. Raises SystemExit (exit code 2) when the `shtab` package is not there."""
    if shell == "fig":
        return fig.module(program)
    try:
        import shtab
    except ModuleNotFoundError:
        stop.usage_error("completion needs one more package: install agentgate-consent[completion]")
    text = str(shtab.complete(_parser(program.root, program.name, shtab.FILE), shell))
    # shtab's script knows `eval "$(…)"` and zsh's folder of functions; people also write `source <(…)`
    return text.replace("[[ $zsh_eval_context[-1] == eval ]]", "[[ $zsh_eval_context[-1] == (eval|file) ]]") + "\n"


def _parser(command: Command, name: str, files: Any) -> argparse.ArgumentParser:
    """An argparse parser that is only looked at: shtab knows no other form of a tree."""
    parser = argparse.ArgumentParser(
        name, description=_text(command.summary), add_help=False, conflict_handler="resolve"
    )
    _add_to(parser, command, files)
    return parser


def _add_to(parser: argparse.ArgumentParser, command: Command, files: Any) -> None:
    for parameter in command.parameters:
        if not parameter.hidden:
            _add(parser, parameter, files)
    commands = [one for one in command.visible if _PLAIN.match(one.name)]
    if commands:
        under = parser.add_subparsers()
        for one in commands:
            aliases = [alias for alias in one.aliases if _PLAIN.match(alias)]
            text = _text(one.summary)
            about: dict[str, Any] = {"aliases": aliases, "help": text, "description": text}
            # of two options with one flag the later is what a command line means
            parser_of_one = under.add_parser(one.name, add_help=False, conflict_handler="resolve", **about)
            _add_to(parser_of_one, one, files)


def _add(parser: argparse.ArgumentParser, parameter: Parameter, files: Any) -> None:
    about: dict[str, Any] = {"help": _text(parameter.help) or parameter.name}
    for flags in (parameter.flags, parameter.off) if parameter.is_option and not parameter.takes_value else ():
        if flags:
            action = "count" if parameter.count else "store_true"
            parser.add_argument(*flags, dest=parameter.name, action=action, **about)
    if not parameter.takes_value:
        return
    about["metavar"] = re.sub(r"\W", "_", parameter.name)
    choices = [str(one) for one in parameter.choices if _PLAIN.match(str(one))]
    about["choices"] = choices or None
    if parameter.together or (parameter.repeat and not parameter.is_option):
        about["nargs"] = "*"
    elif parameter.repeat:
        about["action"] = "append"
    named = (
        parser.add_argument(*parameter.flags, dest=parameter.name, **about)
        if parameter.is_option
        else (parser.add_argument(parameter.name, **about))
    )
    if parameter.is_path and not choices:
        named.complete = files  # type: ignore[attr-defined]  # shtab's own way


def _text(text: str) -> str:
    """A help text in one line, which argparse does not fill in and no quotes of a shell can break."""
    return re.sub(r"[\s\\]+", " ", text).replace("%", "%%").strip()
