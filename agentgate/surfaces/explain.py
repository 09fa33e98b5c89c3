"""`--explain OPTION`: the value that an option has in this command line, and where it comes from."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..runtime import stop
from .tree import Command, plain

__all__ = ["Origin", "document", "provenance", "sentence"]

HIDDEN = "***"


class Origin(NamedTuple):
    """Where a value comes from.

    source: `flag`, `environment`, `config` or `default`. location: the flag, the argument, the variable, or the
    file or table.
    """

    value: Any
    source: str
    location: str


def document(line: list[Command], origins: dict[str, Origin], option: str) -> dict[str, Any]:
    """What `--explain OPTION` prints. Raises SystemExit (exit code 2) for an option that the command has not.

    line: the command, behind those that it stands under, whose options count too.
    """
    wanted = option.lstrip("-").replace("-", "_")
    own = [one for command in reversed(line) for one in command.own]
    for one in own:
        if (wanted == one.name or option in one.flags or option in one.off) and one.name in origins:
            value, source, location = origins[one.name]
            shown = HIDDEN if one.secret and value is not None else value
            return {"name": one.name, "value": plain(shown), "source": source, "location": location}
    known = ", ".join(one.flag or one.name for one in own) or "none"
    called = " ".join(line[-1].path) or line[-1].name
    stop.usage_error(f"--explain {option}: {called} has no such option; it has: {known}")


def sentence(found: dict[str, Any]) -> str:
    """The same for a person."""
    where = found["source"] if found["source"] == found["location"] else f"{found['source']} {found['location']}"
    return f"{found['name']} = {found['value']!r} ({where})"


def provenance(origins: dict[str, Origin]) -> dict[str, dict[str, str]]:
    """The origins of all values, for `meta.provenance` of the envelope."""
    return {name: {"source": one.source, "location": one.location} for name, one in origins.items()}
