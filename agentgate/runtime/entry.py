"""`run(main)`: agentgate's options for any program, whatever its parser."""

from __future__ import annotations

import sys

from . import answers, mode, state, stop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import NoReturn, TypeVar

    T = TypeVar("T")

__all__ = ["OPTIONS", "read_answers", "run", "take_options"]

OPTIONS = ("--agent", "--confirm", "--answer", "--answers")


def run(main: Callable[[], T], *, program: str | None = None, leave: Collection[str] = ()) -> T:
    """Call `main()` with agentgate's own options taken out of the command line, and return what it returns.

    main: the program's entry point, called without arguments. program: its name, which gives it a
    variable of its own (`app` → `APP_AGENT`) to set the mode. leave: those of OPTIONS that the program
    declares itself; they stay in its command line, and the launcher carries ours.

    On an agent's run an exception that nobody catches ends with a `failed` envelope (exit code 1), and
    an interrupt with code 130. Raises SystemExit (exit code 2) when an option has no proper value.
    """
    state.program = program
    arguments = take_options(sys.argv[1:], [option for option in OPTIONS if option not in leave])
    sys.argv[1:] = arguments
    state.stripped_argv = list(arguments)
    state.owns_options = not leave
    if not mode.agent_run():
        return main()
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
            _use(option, value)
        at += 1
    return rest


def read_answers(source: str) -> None:
    """Take the answers in a JSON file, or on stdin for `-`."""
    try:
        if source == "-":
            text = sys.stdin.read() if sys.stdin else ""
        else:
            with open(source, encoding="utf-8") as file:
                text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        stop.usage_error(f"--answers {source}: {getattr(error, 'strerror', None) or error}")
    answers.give(answers.parse(text, f"--answers {source}"), source=source)


def _use(option: str, value: str) -> None:
    if option == "--agent":
        state.forced = mode.parse_mode(value, "--agent")
        state.mode_option = value
    elif option == "--confirm":
        answers.give_token(value)
    elif option == "--answers":
        read_answers(value)
    else:
        name, equals, answer = value.partition("=")
        if not equals or not name:
            stop.usage_error(f"--answer {value!r} must be NAME=VALUE")
        answers.give([(name, answer)])


def _fail(exit_code: int, code: str, message: str) -> NoReturn:
    from . import envelope

    stop.print_envelope(envelope.build("failed", exit_code=exit_code, code=code, message=message))
    raise SystemExit(exit_code)
