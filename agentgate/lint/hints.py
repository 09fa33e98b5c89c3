"""What only the code around a prompt tells the run: the answer's name, and the program's own option for it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from agentgate import label as words
from agentgate.lint.known import known
from agentgate.lint.scopes import COMPREHENSIONS, FUNCTIONS
from agentgate.lint.source import Source
from agentgate.lint.tree import Parents

__all__ = ["Flags", "Written", "as_written", "target"]

# calls that hand an answer on as what it is
_CONVERSIONS = frozenset({"int", "float", "str", "Path", "bool"})
_TRIMS = frozenset({"strip", "lstrip", "rstrip", "lower", "upper", "casefold"})
# what says nothing more of an answer than that it is one
_ANYBODYS = ("user_", "new_", "raw_", "the_", "your_", "my_")
# what can be read a second time, right behind the first, and says the same
_STEADY = (
    ast.Name,
    ast.Attribute,
    ast.Constant,
    ast.JoinedStr,
    ast.FormattedValue,
    ast.BinOp,
    ast.Add,
    ast.Mod,
    ast.Load,
)


class Written(str):
    """A hint that stands in the source as it is, and is no literal."""

    __slots__ = ()


def as_written(hint: str, expression: ast.expr, source: Source) -> tuple[tuple[str, str], ...]:
    """A hint that repeats a simple expression; none where it is more than that."""
    if expression.lineno != expression.end_lineno:
        return ()
    if not all(isinstance(part, _STEADY) for part in ast.walk(expression)):
        return ()
    return ((hint, Written(source.text[source.start(expression) : source.end(expression)])),)


def target(call: ast.Call, parents: Parents, *, alike: bool = False) -> str | None:
    """The name of what holds the answer: a variable, an attribute, a key, a keyword; None when it says nothing.

    alike: all rounds of a loop ask the same.
    """
    if not alike and _repeats(call, parents):
        return None  # each round's own label tells its answer from the others'
    name = _holder(call, parents)
    slug = words.slug(name) if name is not None else ""
    plain = next((slug.removeprefix(one) for one in _ANYBODYS if slug.startswith(one)), slug)
    return slug if len(slug) > 1 and not {slug, plain} & known().questions.vague else None


def _holder(call: ast.Call, parents: Parents) -> str | None:
    node, parent = _converted(call, parents)
    match parent:
        case ast.Assign(targets=[one]) | ast.AnnAssign(target=one):
            return _written(one)
        case ast.keyword(arg=str(name)):
            return name
        case ast.Dict(keys=keys, values=values):
            key = keys[values.index(node)] if node in values else None
            return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else None
        case _:
            return None


def _repeats(call: ast.Call, parents: Parents) -> bool:
    for above in parents.above(call):
        if isinstance(above, (*FUNCTIONS, ast.ClassDef)):
            return False
        if isinstance(above, (*COMPREHENSIONS, ast.For, ast.AsyncFor, ast.While)):
            return True
    return False


def _converted(call: ast.expr, parents: Parents) -> tuple[ast.expr, ast.AST | None]:
    """The call with what converts its answer around it, and what that stands in."""
    node: ast.expr = call
    while True:
        parent = parents.of(node)
        outer = parents.of(parent) if parent is not None else None
        if isinstance(parent, ast.Attribute) and parent.attr in _TRIMS and isinstance(outer, ast.Call):
            node = outer
        elif isinstance(parent, ast.BoolOp | ast.IfExp | ast.Await | ast.NamedExpr) or (
            isinstance(parent, ast.Call) and parent.args == [node] and _called(parent) in _CONVERSIONS
        ):
            node = parent
        else:
            return node, parent


def _called(call: ast.Call) -> str:
    return getattr(call.func, "id", getattr(call.func, "attr", ""))


def _written(node: ast.expr) -> str | None:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(slice=ast.Constant(value=str(name))):
            return name
        case _:
            return None


class Flags:
    """The options that a module declares, and which of them a prompt stands in for."""

    def __init__(self, source: Source, parents: Parents) -> None:
        self._source = source
        self._parents = parents

    @cached_property
    def _parsed(self) -> dict[str, str]:
        """The options of the module's argparse parsers, by the attribute that holds their value."""
        around = self._source.on_lines_of(["add_argument", "add_subparsers"])
        calls = [node for node in around if isinstance(node, ast.Call)]
        # an option of the whole program has to stand before a subcommand, which nobody can tell from here
        subcommands = any(_called(call) == "add_subparsers" for call in calls)
        return {} if subcommands else dict(_declared(calls, "add_argument"))

    def of(self, call: ast.Call) -> str | None:
        """The option whose value the prompt asks for when it is left out: `args.port or input(…)`."""
        found = {flag for node in self._instead_of(call) if (flag := self._flag(node)) is not None}
        return found.pop() if len(found) == 1 else None

    def _instead_of(self, call: ast.Call) -> Iterator[ast.expr]:
        """What the prompt's answer takes the place of."""
        child: ast.AST = call
        for above in self._parents.above(call):
            if isinstance(above, ast.BoolOp) and isinstance(above.op, ast.Or) and child in above.values:
                yield from above.values[: above.values.index(child)]
            elif isinstance(above, ast.IfExp) and child is not above.test:
                yield from _missing(above.test, there=child is above.orelse)
            elif isinstance(above, ast.If) and child in above.body:
                written = {ast.unparse(one) for one in _targets(child)}
                yield from (node for node in _missing(above.test) if ast.unparse(node) in written)
                return
            elif isinstance(above, ast.stmt) and not isinstance(above, ast.Assign | ast.AnnAssign):
                return
            child = above

    def _flag(self, node: ast.expr) -> str | None:
        if isinstance(node, ast.Attribute):
            return self._parsed.get(node.attr)
        if not isinstance(node, ast.Name):
            return None
        function = next((one for one in self._parents.above(node) if isinstance(one, FUNCTIONS)), None)
        if function is None or isinstance(function, ast.Lambda):
            return None
        taken_from = self._first_value(node, function)
        if isinstance(taken_from, ast.Attribute):
            return self._parsed.get(taken_from.attr)
        decorators = [one for one in function.decorator_list if isinstance(one, ast.Call)]
        if any(_called(one) in ("group", "callback") for one in decorators):
            return None
        return {**dict(_annotated(function.args)), **dict(_declared(decorators, "option"))}.get(node.id)

    def _first_value(self, node: ast.Name, function: ast.AST) -> ast.expr | None:
        """What a variable of the function is set to at first: `port = args.port`."""
        written = [use for use in self._parents.names(function).get(node.id, []) if type(use.ctx) is not ast.Load]
        statement = self._parents.of(written[0]) if written else None
        return statement.value if isinstance(statement, ast.Assign) and statement.targets == written[:1] else None


