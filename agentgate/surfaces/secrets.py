"""Secret options: `--token V` counts and is shown as `--token-stdin`, which reads the value from stdin."""

from __future__ import annotations

from ..runtime import answers, entry, stop
from .request import before_dashes
from .tree import Command, Parameter

__all__ = ["SUFFIX", "hide", "stdin_form"]

SUFFIX = "-stdin"


def stdin_form(parameter: Parameter) -> str:
    """The flag that takes a secret option's value from stdin."""
    return parameter.flag + SUFFIX


def hide(arguments: list[str], root: Command) -> tuple[list[str], list[str]]:
    """A program's arguments as its parser shall see them, and as they may be shown.

    A value that comes in the open is used and repeated nowhere. Raises SystemExit (exit code 2) when there is
    nothing on stdin for an option that reads it there.
    """
    head = before_dashes(arguments)
    options, own = _secret_options(root, arguments)
    # one that the program has itself reads stdin itself
    stdin_forms = {stdin_form(one): flag for flag, one in options.items() if stdin_form(one) not in own}
    for_parser: list[str] = []
    shown: list[str] = []
    words = iter(head)
    for word in words:
        flag, equals, value = word.partition("=")
        short = word[:2] if word[:1] == "-" and word[1:2] != "-" else ""
        is_whole = flag in options
        following = next(words, None) if is_whole and not equals else value
        if is_whole and following is not None:  # where nothing follows, the parser says so
            value = following
        elif short in options and not is_whole:
            flag, value = short, word[2:]
        elif word in stdin_forms:
            flag, value = stdin_forms[word], _from_stdin(word)
        else:
            for_parser.append(word)
            shown.append(word)
            continue
        answers.secrets.append(value)
        for_parser += [f"{options[flag].flag}={value}"] if options[flag].flag.startswith("--") else [flag, value]
        shown.append(stdin_form(options[flag]))
    rest = arguments[len(head) :]
    return for_parser + rest, shown + rest


def _secret_options(root: Command, arguments: list[str]) -> tuple[dict[str, Parameter], set[str]]:
    """The secret options of the command that is called and those above it, by flag, and all flags that these have."""
    path = root.called_by(arguments).path
    chain = [root.find(path[:length]) or root for length in range(len(path) + 1)]
    parameters = [one for command in chain for one in command.own]
    secret = [one for one in parameters if one.secret and one.takes_value]
    return {flag: one for one in secret for flag in one.flags}, {flag for one in parameters for flag in one.flags}


def _from_stdin(flag: str) -> str:
    value = entry.raw_stdin(flag)
    if not value:
        stop.usage_error(f"{flag} reads a value from stdin, and there is none")
    return value
