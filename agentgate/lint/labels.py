"""What a prompt says, worked out from the source.

Computed parts become `{…}`. A label of which nothing is known is None: it is then the run that tells.
"""

from __future__ import annotations

import ast
import re

from agentgate import label as words
from agentgate.lint.scopes import FUNCTIONS, Scopes
from agentgate.lint.source import Source
from agentgate.lint.tree import Parents

__all__ = ["HOLE", "Labels", "answer_name"]

HOLE = "{…}"
_PERCENT = re.compile(r"%(?:\((?:[^()]*)\))?[-#0 +]*(?:\d+|\*)?(?:\.(?:\d+|\*))?[hlL]?[diouxXeEfFgGcrsa%]")
_FIELD = re.compile(r"\{\{|\}\}|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")
_TRANSLATIONS = ("_", "gettext", "gettext_lazy", "lazy_gettext", "gettext_noop", "ugettext")


class Labels:
    """Reads labels in one module."""

    def __init__(self, source: Source, scopes: Scopes, parents: Parents) -> None:
        self._source = source
        self._scopes = scopes
        self._parents = parents

    def read(self, expression: ast.expr) -> str | None:
        """The text of an expression; None when no part of it is known."""
        parts: list[str] = []
        pending = [expression]
        while pending:
            node = pending.pop()
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
                pending += [node.right, node.left]
            elif isinstance(node, ast.JoinedStr):
                pending += reversed(node.values)
            else:
                parts.append(self._part(node))
        text = "".join(parts)
        known = text.replace(HOLE, "").strip()
        return text if known and (HOLE not in text or any(map(str.isalnum, known))) else None

    def _part(self, node: ast.expr) -> str:
        """The text of what is no sum."""
        template = None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            template = self._literal(node.left)
            return HOLE if template is None else _PERCENT.sub(lambda m: "%" if m[0] == "%%" else HOLE, template)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
            template = self._literal(node.func.value)
            return (
                HOLE if template is None else _FIELD.sub(lambda m: m[0][0] if m[0] in ("{{", "}}") else HOLE, template)
            )
        literal = self._literal(node)
        return HOLE if literal is None else literal

    def _literal(self, node: ast.expr) -> str | None:
        """A string, translated or not, or a module's constant that holds one."""
        while isinstance(node, ast.Call) and node.args and not node.keywords:
            if getattr(node.func, "id", getattr(node.func, "attr", "")) not in _TRANSLATIONS:
                return None
            node = node.args[0]
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        return self._constant(node.id) if isinstance(node, ast.Name) and not self._is_shadowed(node) else None

    def _constant(self, name: str) -> str | None:
        """The string that one statement of the module assigns to a name, where nothing else does."""
        body = self._source.tree.body
        found: list[str | None] = []
        for node in self._source.on_lines_of([name]):
            match node:
                case ast.Global(names=names) if name in names:
                    return None
                case ast.FunctionDef(name=one) | ast.AsyncFunctionDef(name=one) | ast.ClassDef(name=one) if one == name:
                    found += [None] if node in body else []
                case ast.Name(id=one) if one == name and type(node.ctx) is not ast.Load and self._is_global(node):
                    statement = self._parents.of(node)
                    found.append(_text_of(statement) if statement in body else None)
        return found[0] if len(found) == 1 else None

    def _is_global(self, node: ast.Name) -> bool:
        return not any(isinstance(above, (*FUNCTIONS, ast.ClassDef)) for above in self._parents.above(node))

    def _is_shadowed(self, node: ast.Name) -> bool:
        return any(
            node.id in self._scopes[above].bound
            for above in self._parents.above(node)
            if isinstance(above, (*FUNCTIONS, ast.ClassDef))
        )


def answer_name(label: str | None, *, markup: bool) -> str | None:
    """The name that the run will give the answer; None when a computed part of the label goes into it."""
    if label is None:
        return None
    marker = "zqxj"
    name = words.slug(words.clean(label.replace(HOLE, ""), markup=markup))
    filled = words.slug(words.clean(label.replace(HOLE, marker), markup=markup))
    return (name or None) if marker not in filled else None


def _text_of(statement: ast.AST | None) -> str | None:
    """The string that a statement assigns to one name."""
    match statement:
        case ast.Assign(targets=[ast.Name()], value=ast.Constant(value=str(text))):
            return text
        case _:
            return None
