"""What a prompt says, worked out from the source.

Computed parts become `{…}`. A label of which nothing is known is None: it is then the run that tells.
"""

from __future__ import annotations

import ast
import re
from functools import cached_property

from agentgate import label as words
from agentgate.lint.scopes import FUNCTIONS, Scopes
from agentgate.lint.tree import Parents

__all__ = ["HOLE", "Labels", "answer_name"]

HOLE = "{…}"
_PERCENT = re.compile(r"%(?:\((?:[^()]*)\))?[-#0 +]*(?:\d+|\*)?(?:\.(?:\d+|\*))?[hlL]?[diouxXeEfFgGcrsa%]")
_FIELD = re.compile(r"\{\{|\}\}|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")
_TRANSLATIONS = ("_", "gettext", "gettext_lazy", "lazy_gettext", "gettext_noop", "ugettext")


class Labels:
    """Reads labels in one module."""

    def __init__(self, tree: ast.Module, scopes: Scopes, parents: Parents) -> None:
        self._tree = tree
        self._scopes = scopes
        self._parents = parents

    @cached_property
    def _constants(self) -> dict[str, str]:
        return _constants(self._tree)

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
        if isinstance(node, ast.Name) and node.id in self._constants and not self._is_shadowed(node):
            return self._constants[node.id]
        return None

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


def _constants(tree: ast.Module) -> dict[str, str]:
    """Module names that one statement assigns, to a string, and nothing else does."""
    values: dict[str, str] = {}
    several: set[str] = set()
    for statement in tree.body:
        several.update(*(node.names for node in ast.walk(statement) if isinstance(node, ast.Global)))
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(text))):
                several |= {name} & values.keys()
                values[name] = text
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                several.add(statement.name)
            case _:
                several |= {node.id for node in _names(statement) if type(node.ctx) is not ast.Load}
    return {name: text for name, text in values.items() if name not in several}


def _names(statement: ast.stmt) -> list[ast.Name]:
    return [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
