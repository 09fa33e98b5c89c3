"""The command line that a person would type to start this run, and the one to type next (DESIGN section 5)."""

from __future__ import annotations

import os
import sys

from . import answers, state

__all__ = ["command", "join", "launcher", "next_argv", "program_name", "start", "with_options"]


def command() -> list[str]:
    """This run's command line as an array, without agentgate's own options."""
    begin, arguments = _program()
    if state.stripped_argv is not None:
        arguments = state.stripped_argv
    return [*begin, *arguments]


def start() -> list[str]:
    """What starts the program, without its arguments."""
    return _program()[0]


def program_name() -> str:
    """What the program is called: `app` for `app`, `python -m app` and `python app.py`."""
    words = start()
    name = os.path.basename(words[-1]) if words[-2:-1] != ["-c"] else "-c"
    return name[:-3] if name.endswith(".py") else name


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
    begin, arguments = _program()
    if state.stripped_argv is not None:
        arguments = state.stripped_argv
    own = [*answers.carried(), *(options or [])]
    if state.gates_unmodified:
        own = ["--gate", *own]
    if own and state.mode_option:
        own = ["--agent", state.mode_option, *own]
    if state.owns_options:
        return [*begin, *with_options(arguments, [*(extra or []), *own])]
    program = [*begin, *with_options(arguments, extra or [])]
    return [*launcher(), *own, "--", *program] if own else program


def with_options(arguments: list[str], more: list[str]) -> list[str]:
    """The arguments with more options, which stand before `--`."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    return [*arguments[:at], *more, *arguments[at:]]


def launcher() -> list[str]:
    """The command that starts a program with answers and consents given ahead."""
    if state.launcher is not None:
        return state.launcher
    package = __package__.rpartition(".")[0]
    if getattr(sys, "frozen", False):
        return ["agentgate", "run"]  # the program is no interpreter
    here = os.path.dirname(sys.executable or "")
    if package == "agentgate":
        from shutil import which

        found = which("agentgate")
        if found and os.path.realpath(os.path.dirname(found)) == os.path.realpath(here):
            return ["agentgate", "run"]
        return [sys.executable, "-m", package, "run"]
    copy = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if os.path.isdir(copy) and os.path.realpath(os.path.join(*package.split("."))) != os.path.realpath(copy):
        return [sys.executable, copy, "run"]  # from this folder `-m` need not find the package
    return [sys.executable, "-m", package, "run"]


def _program() -> tuple[list[str], list[str]]:
    """What starts the program, and its arguments."""
    argv = list(sys.orig_argv)
    if getattr(sys, "frozen", False) or not argv:
        return [sys.executable or sys.argv[0]], list(sys.argv[1:])
    if any(word.startswith("from multiprocessing.") for word in argv):
        return [argv[0], sys.argv[0]], list(sys.argv[1:])  # a spawned worker, which has its parent's arguments
    at = 1
    while at < len(argv) and argv[at].startswith("-") and argv[at] not in ("-", "--"):
        word = argv[at]
        letter = next((letter for letter in word[1:] if letter in "cmWX"), "") if word[1] != "-" else ""
        value_follows = word == "--check-hash-based-pycs" or (letter and word.index(letter, 1) == len(word) - 1)
        at += 2 if value_follows else 1
        if letter and letter in "cm":
            return argv[:at], argv[at:]
    at += argv[at : at + 1] == ["--"]
    if at < len(argv) and _is_console_script(argv[at]):
        return [_short(argv[at])], argv[at + 1 :]
    return argv[: at + 1], argv[at + 1 :]


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
