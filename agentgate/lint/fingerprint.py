"""What stays of a finding when lines move: its file, rule, prompt and the text of its line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from agentgate.lint.finding import Finding
from agentgate.lint.globs import relative

__all__ = ["Identity", "fingerprints", "identity"]


class Identity(NamedTuple):
    """path: as seen from the folder that it is kept in, with slashes. text: the line, without its indentation."""

    path: str
    code: str
    call: str
    text: str


def identity(finding: Finding, line: str | None, root: str | None) -> Identity:
    """The identity of a finding. line: the text of its line; the message stands in for one that cannot be read."""
    return Identity(
        relative(finding.path, root),
        finding.code,
        finding.call,
        " ".join((finding.message if line is None else line).split()),
    )


def fingerprints(findings: Iterable[Finding], lines: dict[tuple[str, int], str]) -> list[str]:
    """One digest a finding, the same as long as the finding is; equal ones are told apart by their order."""
    from hashlib import sha256

    seen: Counter[Identity] = Counter()
    found = []
    for finding in findings:
        one = identity(finding, lines.get((finding.path, finding.line)), None)
        text = "\0".join((*one, str(seen[one])))
        seen[one] += 1
        found.append(sha256(text.encode("utf-8", "surrogatepass")).hexdigest())
    return found
