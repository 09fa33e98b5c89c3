"""Whether a file holds what matters only for its surroundings: told from the functions that name it.

Many a file starts programs, and writes a word that is the name of one that asks; hardly any does both in one place.
A line that is read from stdin answers a question only where one was printed before it. So only an excerpt is parsed:
the module without the functions that have no line of interest. Where that holds anything, the whole file is read.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from agentgate.lint.check import sites
from agentgate.lint.index import Index
from agentgate.lint.load import Unreadable
from agentgate.lint.names import Outside
from agentgate.lint.outline import LeftOut, Span, bodies, outline
from agentgate.lint.resolve import resolve
from agentgate.lint.source import Source, unparsed
from agentgate.lint.suppress import may_warn

__all__ = ["may_hold_something"]

# how often an excerpt may turn out to be too short; then the whole file is read
_ROUNDS = 4


def may_hold_something(path: str, data: bytes, index: Index, outside: Outside) -> bool:
    """A rule may report something in this file. index: of the calls that matter in it, none of which always asks."""
    try:
        whole = unparsed(data)
        if may_warn(whole.text):
            return True
        left_out = _without(_first_lines(whole, index), list(bodies(whole.text)), whole)
        for _ in range(_ROUNDS):
            part = whole.part(outline(whole.text, left_out))
            resolution = resolve(part, index, outside)
            rest = _without(resolution.lines, left_out, whole)
            if rest == left_out:
                try:
                    checked = sites(path, part, resolution, index)
                    return bool(checked.sites or checked.gated)
                except LeftOut as more:
                    rest = _without(more.lines, left_out, whole)
                    if rest == left_out:
                        break  # it stands in what is no part of a function
            left_out = rest
    except (RecursionError, Unreadable):  # which the whole file will say
        pass
    return True


def _first_lines(source: Source, index: Index) -> list[int]:
    """The lines of interest as far as they can be told before anything is known of the file's names."""
    lines = {*source.standing.lines(["import"])}
    for module in {name.partition(".")[0] for name in (*index.followed, *index.prompts)}:
        lines.update(source.standing.read(module, index.members[module], attribute=True))
    return sorted(lines)


def _without(lines: Iterable[int], spans: Sequence[Span], source: Source) -> list[Span]:
    """Those of these parts of the text in which none of the lines, which are in order, starts."""
    starts = [source.line_start(line) for line in lines]
    following = [bisect_left(starts, start) for start, _ in spans]
    return [span for span, at in zip(spans, following, strict=True) if at == len(starts) or starts[at] >= span[1]]