def _missing(test: ast.expr, *, there: bool = False) -> Iterator[ast.expr]:
    """What a test says is left out: `x is None`, `not x`. there: `x`, `x is not None` say so by being false."""
    match test:
        case ast.Compare(left=left, ops=[ast.Is() | ast.Eq()], comparators=[ast.Constant(value=None)]) if not there:
            yield left
        case ast.Compare(left=left, ops=[ast.IsNot() | ast.NotEq()], comparators=[ast.Constant(value=None)]) if there:
            yield left
        case ast.UnaryOp(op=ast.Not(), operand=operand) if not there:
            yield operand
        case ast.Name() | ast.Attribute() if there:
            yield test
        case _:
            return


def _targets(statement: ast.AST) -> list[ast.expr]:
    return statement.targets if isinstance(statement, ast.Assign) else []


def _declared(calls: list[ast.Call], method: str) -> Iterator[tuple[str, str]]:
    """The names and flags of the options that take a value, among these calls of a parser's method."""
    for call in calls:
        if _called(call) != method:
            continue
        given = [one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        keywords = {one.arg: one.value for one in call.keywords}
        flags = [one for one in given if one.startswith("--") and "/" not in one]
        action = keywords.get("action")
        takes_value = action is None or (isinstance(action, ast.Constant) and action.value == "store")
        if not flags or not takes_value or "is_flag" in keywords or "nargs" in keywords or None in keywords:
            continue
        plain = [one for one in given if one.isidentifier()]
        dest = keywords.get("dest")
        if isinstance(dest, ast.Constant) and isinstance(dest.value, str):
            plain = [dest.value]
        first = flags[0].lstrip("-").replace("-", "_")
        yield (plain or [first if method == "add_argument" else first.lower()])[0], max(flags, key=len)


def _annotated(arguments: ast.arguments) -> Iterator[tuple[str, str]]:
    """The parameters that typer makes options that take a value of, and their flags."""
    several = [*arguments.posonlyargs, *arguments.args]
    defaults = dict(zip(reversed(several), reversed(arguments.defaults), strict=False))
    defaults |= {one: given for one, given in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if given}
    for parameter in (*several, *arguments.kwonlyargs):
        held, types = [defaults.get(parameter)], [parameter.annotation]
        match parameter.annotation:
            case ast.Subscript(
                value=ast.Name(id="Annotated") | ast.Attribute(attr="Annotated"), slice=ast.Tuple(elts=parts)
            ):
                held, types = [*held, *parts[1:]], [*parts[:1]]
        option = next((one for one in held if isinstance(one, ast.Call) and _called(one) == "Option"), None)
        names = {getattr(part, "id", "") for one in types if one is not None for part in ast.walk(one)}
        if option is None or names & {"bool", "list", "List", "tuple", "Tuple"}:
            continue
        keywords = {one.arg for one in option.keywords}
        given = [one.value for one in option.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        flags = [one for one in given if one.startswith("--") and "/" not in one]
        if not keywords & {"count", "is_flag", None}:
            yield parameter.arg, max(flags, key=len, default="--" + parameter.arg.replace("_", "-"))
