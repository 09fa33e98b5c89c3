"""The command line that a person would type to start this run, and the one to type next (DESIGN section 5)."""

from __future__ import annotations

import os
import sys

from . import answers, state

__all__ = ["command", "join", "next_argv"]

OPTIONS_WITH_VALUE = ("-W", "-X", "--check-hash-based-pycs")


def command() -> list[str]:
    """This run's command line as an array, without agentgate's own options."""
    start, arguments = _program()
    if state.stripped_argv is not None:
        arguments = state.stripped_argv
    return [*start, *arguments]


def join(argv: list[str]) -> str:
    """One line that the shell splits back into exactly `argv`."""
    if os.name == "nt":
        from subprocess import list2cmdline

        return list2cmdline(argv)
    from shlex import join

    return join(argv)


def next_argv(*, extra: list[str] | None = None, options: list[str] | None = None) -> list[str]:
    """The command line to run next: this one, with the answers and tokens given so far and some more.

    extra: options of the program itself (`--name <name>`). options: agentgate's own, handed over by the
    program when it takes them (`entry.run`), else by the launcher.
    """
    start, arguments = _program()
    if state.stripped_argv is not None:
        arguments = state.stripped_argv
    own = [*answers.carried(), *(options or [])]
    if own and state.mode_option:
        own = ["--agent", state.mode_option, *own]
    if state.owns_options:
        return [*start, *_before_dashes(arguments, [*(extra or []), *own])]
    program = [*start, *_before_dashes(arguments, extra or [])]
    return [*_launcher(), *own, "--", *program] if own else program


def _before_dashes(arguments: list[str], more: list[str]) -> list[str]:
    at = arguments.index("--") if "--" in arguments else len(arguments)
    return [*arguments[:at], *more, *arguments[at:]]


def _launcher() -> list[str]:
    package = __package__.rpartition(".")[0]
    here = os.path.dirname(sys.executable or "")
    if package == "agentgate":
        from shutil import which

        found = which("agentgate")
        if found and os.path.realpath(os.path.dirname(found)) == os.path.realpath(here):
            return ["agentgate", "run"]
    return [sys.executable, "-m", package, "run"]


def _program() -> tuple[list[str], list[str]]:
    """What starts the program, and its arguments."""
    argv = list(sys.orig_argv)
    if getattr(sys, "frozen", False) or not argv:
        return [sys.executable or sys.argv[0]], list(sys.argv[1:])
    at = _after_interpreter_options(argv)
    if at < len(argv) and argv[at].startswith("-"):  # -m module, -c code: the next word belongs to it
        at += 1 if argv[at] in ("-m", "-c") or argv[at][-1] in "mc" else 0
        return argv[: at + 1], argv[at + 1 :]
    if at >= len(argv):
        return argv, []
    script = argv[at]
    if _is_console_script(script):
        return [_short(script)], argv[at + 1 :]
    return argv[: at + 1], argv[at + 1 :]


def _after_interpreter_options(argv: list[str]) -> int:
    at = 1
    while at < len(argv) and argv[at].startswith("-") and argv[at] != "-":
        word = argv[at]
        if word in OPTIONS_WITH_VALUE:
            at += 2
        elif not word.startswith("--") and word[1] not in "WX" and ("m" in word or "c" in word):
            return at
        else:
            at += 1
    return at


def _is_console_script(path: str) -> bool:
    if path.endswith((".py", ".pyw", ".pyz")) or not os.access(path, os.X_OK) or os.path.isdir(path):
        return False
    try:
        with open(path, "rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return False


def _short(script: str) -> str:
    """The bare name, where PATH finds this very script."""
    from shutil import which

    name = os.path.basename(script)
    found = which(name)
    return name if found and os.path.realpath(found) == os.path.realpath(script) else script
