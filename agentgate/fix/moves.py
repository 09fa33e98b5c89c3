"""`--unsafe`: a question that stands behind an effect is asked before it, where that is all that changes.

Whole lines are moved, no byte of them is changed, and the new tree must be the old one with the statement in its new
place.
"""

from __future__ import annotations

import ast

from agentgate.fix.verify import is_same
from agentgate.lint.check import Site
from agentgate.lint.config import Config
from agentgate.lint.engine import Analysis, engine
from agentgate.lint.finding import Finding
from agentgate.lint.load import Unreadable
from agentgate.lint.source import Source, read

__all__ = ["CODE", "asked_first"]

CODE = "AG204"


def asked_first(path: str, data: bytes, config: Config) -> tuple[bytes, list[Finding]]:
    """The file with its questions moved up, and the findings that are settled by it. Raises Unreadable."""
    settled: list[Finding] = []
    while (moved := _moved(engine(config.own).analyse(path, data), config)) is not None:
        data, finding = moved
        settled.append(finding)
    return data, settled


def _moved(analysis: Analysis | None, config: Config) -> tuple[bytes, Finding] | None:
    """The file with one question moved up; None when there is none to move."""
    for site in analysis.sites if analysis is not None and analysis.source.round_trips else ():
        if analysis is None or site.to is None or not config.selects(site.finding):
            continue
        source = analysis.source
        text = source.text
        after = text[: site.to] + text[site.start : site.end] + text[site.to : site.start] + text[site.end :]
        try:
            data = source.encode(after)
            new = read(data)
        except (UnicodeEncodeError, Unreadable):
            continue
        if _in_new_place(source, site) and is_same(source.tree, new.tree):
            return data, site.finding
        return None  # the old tree is not what it was
    return None


def _in_new_place(source: Source, site: Site) -> bool:
    """Move the statement in the old tree, which nobody needs any more."""
    assert site.to is not None
    for node in ast.walk(source.tree):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and site.node in block:
                block.remove(site.node)
                at = next(number for number, one in enumerate(block) if source.start(one) >= site.to)
                block.insert(at, site.node)
                return True
    return False
