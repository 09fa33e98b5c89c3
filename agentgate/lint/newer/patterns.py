"""The patterns of a `match` statement: libcst's nodes to those of `ast`."""

from __future__ import annotations

import ast

import libcst as cst

from agentgate.lint.newer.expressions import Expressions

__all__ = ["pattern"]


def pattern(node: cst.MatchPattern, expressions: Expressions) -> ast.pattern:
    """One pattern with all that is in it."""
    return expressions.places.put(_converted(node, expressions), node)


def _converted(node: cst.MatchPattern, expressions: Expressions) -> ast.pattern:
    match node:
        case cst.MatchSingleton(value=value):
            return ast.MatchSingleton({"True": True, "False": False}.get(value.value))
        case cst.MatchValue(value=value):
            return ast.MatchValue(expressions(value))
        case cst.MatchSequence(patterns=elements):
            return ast.MatchSequence([_element(one, expressions) for one in elements])
        case cst.MatchMapping(elements=pairs, rest=rest):
            return ast.MatchMapping(
                [expressions(pair.key) for pair in pairs],
                [pattern(pair.pattern, expressions) for pair in pairs],
                rest.value if rest is not None else None,
            )
        case cst.MatchClass(cls=cls, patterns=positional, kwds=named):
            return ast.MatchClass(
                expressions(cls),
                [pattern(one.value, expressions) for one in positional],
                [one.key.value for one in named],
                [pattern(one.pattern, expressions) for one in named],
            )
        case cst.MatchAs(pattern=inner, name=name):
            return ast.MatchAs(
                pattern(inner, expressions) if inner is not None else None,
                name.value if name is not None and name.value != "_" else None,
            )
        case cst.MatchOr(patterns=several):
            return ast.MatchOr([pattern(one.pattern, expressions) for one in several])
    raise TypeError(f"no such pattern: {node}")


def _element(node: cst.MatchSequenceElement | cst.MatchStar, expressions: Expressions) -> ast.pattern:
    if isinstance(node, cst.MatchStar):
        name = node.name.value if node.name is not None and node.name.value != "_" else None
        return expressions.places.put(ast.MatchStar(name), node)
    return pattern(node.value, expressions)
