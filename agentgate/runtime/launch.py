"""`agentgate run [OPTIONS] -- PROGRAM ARGS`: hand answers and consents to a program that knows no such options.

They go through the environment of that one process, which takes them out of it when it first looks;
what came by `--answers` may be secret and goes through an inherited descriptor.
"""

from __future__ import annotations

import json
import os
import stat
import sys
import tempfile

from . import answers, commandline, entry, state, stop, streams
from .mode import VARIABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["handed_over", "main"]

GATE = "--gate"
LAUNCHER = "AGENTGATE_LAUNCHER"
USAGE = """usage: agentgate run [OPTIONS] -- PROGRAM [ARGS...]

Run a program with answers and consents given ahead.

  --agent auto|yes|no    who runs it (default: found out)
  --confirm TOKEN        a person's consent, as the program's envelope named it; may be repeated
  --answer NAME=VALUE    the answer to a question; may be repeated
  --answers FILE|-       answers as a JSON object, from a file or stdin, as secrets must be given
  --answer-stdin NAME    one answer, as it stands on stdin
  --gate                 gate the prompts of a Python program that was not rewritten, in this one process
  -h, --help             show this and exit
"""


def main(arguments: list[str]) -> int:
    """Replace this process by the program; returns an exit code only when that cannot be done."""
    own, program = _split(arguments)
    if "-h" in own or "--help" in own:
        streams.write(USAGE)
        return 2 if state.unwritten else 0
    rest = entry.take_options(own)
    answers.load_environment()
    gate = GATE in rest
    rest = [word for word in rest if word != GATE]
    if rest:
        stop.usage_error(f"run: unknown argument {rest[0]!r}; the program comes after `--`")
    if not program:
        stop.usage_error("run: name the program to run: agentgate run [OPTIONS] -- PROGRAM [ARGS]")
    _hand_over()
    if gate:
        _gate_unmodified()
    if program[0].endswith((".py", ".pyw", ".pyz")) and not os.access(program[0], os.X_OK):
        program = [sys.executable, *program]
    try:
        os.execvp(program[0], program)
    except OSError as error:
        stop.usage_error(f"run: cannot start {program[0]!r}: {error.strerror}")


def _split(arguments: list[str]) -> tuple[list[str], list[str]]:
    if "--" not in arguments:
        return arguments, []
    at = arguments.index("--")
    return arguments[:at], arguments[at + 1 :]


def _hand_over() -> None:
    public: list[tuple[str, object]] = []
    private: list[tuple[str, object]] = []
    for name, answer in answers.given():
        (private if answer.private else public).append((name, answer.value))
    if public:
        os.environ[answers.ANSWERS] = json.dumps(_by_name(public))
    if answers.tokens:
        os.environ[answers.TOKENS] = " ".join(answers.tokens)
    if state.mode_option:
        os.environ[VARIABLE] = state.mode_option
    if private:
        file = tempfile.TemporaryFile()  # noqa: SIM115  # the program inherits it, and its end is the program's
        file.write(json.dumps({"sources": answers.sources(), "answers": _by_name(private)}).encode())
        file.flush()
        file.seek(0)
        descriptor = os.dup(file.fileno())
        os.set_inheritable(descriptor, True)
        os.environ[answers.PRIVATE_FD] = str(descriptor)


def handed_over(descriptor: str) -> tuple[list[str], dict[str, object]]:
    """Where private answers came from, and these, as a launcher put them behind a descriptor.

    Ends the run with a usage error where that does not lead there any more.
    """
    try:
        number = int(descriptor)
        if not stat.S_ISREG(os.fstat(number).st_mode):  # somebody else's, who may never write to it
            raise ValueError(descriptor)
        with os.fdopen(number, encoding="utf-8") as file:
            file.seek(0)  # a program beside this one may have read it
            handed: Any = answers.parse(file.read(), answers.PRIVATE_FD)
        return [str(one) for one in handed["sources"]], dict(handed["answers"])
    except (KeyError, OSError, TypeError, ValueError):
        stop.usage_error(
            "what --answers gave did not come through: a program between the launcher and this one has closed the "
            "descriptor that it came by; start this one by `agentgate run` itself"
        )


def _gate_unmodified() -> None:
    """Let Python run our start-up hook, which takes itself out of the environment again."""
    startup = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "startup")
    if not os.path.isdir(startup):
        stop.usage_error(f"run: {GATE} needs the installed agentgate, not a vendored copy")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (startup, os.environ.get("PYTHONPATH"))))
    os.environ[LAUNCHER] = json.dumps(commandline.launcher())  # the program's own Python need not have agentgate


def _by_name(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Repeated answers as one list a name, in order."""
    together: dict[str, object] = {}
    for name, value in pairs:
        if name in together:
            before = together[name]
            together[name] = [*(before if isinstance(before, list) else [before]), value]
        else:
            together[name] = value
    return together
