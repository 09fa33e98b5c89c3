"""`run(main)`: agentgate's options for any program, whatever its parser."""

from __future__ import annotations

import os
import sys

from . import answers, mode, state, stop, wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import NoReturn, TypeVar

    T = TypeVar("T")

__all__ = ["OPTIONS", "raw_stdin", "read_answers", "read_raw_answer", "run", "take_options", "use_option"]

PATIENCE = 5.0  # seconds that an agent's answers may take to come on stdin
OPTIONS = ("--agent", "--confirm", "--answer", "--answers", "--answer-stdin")


def run(
    main: Callable[[], T], *, program: str | None = None, leave: Collection[str] = (), exit_code: int | None = None
) -> T:
    """Call `main()` with agentgate's own options taken out of the command line, and return what it returns.

    main: the program's entry point, called without arguments. program: its name, which gives it a
    variable of its own (`app` → `APP_AGENT`) to set the mode. leave: those of OPTIONS that the program
    declares itself; they stay in its command line, and the launcher carries ours. exit_code: that of a
    stop, for a program in which 3 means something else.

    On an agent's run an exception that nobody catches ends with a `failed` envelope (exit code 1), and
    an interrupt with code 130. Raises SystemExit (exit code 2) when an option has no proper value.
    """
    state.program, state.exit_code = program, exit_code or state.exit_code
    problem = wire.choose()
    if problem is not None:
        stop.usage_error(problem)
    arguments = take_options(sys.argv[1:], [option for option in OPTIONS if option not in leave])
    sys.argv[1:] = arguments
    state.stripped_argv = list(arguments)
    state.owns_options = not leave
    if not mode.agent_run():
        return main()
    answers.load_environment()
    _refuse_placeholders(arguments)
    try:
        return main()
    except KeyboardInterrupt:
        if state.stopped is not None:
            raise
        _fail(130, "interrupted", "The run was interrupted.")
    except Exception as error:
        if state.stopped is not None:
            raise  # cleanup failed: the stop's own envelope stands
        import traceback

        traceback.print_exc()
        _fail(1, "failed", f"{type(error).__name__}: {error}")


def take_options(arguments: list[str], known: Collection[str] = OPTIONS) -> list[str]:
    """Use agentgate's options among the arguments, and return the others. Nothing behind `--` is ours."""
    rest: list[str] = []
    at = 0
    while at < len(arguments):
        word = arguments[at]
        option, equals, value = word.partition("=")
        if word == "--":
            return rest + arguments[at:]
        if option not in known:
            rest.append(word)
        else:
            if not equals:
                at += 1
                value = arguments[at] if at < len(arguments) else ""
                if value.startswith("-") and not (option == "--answers" and value == "-"):
                    stop.usage_error(f"{option} needs a value, not {value!r} (write {option}={value} to mean it)")
            if not value:
                stop.usage_error(f"{option} needs a value")
            use_option(option, value)
        at += 1
    return rest


def read_answers(source: str) -> None:
    """Take the answers in a JSON file, or on stdin for `-`."""
    try:
        if source == "-":
            text = _stdin("--answers -", _is_json)
        else:
            with open(source, encoding="utf-8-sig") as file:
                text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        stop.usage_error(f"--answers {source}: {getattr(error, 'strerror', None) or error}")
    answers.give(answers.parse(text, f"--answers {source}"), source=source)


def read_raw_answer(name: str) -> None:
    """Take one answer from stdin as it stands there; nothing there is no answer."""
    text = raw_stdin("--answer-stdin")
    if text:
        answers.give_raw(name, text)


def raw_stdin(option: str) -> str:
    """All that comes on stdin for an option, but for the end of its last line."""
    return _stdin(option, lambda _: False).removesuffix("\n").removesuffix("\r")


def _stdin(option: str, is_whole: Callable[[bytes], bool]) -> str:
    """All of stdin, or as much of it as is whole, without a byte order mark."""
    try:
        return _read_stdin(option, is_whole).removeprefix("\ufeff")
    except UnicodeDecodeError:
        stop.usage_error(f"{option}: what came on stdin is not UTF-8")


def _read_stdin(option: str, is_whole: Callable[[bytes], bool]) -> str:
    """The same: a writer need not close it, nor may it never write."""
    import select

    try:
        descriptor = sys.stdin.fileno()
    except (AttributeError, OSError, ValueError):  # none, or a text buffer
        return sys.stdin.read() if sys.stdin else ""
    if os.name == "nt" or not mode.agent_run():
        return sys.stdin.read()
    if os.isatty(descriptor):
        stop.usage_error(f"{option} reads from stdin, which is a terminal here: pipe it in")
    read = b""
    while True:
        if not select.select([descriptor], [], [], PATIENCE)[0]:
            stop.usage_error(f"{option}: not all came on stdin within {PATIENCE:.0f} seconds: pipe it in, and close it")
        more = os.read(descriptor, 1 << 16)
        read += more
        if not more or is_whole(read):
            return read.decode("utf-8")


def _is_json(text: bytes) -> bool:
    import json

    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _refuse_placeholders(arguments: list[str]) -> None:
    """Refuse a `next` command that was sent back without a value in its `--name <name>`."""
    for option, word in zip(["", *arguments], arguments, strict=False):
        if word.startswith("--") and "=" in word:
            option, _, word = word.partition("=")
        if option.startswith("--") and word == f"<{option[2:].replace('-', '_')}>":
            stop.usage_error(f"{option} is still the placeholder {word}: put a value in its place")


def use_option(option: str, value: str) -> None:
    """Use one of OPTIONS with its value. Raises SystemExit (exit code 2) when it is not a proper one."""
    if option == "--agent":
        state.forced = mode.parse_mode(value, "--agent")
        state.mode_option = value
    elif option == "--confirm":
        answers.give_token(value)
    elif option == "--answers":
        read_answers(value)
    elif option == "--answer-stdin":
        read_raw_answer(value)
    else:
        name, equals, answer = value.partition("=")
        if not equals or not name:
            stop.usage_error(f"--answer {value!r} must be NAME=VALUE")
        answers.give([(name, answer)])


def _fail(exit_code: int, code: str, message: str) -> NoReturn:
    from . import envelope

    raise SystemExit(stop.print_envelope(envelope.build("failed", exit_code=exit_code, code=code, message=message)))
