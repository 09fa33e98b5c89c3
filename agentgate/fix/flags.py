"""`--consent-flags`: an option that answers a yes/no question ahead no longer does so for an agent.

`if not yes and not click.confirm(…)` becomes `if not gate.consented(yes) and not gate(click.confirm)(…)`. That is
right only where the option does nothing but skip the question, and the question itself is gated.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Sequence

from agentgate.fix.edits import Edit
from agentgate.lint.check import Site
from agentgate.lint.known import known
from agentgate.lint.source import Source
from agentgate.lint.tree import Parents

__all__ = ["CODE", "DECLARED", "NOT_PLAIN", "OFFERED", "routed", "routes"]

CODE = "AG203"
OFFERED = "an agent that types it agrees in a person's place; --consent-flags asks for a consent instead"
NOT_PLAIN = "the option does more than skip a question, or the question is not gated: that is for a person to decide"

DECLARED = "the option that it declares goes on without the question, also when an agent types it: that is for a person"


def routed(sites: Iterable[Site], gated: Sequence[Site], gates: Collection[ast.Call], tree: ast.Module) -> list[Site]:
    """Those of the reported options that can be routed through the consent.

    gated: the prompts that are wrapped now. gates: the calls of our gate that are there already.
    """
    found = [site for site in sites if site.finding.code == CODE]
    if not found:
        return []
    questions = {*gates, *(site.node for site in gated)}
    parents = Parents(tree)
    return [site for site in found if _skips_only(site.node, questions, parents)]


def routes(sites: Iterable[Site], gate: str, source: Source) -> list[Edit]:
    """The edits that route these options through the consent."""
    edits: list[Edit] = []
    for site in sites:
        assert isinstance(site.node, ast.expr)
        start, end = source.start(site.node), source.end(site.node)
        edits += [Edit(start, start, f"{gate}.consented("), Edit(end, end, ")")]
    return edits


def _skips_only(option: ast.AST, questions: Collection[ast.AST], parents: Parents) -> bool:
    """The option stands before a question in one condition, or in front of a block that asks, with nothing else."""
    if _name(option) in known().questions.asking:
        return False  # this one asks when it is on
    child = option
    for above in parents.above(option):
        if isinstance(above, ast.BoolOp):
            behind = above.values[above.values.index(child) + 1 :] if child in above.values else []
            if _holds(behind, questions):
                return True
        elif isinstance(above, ast.If):
            return child is above.test and not above.orelse and _holds(above.body, questions)
        elif not (isinstance(above, ast.UnaryOp) and isinstance(above.op, ast.Not)):
            return False
        child = above
    return False


def _holds(nodes: Iterable[ast.AST], questions: Collection[ast.AST]) -> bool:
    return any(part in questions for node in nodes for part in ast.walk(node))


def _name(option: ast.AST) -> str | None:
    match option:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Subscript(slice=ast.Constant(value=str(name))):
            return name
        case ast.Call(args=[ast.Constant(value=str(name)), *_]):
            return name
        case _:
            return None
