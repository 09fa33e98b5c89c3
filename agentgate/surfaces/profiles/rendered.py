"""What a profile makes of one envelope."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["Rendered", "interrupted"]


class Rendered(NamedTuple):
    """An outcome in a system's wire format.

    lines: JSON values, one a line of stdout. exit_code: what the process ends with. stderr: the text form, for a run
    whose stdout is not the document alone.
    """

    lines: list[Any]
    exit_code: int
    stderr: str = ""


def interrupted(document: dict[str, Any]) -> bool:
    """Whether a signal ended the run: its code is 128 and the signal's number, whatever the format."""
    code: int = document["meta"]["exit_code"]
    return code > 128
