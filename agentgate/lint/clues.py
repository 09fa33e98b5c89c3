"""What in the bytes of a file may matter to the rules about the code around prompts, in a file without one.

Every search is led by a literal: few files have a clue, and only those are read.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from agentgate.lint.known import Known, known

__all__ = ["Clues", "clues"]


# how a module's or an object's prompt is called
_CALLS = (b".ask(", b".prompt(", b".confirm(")
_BARE_CALLS = (b"prompt(", b"confirm(", b"getpass(", b"raw_input(")


class Clues(NamedTuple):
    """The searches."""

    starts: re.Pattern[bytes]
    programs: re.Pattern[bytes]
    variables: re.Pattern[bytes]
    imports: re.Pattern[bytes]
    destroys: tuple[bytes, ...]

    def hands_on(self, data: bytes) -> bool:
        """The file may import a prompt from another module of its project, or a class that asks."""
        if any(call in data for call in _CALLS) or self.imports.search(data):
            return True
        return b"import *" in data and any(call in data for call in _BARE_CALLS)

    def found(self, data: bytes) -> bool:
        """The file may start a program, read a variable or destroy something that matters, or use what is handed on."""
        if self.hands_on(data):
            return True
        picked = b"from os import" in data
        if (picked or b"subprocess" in data or self.starts.search(data)) and self.programs.search(data):
            return True
        if b".command" in data and any(name in data for name in self.destroys):
            return True
        return (picked or b"os.environ" in data or b"os.getenv" in data) and bool(self.variables.search(data))


def build(facts: Known) -> Clues:
    """The searches for what is known."""
    of_os = sorted({name.removeprefix("os.")[:4] for name in facts.starts if name.startswith("os.")})
    names = {name.lstrip("$") for name, programs in facts.programs.items() if any(program.does for program in programs)}
    handed_on = "|".join(sorted(facts.questions.handed_on))
    words = "|".join(map(re.escape, sorted(names)))
    return Clues(
        re.compile(rf"os\.(?:{'|'.join(of_os)})".encode()),
        # a word of its own at the start of a string, of a path's last part, or of a command of a shell
        re.compile(rf"""(?:["'/$]|&& |\| |; |-m )(?:{words})["' ]""".encode()),
        re.compile(rf"""["'](?:{"|".join(sorted(facts.variables))})["']""".encode()),
        re.compile(rf"import[ \t]*(?:\([^)]*?|[^\r\n(]*?)\b(?:{handed_on})\b".encode()),
        tuple({name.rpartition(".")[2].encode() for name, effect in facts.effects.items() if effect.destroys}),
    )


@cache
def clues() -> Clues:
    """The searches for all that is known."""
    return build(known())
