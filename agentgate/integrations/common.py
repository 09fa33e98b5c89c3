"""What the integrations share: the options' texts, and the way into a program that they run."""

from __future__ import annotations

import sys
from collections.abc import Collection
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ..runtime import entry, mode, state
from ..surfaces.flags import FLAGS, WORDS
from ..surfaces.host import Ended, Host

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

__all__ = ["GROUP", "OPTIONS", "SURFACES", "Ended", "Host", "Option", "left_out", "quietly", "run"]

GROUP = "agent options"

# what each surface adds to a program's command line, for those who leave it out
SURFACES: dict[str, tuple[str, ...]] = {
    "json": ("--json", "--no-json", "--format"),
    "manual": ("manual",),
    "schema": ("--schema", "schema"),
    "commands": ("commands",),
    "overview": ("overview",),
    "mcp": ("--mcp",),
    "completion": ("completion",),
    "explain": ("--explain",),
    "view": ("--view",),
    "envelope": ("--envelope",),
}


class Option(NamedTuple):
    """One option: how its value is shown in help (None for a flag), whether it may be repeated, and its help.

    of_program: it is about the whole program, so only the top command's help shows it.
    """

    flag: str
    metavar: str | None
    repeat: bool
    help: str
    of_program: bool = False


OPTIONS = (
    Option("--agent", "auto|yes|no", False, "Who runs this: an agent, a person, or found out."),
    Option("--confirm", "TOKEN", True, "A person's consent to one question of this command line."),
    Option("--answer", "NAME=VALUE", True, "The answer to a question that would be asked."),
    Option("--answers", "FILE|-", False, "Answers as a JSON object, from a file or stdin, as secrets must be given."),
    Option("--answer-stdin", "NAME", False, "One answer, as it stands on stdin."),
    Option("--json", None, False, "Print one JSON document, as an agent gets it (--json=a,b: some fields of it)."),
    Option("--no-json", None, False, "Print text, also for an agent."),
    Option("--view", None, False, "Print frames for a surface that draws them.", of_program=True),
    Option("--envelope", "FORMAT", False, "Print documents as another system does.", of_program=True),
    Option("--explain", "OPTION", False, "Say what value an option has here, and where it comes from."),
    Option("--schema", None, False, "Print the program as JSON Schema.", of_program=True),
)


def left_out(without: Collection[str]) -> set[str]:
    """The options and words of the surfaces that a program leaves out. Raises ValueError for an unknown one."""
    unknown = [name for name in without if name not in SURFACES]
    if unknown:
        raise ValueError(f"there is no surface {unknown[0]!r}: they are {', '.join(SURFACES)}")
    return {word for name in without for word in SURFACES[name]}


def quietly() -> AbstractContextManager[object]:
    """Keep a framework's words about wrong usage off stderr, where the run's format leaves that empty."""
    from contextlib import nullcontext, redirect_stderr

    if not (state.quiet and state.silent_stdout):
        return nullcontext()
    import io

    return redirect_stderr(io.StringIO())


def run(host: Host) -> Any:
    """Run a program with agentgate's options."""
    state.program = host.name
    host = host._replace(read=cache(host.read))
    if _passes_on(host):
        host = host._replace(declared={*FLAGS, *WORDS, *entry.OPTIONS})
    elif _asks(sys.argv[1:], host):
        from ..surfaces import serve

        serve.prepare(host)
    leave = [option for option in entry.OPTIONS if option in host.declared]

    def main() -> Any:
        if not mode.agent_run() and not _asks(sys.argv[1:], host):
            return host.call(False)  # a person's run loads nothing more
        from ..surfaces import serve

        return serve.run(host)

    return entry.run(main, program=host.name, leave=leave)


def _passes_on(host: Host) -> bool:
    """Whether the options in the command line are for another program; the tree is read where it matters."""
    may_be_ours = any(word.partition("=")[0] in entry.OPTIONS for word in sys.argv[1:]) or _asks(sys.argv[1:], host)
    return (may_be_ours or mode.agent_run()) and host.read().called_by(sys.argv[1:]).passes_on


def _asks(arguments: list[str], host: Host) -> bool:
    """Whether any word may be agentgate's and not the program's own."""
    return any(word in WORDS for word in arguments[:1]) or any(
        word.endswith("-stdin") or (flag in FLAGS and flag not in host.declared)
        for word in arguments
        for flag in [word.partition("=")[0]]
    )
