"""The name that a file calls our gate by, and the one import line that may be needed for it.

An import that is there is used again. A new one goes behind the import block at the head of the file, never
into a `try` or `if`, and so before any code that runs at import (but for the code that makes a package findable
whose own copy is imported); `gate` is renamed where the file uses that name itself, says it in a string
(`globals()["gate"]`), or takes whatever names another module has.
"""

from __future__ import annotations

import ast
import re
from itertools import chain, count, takewhile
from typing import NamedTuple

from agentgate.fix.edits import Edit
from agentgate.lint.scopes import Bindings
from agentgate.lint.source import Source

__all__ = ["VENDORED", "Gate", "gate_for"]

# the name of a copy in somebody else's package
VENDORED = "_agentgate"
# what the gate is called, the second where the first may be something else
_NAMES = ("gate", "agent_gate")
_LINE_END = re.compile(r"\r\n|\r|\n")


class Gate(NamedTuple):
    """How to write the gate in one file; edit: the import to add, None when there is one."""

    name: str
    edit: Edit | None


def gate_for(source: Source, bindings: dict[ast.AST, Bindings], first_use: int, module: str = "agentgate") -> Gate:
    """Choose the gate's name for a file.

    first_use: the line of the first place that needs it. module: where to import it from.
    """
    there = _existing(source.tree, bindings, first_use)
    if there is not None:
        return Gate(there, None)
    name = _free_name(source.tree, bindings)
    statement = f"from {module} import gate" + ("" if name == "gate" else f" as {name}")
    return Gate(name, _insertion(source, statement, _behind(source.tree, module, first_use)))


def _existing(tree: ast.Module, bindings: dict[ast.AST, Bindings], first_use: int) -> str | None:
    """The gate as the file imports it already, where every use will see that import."""
    for statement in tree.body:
        if statement.lineno >= first_use:
            break
        found: list[tuple[str, str]] = []
        if isinstance(statement, ast.ImportFrom) and _is_ours(statement):
            found = [(alias.asname or alias.name, "") for alias in statement.names if alias.name == "gate"]
        elif isinstance(statement, ast.Import):
            found = [(alias.asname or alias.name, ".gate") for alias in statement.names if alias.name == "agentgate"]
        for name, attribute in found:
            if not _is_rebound(tree, bindings, name, statement):
                return name + attribute
    return None


def _is_ours(statement: ast.ImportFrom) -> bool:
    """The package, or a vendored copy of it, absolute or relative."""
    module = statement.module or ""
    return module.rpartition(".")[2] == VENDORED or (module == "agentgate" and not statement.level)


def _is_rebound(tree: ast.Module, bindings: dict[ast.AST, Bindings], name: str, own: ast.stmt) -> bool:
    """Something else than this import binds the name, anywhere (a second import of the same is no harm)."""
    if any(name in bound.bound for scope, bound in bindings.items() if scope is not tree):
        return True
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == name and type(node.ctx) is not ast.Load:
            return True
        if (
            isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.ExceptHandler)
            and node.name == name
        ):
            return True
        if isinstance(node, ast.MatchAs | ast.MatchStar) and node.name == name:
            return True
        if isinstance(node, ast.Import | ast.ImportFrom) and node is not own:
            if _is_star(node) and name == _NAMES[0] and node.lineno > own.lineno:
                return True
            ours = isinstance(node, ast.ImportFrom) and _is_ours(node)
            for alias in node.names:
                same = ours or alias.name.partition(".")[0] == "agentgate"
                if (alias.asname or alias.name.partition(".")[0]) == name and not same:
                    return True
    return False


