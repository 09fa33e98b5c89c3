"""What a program does with an answer: compared with `y`, it was a yes/no question."""

from __future__ import annotations

import ast
from bisect import bisect_right
from typing import NamedTuple

from agentgate import label as words
from agentgate.lint.tree import Parents, place, position_in

__all__ = ["Comparison", "compared"]

# what may be done to an answer before it is compared, without changing which answer it is
_TRIMS = ("strip", "lstrip", "rstrip", "replace", "removesuffix")
# a lone `s` or `o` may as well be a menu's letter; these may not
_PLAIN = ("y", "yes", "n", "no")
_FOLDS = ("lower", "upper", "casefold", "title", "capitalize")


class Comparison(NamedTuple):
    """A yes/no question, seen from its answer.

    yes: the literal that counts as yes, as the program writes it. accepts: all of them.
    folded: upper and lower case are the same to the program.
    """

    yes: str
    accepts: frozenset[str]
    folded: bool

    def takes(self, answer: str) -> bool:
        """The program would read this answer as yes."""
        return answer.lower() in {text.lower() for text in self.accepts} if self.folded else answer in self.accepts


class _Test(NamedTuple):
    literals: tuple[str, ...]
    folded: bool


def compared(call: ast.Call, parents: Parents) -> Comparison | None:
    """How the answer of a call is compared, at once or through the variable that holds it.

    None when it is compared with nothing, or with anything but the literals of a yes/no question: a menu that
    has an `n` among its letters is none.
    """
    tests: list[_Test] = []
    pending: list[tuple[ast.AST, bool]] = [(call, False)]
    seen: set[tuple[str, tuple[int, int]]] = set()
    while pending:
        node, folded = pending.pop()
        top, parent, folded = _outermost(node, parents, folded)
        test = _test(top, parent, folded, parents)
        if test is not None:
            tests.append(test)
            continue
        name = _assigned_name(top, parent)
        if name is not None and (name, place(top)) not in seen:
            seen.add((name, place(top)))
            pending += [(use, folded) for use in _uses(name, top, parents)]
            if isinstance(parent, ast.NamedExpr):
                pending.append((parent, folded))
        elif isinstance(parent, ast.Compare):
            # compared with something else than literals
            return None
    return _yes_no(tests)


def _outermost(node: ast.AST, parents: Parents, folded: bool) -> tuple[ast.AST, ast.AST | None, bool]:
    """Out of `.strip().lower()`, `[0]`, `str(…)` and `… or "y"`."""
    while True:
        parent = parents.of(node)
        if isinstance(parent, ast.Attribute) and parent.attr in (*_TRIMS, *_FOLDS):
            outer = parents.of(parent)
            if not isinstance(outer, ast.Call) or outer.func is not parent:
                return node, parent, folded
            folded = folded or parent.attr in _FOLDS
            node = outer
        elif parent is not None and _keeps_answer(node, parent):
            node = parent
        else:
            return node, parent, folded


def _keeps_answer(node: ast.AST, parent: ast.AST) -> bool:
    """The parent's value is the node's own, as far as a comparison goes."""
    match parent:
        case ast.Subscript(slice=ast.Constant() | ast.Slice()):
            return parent.value is node
        case ast.Call(func=ast.Name(id="str")):
            return node in parent.args
        case ast.BoolOp(op=ast.Or()):
            return parent.values[0] is node and isinstance(parent.values[-1], ast.Constant)
        case _:
            return False


def _test(top: ast.AST, parent: ast.AST | None, folded: bool, parents: Parents) -> _Test | None:
    if isinstance(parent, ast.Compare) and len(parent.ops) == 1:
        other = parent.comparators[0] if parent.left is top else parent.left
        literals = _literals(other, letters=isinstance(parent.ops[0], ast.In | ast.NotIn) and parent.left is top)
        return _Test(literals, folded) if literals else None
    if isinstance(parent, ast.Attribute) and parent.attr == "startswith":
        call = parents.of(parent)
        if isinstance(call, ast.Call) and call.func is parent and call.args:
            literals = _literals(call.args[0], letters=False)
            return _Test(literals, folded) if literals else None
    return None


def _literals(node: ast.expr, *, letters: bool) -> tuple[str, ...]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return tuple(node.value) if letters else (node.value,)
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        found = [part.value for part in node.elts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        return tuple(found) if len(found) == len(node.elts) else ()
    return ()


def _assigned_name(top: ast.AST, parent: ast.AST | None) -> str | None:
    match parent:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.NamedExpr(target=ast.Name(id=name)):
            return name
        case ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case _:
            return None


def _uses(name: str, after: ast.AST, parents: Parents) -> list[ast.Name]:
    """The reads of a variable behind this point of its function, up to where it gets another value."""
    function = parents.function(after)
    named = parents.names(function).get(name, []) if function is not None else []
    start = bisect_right(named, place(after), key=place)
    elsewhere = _elsewhere(after, parents)
    uses: list[ast.Name] = []
    while start < len(named):
        use = named[start]
        end = next((last for first, last in elsewhere if first <= place(use) <= last), None)
        if end is not None:
            start = bisect_right(named, end, key=place)
            continue
        if type(use.ctx) is not ast.Load:
            # `answer = answer.lower()` writes the target first and reads what was asked
            statement = parents.statement(use)
            end = place(statement or use)
            uses += [
                read
                for read in named[start : bisect_right(named, end, key=place)]
                if parents.statement(read) is statement and type(read.ctx) is ast.Load and read not in uses
            ]
            break
        uses.append(use)
        start += 1
    return uses


def _elsewhere(node: ast.AST, parents: Parents) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """From where to where the branches stand that are not run where this one is."""
    found = []
    child = node
    for above in parents.above(node):
        if isinstance(above, ast.If) and above.orelse and position_in(above.body, child) is not None:
            first = above.orelse[0]
            found.append(((first.lineno, first.col_offset), place(above.orelse[-1])))
        child = above
    return found


def _yes_no(tests: list[_Test]) -> Comparison | None:
    literals = [text for test in tests for text in test.literals]
    yes = [text for text in literals if _is_yes(text)]
    no = [text for text in literals if _is_no(text)]
    if len(yes) + len(no) + literals.count("") < len(literals):
        return None
    if not (yes and no) and not any(text.lower() in _PLAIN for text in literals):
        return None
    folded = all(test.folded for test in tests)
    if not yes:
        # anything but a no is a yes
        yes = ["yes" if "no" in (text.lower() for text in no) else "y"]
    return Comparison(yes[0], frozenset(yes), folded)


def _is_yes(text: str) -> bool:
    return text.isalpha() and words.yes_no(f"[{text}/n]") is not None


def _is_no(text: str) -> bool:
    return text.isalpha() and words.yes_no(f"[y/{text}]") is not None
