"""Expressions: libcst's nodes to those of `ast`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

import libcst as cst

from agentgate.lint.newer.places import Places
from agentgate.lint.newer.strings import string

__all__ = ["Expressions", "store"]

_CONSTANTS = {"True": True, "False": False, "None": None}
_BINARY = {
    cst.Add: ast.Add, cst.Subtract: ast.Sub, cst.Multiply: ast.Mult, cst.MatrixMultiply: ast.MatMult,
    cst.Divide: ast.Div, cst.FloorDivide: ast.FloorDiv, cst.Modulo: ast.Mod, cst.Power: ast.Pow,
    cst.LeftShift: ast.LShift, cst.RightShift: ast.RShift, cst.BitAnd: ast.BitAnd, cst.BitOr: ast.BitOr,
    cst.BitXor: ast.BitXor,
}  # fmt: skip
_UNARY = {cst.Plus: ast.UAdd, cst.Minus: ast.USub, cst.BitInvert: ast.Invert, cst.Not: ast.Not}
_BOOLEAN = {cst.And: ast.And, cst.Or: ast.Or}
_COMPARE = {
    cst.LessThan: ast.Lt, cst.GreaterThan: ast.Gt, cst.Equal: ast.Eq, cst.LessThanEqual: ast.LtE,
    cst.GreaterThanEqual: ast.GtE, cst.In: ast.In, cst.Is: ast.Is,
}  # fmt: skip


def store(node: ast.expr, context: type[ast.expr_context] = ast.Store) -> ast.expr:
    """The same expression as something that is assigned to, or deleted."""
    pending = [node]
    while pending:
        one = pending.pop()
        if hasattr(one, "ctx"):
            one.ctx = context()
        if isinstance(one, ast.Tuple | ast.List):
            pending += one.elts
        elif isinstance(one, ast.Starred):
            pending.append(one.value)
    return node


class Expressions:
    """Converts the expressions of one module."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self._converters: dict[type, Callable[[Any], ast.expr]] = {
            cst.Name: self._name,
            cst.Attribute: lambda node: ast.Attribute(self(node.value), node.attr.value, ast.Load()),
            cst.Call: self._call,
            cst.Subscript: self._subscript,
            cst.Integer: lambda node: ast.Constant(node.evaluated_value),
            cst.Float: lambda node: ast.Constant(node.evaluated_value),
            cst.Imaginary: lambda node: ast.Constant(node.evaluated_value),
            cst.Ellipsis: lambda node: ast.Constant(...),
            cst.SimpleString: lambda node: string(node, self),
            cst.ConcatenatedString: lambda node: string(node, self),
            cst.FormattedString: lambda node: string(node, self),
            cst.Tuple: lambda node: ast.Tuple(self._elements(node.elements), ast.Load()),
            cst.List: lambda node: ast.List(self._elements(node.elements), ast.Load()),
            cst.Set: lambda node: ast.Set(self._elements(node.elements)),
            cst.Dict: self._dict,
            cst.GeneratorExp: lambda node: ast.GeneratorExp(self(node.elt), self._generators(node.for_in)),
            cst.ListComp: lambda node: ast.ListComp(self(node.elt), self._generators(node.for_in)),
            cst.SetComp: lambda node: ast.SetComp(self(node.elt), self._generators(node.for_in)),
            cst.DictComp: lambda node: ast.DictComp(self(node.key), self(node.value), self._generators(node.for_in)),
            cst.Lambda: lambda node: ast.Lambda(self.arguments(node.params), self(node.body)),
            cst.IfExp: lambda node: ast.IfExp(self(node.test), self(node.body), self(node.orelse)),
            cst.BinaryOperation: self._binary,
            cst.BooleanOperation: self._boolean,
            cst.UnaryOperation: lambda node: ast.UnaryOp(_UNARY[type(node.operator)](), self(node.expression)),
            cst.Comparison: self._comparison,
            cst.Await: lambda node: ast.Await(self(node.expression)),
            cst.Yield: self._yield,
            cst.NamedExpr: lambda node: ast.NamedExpr(store(self(node.target)), self(node.value)),  # type: ignore[arg-type]
            cst.StarredElement: lambda node: ast.Starred(self(node.value), ast.Load()),
        }
        if hasattr(cst, "TemplatedString"):
            self._converters[cst.TemplatedString] = lambda node: string(node, self)

    def __call__(self, node: cst.BaseExpression | cst.BaseElement) -> ast.expr:
        if isinstance(node, cst.Element):
            return self(node.value)
        return self.places.put(self._converters[type(node)](node), node)

    def maybe(self, node: cst.BaseExpression | None) -> ast.expr | None:
        """The expression, if there is one."""
        return None if node is None else self(node)

    def _elements(self, elements: Sequence[cst.BaseElement]) -> list[ast.expr]:
        return [self(element) for element in elements]

    def _name(self, node: cst.Name) -> ast.expr:
        if node.value in _CONSTANTS:
            return ast.Constant(_CONSTANTS[node.value])
        return ast.Name(node.value, ast.Load())

    def _call(self, node: cst.Call) -> ast.expr:
        args, keywords = self.call_arguments(node.args)
        return ast.Call(self(node.func), args, keywords)

    def call_arguments(self, given: Sequence[cst.Arg]) -> tuple[list[ast.expr], list[ast.keyword]]:
        """The arguments of a call, or the bases of a class."""
        args: list[ast.expr] = []
        keywords: list[ast.keyword] = []
        for arg in given:
            value = self(arg.value)
            if arg.star == "*":
                args.append(self.places.put(ast.Starred(value, ast.Load()), arg))
            elif arg.star == "**" or arg.keyword is not None:
                name = arg.keyword.value if arg.keyword is not None else None
                keywords.append(self.places.put(ast.keyword(name, value), arg))
            else:
                args.append(value)
        return args, keywords

    def _subscript(self, node: cst.Subscript) -> ast.expr:
        parts = [self._index(element.slice) for element in node.slice]
        several = len(parts) > 1 or isinstance(node.slice[-1].comma, cst.Comma) or isinstance(parts[0], ast.Starred)
        index = parts[0]
        if several:
            index = self.places.span(ast.Tuple(parts, ast.Load()), parts[0], parts[-1])
        return ast.Subscript(self(node.value), index, ast.Load())

    def _index(self, node: cst.BaseSlice) -> ast.expr:
        if isinstance(node, cst.Index):
            value = self(node.value)
            return self.places.put(ast.Starred(value, ast.Load()), node) if node.star else value
        assert isinstance(node, cst.Slice)
        return self.places.put(ast.Slice(self.maybe(node.lower), self.maybe(node.upper), self.maybe(node.step)), node)

    def _dict(self, node: cst.Dict) -> ast.expr:
        keys = [self(one.key) if isinstance(one, cst.DictElement) else None for one in node.elements]
        return ast.Dict(keys, [self(one.value) for one in node.elements])

    def _generators(self, loop: cst.CompFor | None) -> list[ast.comprehension]:
        found = []
        while loop is not None:
            tests = [self(one.test) for one in loop.ifs]
            found.append(
                ast.comprehension(store(self(loop.target)), self(loop.iter), tests, int(loop.asynchronous is not None))
            )
            loop = loop.inner_for_in
        return found

    def _binary(self, node: cst.BinaryOperation) -> ast.expr:
        return ast.BinOp(self(node.left), _BINARY[type(node.operator)](), self(node.right))  # type: ignore[abstract,unused-ignore]

    def _boolean(self, node: cst.BooleanOperation) -> ast.expr:
        kind = type(node.operator)
        values = [self(node.right)]
        left = node.left
        while isinstance(left, cst.BooleanOperation) and type(left.operator) is kind and not left.lpar:
            values.append(self(left.right))
            left = left.left
        values.append(self(left))
        return ast.BoolOp(_BOOLEAN[kind](), values[::-1])  # type: ignore[abstract,unused-ignore]

    def _comparison(self, node: cst.Comparison) -> ast.expr:
        operators = [_compared(one.operator) for one in node.comparisons]
        return ast.Compare(self(node.left), operators, [self(one.comparator) for one in node.comparisons])

    def _yield(self, node: cst.Yield) -> ast.expr:
        if isinstance(node.value, cst.From):
            return ast.YieldFrom(self(node.value.item))
        return ast.Yield(self.maybe(node.value))

    def arguments(self, node: cst.Parameters) -> ast.arguments:
        """The parameters of a function."""
        plain = [*node.posonly_params, *node.params]
        star = node.star_arg if isinstance(node.star_arg, cst.Param) else None
        return ast.arguments(
            posonlyargs=[self._argument(one) for one in node.posonly_params],
            args=[self._argument(one) for one in node.params],
            vararg=self._argument(star) if star is not None else None,
            kwonlyargs=[self._argument(one) for one in node.kwonly_params],
            kw_defaults=[self.maybe(one.default) for one in node.kwonly_params],
            kwarg=self._argument(node.star_kwarg) if node.star_kwarg is not None else None,
            defaults=[self(one.default) for one in plain if one.default is not None],
        )

    def _argument(self, node: cst.Param) -> ast.arg:
        annotation = None
        if node.annotation is not None:
            annotation = self(node.annotation.annotation)
        new = self.places.put(ast.arg(node.name.value, annotation), node.name)
        return self.places.span(new, new, annotation) if annotation is not None else new


def _compared(operator: cst.BaseCompOp) -> ast.cmpop:
    if isinstance(operator, cst.NotEqual):
        return ast.NotEq()
    if isinstance(operator, cst.NotIn):
        return ast.NotIn()
    if isinstance(operator, cst.IsNot):
        return ast.IsNot()
    return _COMPARE[type(operator)]()  # type: ignore[abstract,unused-ignore]