def _free_name(tree: ast.Module, bindings: dict[ast.AST, Bindings]) -> str:
    taken = {name for bound in bindings.values() for name in (*bound.bound, *bound.globals, *bound.nonlocals)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            taken.add(node.id)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            taken.add(node.value)
        elif _is_star(node):
            taken.add(_NAMES[0])
    candidates = chain(_NAMES, (f"{_NAMES[-1]}_{number}" for number in count(2)))
    return next(name for name in candidates if name not in taken)


def _is_star(node: ast.AST) -> bool:
    """`from … import *`, which may bring any name that a module would use."""
    return isinstance(node, ast.ImportFrom) and node.names[0].name == "*"


def _behind(tree: ast.Module, module: str, first_use: int) -> list[ast.stmt]:
    """The statements that the import belongs behind.

    A copy in a package is found where the package is, and a script may have to extend its path for that first.
    """
    head, root = _head(tree), module.partition(".")[0]
    for position, statement in enumerate(tree.body):
        if root == "agentgate" or statement.lineno >= first_use:
            break
        if isinstance(statement, ast.Import):
            names = [alias.name for alias in statement.names]
        else:
            names = [statement.module or ""] if isinstance(statement, ast.ImportFrom) and not statement.level else []
        if any(name.partition(".")[0] == root for name in names):
            return tree.body[: max(position + 1, len(head))]
    return head


def _insertion(source: Source, statement: str, head: list[ast.stmt]) -> Edit:
    if head:
        last, following = head[-1], source.tree.body[len(head) :]
        if following and _share_a_line(source, last, following[0]):
            start = source.start(following[0])
            return Edit(start, start, f"{statement}; ")
        if isinstance(last, ast.Import | ast.ImportFrom) and getattr(last, "module", None) != "__future__":
            return _new_line(source, (last.end_lineno or last.lineno) + 1, statement)
        return _own_block(source, (last.end_lineno or last.lineno) + 1, statement, blank_before=True)
    return _own_block(source, _after_comments(source), statement, blank_before=False)


def _head(tree: ast.Module) -> list[ast.stmt]:
    """The docstring, the `__future__` imports, and the imports that follow."""
    body = tree.body
    docstring = 0
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        docstring = int(isinstance(body[0].value.value, str))
    imports = takewhile(lambda statement: isinstance(statement, ast.Import | ast.ImportFrom), body[docstring:])
    return [*body[:docstring], *imports]


def _share_a_line(source: Source, last: ast.stmt, following: ast.stmt) -> bool:
    """No line of its own fits between two statements: `import a; b`, also across a backslash."""
    end = last.end_lineno or last.lineno
    between = source.text[source.end(last) : source.line_start(end + 1)]
    return _first_line(following) == end or (between.rstrip("\r\n").endswith("\\") and "#" not in between)


def _first_line(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min(statement.lineno, *(decorator.lineno for decorator in decorators)) if decorators else statement.lineno


def _new_line(source: Source, line: int, statement: str) -> Edit:
    start = source.line_start(line)
    return Edit(start, start, statement + _line_end(source, line))


def _own_block(source: Source, line: int, statement: str, *, blank_before: bool) -> Edit:
    """A line that is set off from what is around it, where blank lines do not do so already."""
    while line <= len(source.lines) and not source.lines[line - 1].strip():
        line += 1
    end = _line_end(source, line)
    above = source.lines[line - 2].strip() if line > 1 else ""
    before = end if blank_before and above else ""
    following = next((node for node in source.tree.body if _first_line(node) >= line), None)
    definition = isinstance(following, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    # at the very top there is nothing to be set off from but a definition
    after = end * 2 if definition else end if line > 1 else ""
    start = source.line_start(line)
    return Edit(start, start, before + statement + end + after)


def _after_comments(source: Source) -> int:
    """The line (from 1) behind the comments that speak for the whole file.

    That is the block at the very top (interpreter, encoding, licence, a script's dependencies), and every
    later one that a blank line sets off from the code.
    """
    first = _first_line(source.tree.body[0])
    blocks: list[tuple[int, int]] = []
    for number, line in enumerate(source.lines[: first - 1], 1):
        if line.strip():
            start = blocks.pop()[0] if blocks and blocks[-1][1] == number else number
            blocks.append((start, number + 1))
    for start, end in reversed(blocks):
        of_the_file = start <= 2 or end < first or any("# ///" in line for line in source.lines[start - 1 : end - 1])
        if of_the_file:
            return end
    return 1


def _line_end(source: Source, line: int) -> str:
    """The line end that the file uses here."""
    for text in (source.text[: source.line_start(line)], source.text):
        ends: list[str] = _LINE_END.findall(text)
        if ends:
            return ends[-1]
    return "\n"
