"""Statements: libcst's nodes to those of `ast`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

import libcst as cst

from agentgate.lint.newer import nodes
from agentgate.lint.newer.expressions import Expressions, store
from agentgate.lint.newer.patterns import pattern
from agentgate.lint.newer.places import Places

__all__ = ["module"]

_AUGMENTED = {
    cst.AddAssign: ast.Add, cst.SubtractAssign: ast.Sub, cst.MultiplyAssign: ast.Mult,
    cst.MatrixMultiplyAssign: ast.MatMult, cst.DivideAssign: ast.Div, cst.FloorDivideAssign: ast.FloorDiv,
    cst.ModuloAssign: ast.Mod, cst.PowerAssign: ast.Pow, cst.LeftShiftAssign: ast.LShift,
    cst.RightShiftAssign: ast.RShift, cst.BitAndAssign: ast.BitAnd, cst.BitOrAssign: ast.BitOr,
    cst.BitXorAssign: ast.BitXor,
}  # fmt: skip


def module(tree: cst.Module, places: Places) -> ast.Module:
    """The whole module."""
    return ast.Module(_Statements(places).several(tree.body), [])


class _Statements:
    def __init__(self, places: Places) -> None:
        self.places = places
        self.expression = Expressions(places)
        self._converters: dict[type, Callable[[Any], ast.stmt]] = {
            cst.Expr: lambda node: ast.Expr(self.expression(node.value)),
            cst.Pass: lambda node: ast.Pass(),
            cst.Break: lambda node: ast.Break(),
            cst.Continue: lambda node: ast.Continue(),
            cst.Return: lambda node: ast.Return(self.expression.maybe(node.value)),
            cst.Assert: lambda node: ast.Assert(self.expression(node.test), self.expression.maybe(node.msg)),
            cst.Del: self._del,
            cst.Raise: self._raise,
            cst.Import: lambda node: ast.Import([self._alias(one) for one in node.names]),
            cst.ImportFrom: self._import_from,
            cst.Assign: self._assign,
            cst.AnnAssign: self._annotated,
            cst.AugAssign: self._augmented,
            cst.Global: lambda node: ast.Global([one.name.value for one in node.names]),
            cst.Nonlocal: lambda node: ast.Nonlocal([one.name.value for one in node.names]),
            cst.TypeAlias: self._type_alias,
            cst.If: self._if,
            cst.For: self._for,
            cst.While: lambda node: ast.While(
                self.expression(node.test), self.block(node.body), self._orelse(node.orelse)
            ),
            cst.Try: self._try,
            cst.TryStar: self._try,
            cst.With: self._with,
            cst.FunctionDef: self._function,
            cst.ClassDef: self._class,
            cst.Match: self._match,
        }

    def several(self, statements: Sequence[cst.CSTNode]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in statements:
            small = statement.body if isinstance(statement, cst.SimpleStatementLine) else [statement]
            found += [self.places.put(self._converters[type(one)](one), one) for one in small]
        return [self._placed(one) for one in found]

    def _placed(self, new: ast.stmt) -> ast.stmt:
        """libcst ends a block with its line, `ast` with its last statement."""
        last = next(
            (
                block[-1]
                for field in ("finalbody", "orelse", "handlers", "cases", "body")
                if (block := getattr(new, field, None))
            ),
            None,
        )
        if last is not None and hasattr(last, "end_lineno"):
            new.end_lineno, new.end_col_offset = last.end_lineno, last.end_col_offset
        elif isinstance(new, ast.Match):
            end = new.cases[-1].body[-1]
            new.end_lineno, new.end_col_offset = end.end_lineno, end.end_col_offset
        return new

    def block(self, body: cst.BaseSuite) -> list[ast.stmt]:
        return self.several(body.body)

    def _orelse(self, node: cst.Else | cst.If | None) -> list[ast.stmt]:
        if node is None:
            return []
        return self.several([node]) if isinstance(node, cst.If) else self.block(node.body)

    def _del(self, node: cst.Del) -> ast.stmt:
        target = self.expression(node.target)
        bare = isinstance(node.target, cst.Tuple) and not node.target.lpar
        targets = target.elts if bare and isinstance(target, ast.Tuple) else [target]
        return ast.Delete([store(one, ast.Del) for one in targets])

    def _raise(self, node: cst.Raise) -> ast.stmt:
        cause = node.cause.item if node.cause is not None else None
        return ast.Raise(self.expression.maybe(node.exc), self.expression.maybe(cause))

    def _alias(self, node: cst.ImportAlias) -> ast.alias:
        asname = node.asname.name.value if node.asname is not None else None  # type: ignore[union-attr]
        return self.places.put(ast.alias(node.evaluated_name, asname), node)

    def _import_from(self, node: cst.ImportFrom) -> ast.stmt:
        name = _dotted(node.module) if node.module is not None else None
        if isinstance(node.names, cst.ImportStar):
            names = [self.places.put(ast.alias("*", None), node.names)]
        else:
            names = [self._alias(one) for one in node.names]
        return ast.ImportFrom(name, names, len(node.relative))

    def _assign(self, node: cst.Assign) -> ast.stmt:
        targets = [store(self.expression(one.target)) for one in node.targets]
        return ast.Assign(targets, self.expression(node.value), None)

    def _annotated(self, node: cst.AnnAssign) -> ast.stmt:
        simple = int(isinstance(node.target, cst.Name) and not node.target.lpar)
        target: Any = store(self.expression(node.target))
        return ast.AnnAssign(
            target, self.expression(node.annotation.annotation), self.expression.maybe(node.value), simple
        )

    def _augmented(self, node: cst.AugAssign) -> ast.stmt:
        target: Any = store(self.expression(node.target))
        return ast.AugAssign(target, _AUGMENTED[type(node.operator)](), self.expression(node.value))  # type: ignore[abstract,unused-ignore]

    def _type_alias(self, node: cst.TypeAlias) -> ast.stmt:
        new: ast.stmt = nodes.TypeAlias(
            store(self.expression(node.name)), self._type_parameters(node.type_parameters), self.expression(node.value)
        )
        return new

    def _type_parameters(self, node: cst.TypeParameters | None) -> list[Any]:
        found = []
        for one in node.params if node is not None else ():
            name = one.param.name.value
            default = self.expression.maybe(one.default)
            if isinstance(one.param, cst.TypeVar):
                new = nodes.TypeVar(name, self.expression.maybe(one.param.bound), default)
            else:
                new = (nodes.ParamSpec if isinstance(one.param, cst.ParamSpec) else nodes.TypeVarTuple)(name, default)
            found.append(self.places.put(new, one))
        return found

    def _if(self, node: cst.If) -> ast.stmt:
        return ast.If(self.expression(node.test), self.block(node.body), self._orelse(node.orelse))

    def _for(self, node: cst.For) -> ast.stmt:
        kind: Any = ast.For if node.asynchronous is None else ast.AsyncFor
        new: ast.stmt = kind(
            store(self.expression(node.target)),
            self.expression(node.iter),
            self.block(node.body),
            self._orelse(node.orelse),
            None,
        )
        return new

    def _try(self, node: cst.Try | cst.TryStar) -> ast.stmt:
        kind: Any = ast.Try if isinstance(node, cst.Try) else ast.TryStar
        final = self.block(node.finalbody.body) if node.finalbody is not None else []
        handlers = [self._handler(one) for one in node.handlers]
        new: ast.stmt = kind(self.block(node.body), handlers, self._orelse(node.orelse), final)
        return new

    def _handler(self, node: cst.ExceptHandler | cst.ExceptStarHandler) -> ast.ExceptHandler:
        name = node.name.name.value if node.name is not None else None  # type: ignore[union-attr]
        body = self.block(node.body)
        new = self.places.put(ast.ExceptHandler(self.expression.maybe(node.type), name, body), node)
        return self.places.span(new, new, body[-1])

    def _with(self, node: cst.With) -> ast.stmt:
        kind: Any = ast.With if node.asynchronous is None else ast.AsyncWith
        items = [
            ast.withitem(
                self.expression(one.item),
                store(self.expression(one.asname.name)) if one.asname is not None else None,
            )
            for one in node.items
        ]
        new: ast.stmt = kind(items, self.block(node.body), None)
        return new

    def _function(self, node: cst.FunctionDef) -> ast.stmt:
        kind: Any = ast.FunctionDef if node.asynchronous is None else ast.AsyncFunctionDef
        returns = node.returns.annotation if node.returns is not None else None
        new: ast.stmt = kind(
            node.name.value,
            self.expression.arguments(node.params),
            self.block(node.body),
            [self.expression(one.decorator) for one in node.decorators],
            self.expression.maybe(returns),
            None,
        )
        new.type_params = self._type_parameters(node.type_parameters)  # type: ignore[attr-defined,unused-ignore]
        return new

    def _class(self, node: cst.ClassDef) -> ast.stmt:
        bases, keywords = self.expression.call_arguments([*node.bases, *node.keywords])
        new = ast.ClassDef(node.name.value, bases, keywords, self.block(node.body), [])
        new.decorator_list = [self.expression(one.decorator) for one in node.decorators]
        new.type_params = self._type_parameters(node.type_parameters)  # type: ignore[attr-defined,unused-ignore]
        return new

    def _match(self, node: cst.Match) -> ast.stmt:
        cases = [
            ast.match_case(
                pattern(one.pattern, self.expression), self.expression.maybe(one.guard), self.block(one.body)
            )
            for one in node.cases
        ]
        return ast.Match(self.expression(node.subject), cases)


def _dotted(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.Attribute):
        return f"{_dotted(node.value)}.{node.attr.value}"
    assert isinstance(node, cst.Name)
    return node.value
