"""Names to what they stand for: a walk over a module that knows Python's scopes."""

import ast
import symtable
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from prompts import PROMPTS, canonical

CONSOLE_MAKERS = {"rich.console.Console", "rich.get_console"}


@dataclass
class Module:
    """One parsed file, with the names that its scopes bind."""

    path: str
    dotted: str
    lines: list[str]
    tree: ast.Module
    table: symtable.SymbolTable
    scopes: dict[int, "Names"] = field(default_factory=dict)
    classes: dict[str, list[str]] = field(default_factory=dict)
    console_attributes: set[str] = field(default_factory=set)
    stars: list[str] = field(default_factory=list)


@dataclass
class Names:
    """What the statements of one scope bind: imports by full name, and names that hold a rich Console."""

    imports: dict[str, str] = field(default_factory=dict)
    consoles: set[str] = field(default_factory=set)
    classes: set[str] = field(default_factory=set)
    stored: set[str] = field(default_factory=set)
    comprehension_targets: set[str] = field(default_factory=set)


class Scopes:
    """The chain of scopes from the module down to the place that is looked at.

    A comprehension is the set of its targets: since Python 3.12 the symbol table has no scope for it any
    more and adds its targets to those of the scope around it.
    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self.chain: list[symtable.SymbolTable | frozenset[str]] = [module.table]
        self.taken: set[int] = set()

    @property
    def here(self) -> symtable.SymbolTable:
        return next(scope for scope in reversed(self.chain) if isinstance(scope, symtable.SymbolTable))

    def names(self, table: symtable.SymbolTable) -> Names:
        return self.module.scopes.setdefault(table.get_id(), Names())

    def child(self, name: str, line: int) -> symtable.SymbolTable | None:
        """The scope that a node makes. Lambdas of one line are met in the order of the source."""
        for child in _below(self.here):
            if child.get_id() not in self.taken and (child.get_name(), child.get_lineno()) == (name, line):
                self.taken.add(child.get_id())
                return child
        return None

    @contextmanager
    def inside(self, name: str, line: int, targets: frozenset[str] | None = None) -> Iterator[None]:
        child = self.child(name, line)
        if child is None and targets is None:
            raise LookupError(f"{self.module.path}:{line}: no scope {name}")
        before = len(self.chain)
        self.chain += [scope for scope in (child, targets) if scope is not None]
        yield
        del self.chain[before:]

    def owner(self, name: str) -> symtable.SymbolTable | frozenset[str] | None:
        """The scope that binds `name` as it is seen from here, or None for a builtin or a star import."""
        for table in reversed(self.chain):
            if isinstance(table, frozenset):
                if name in table:
                    return table
                continue
            # A class body is not an enclosing scope of its methods.
            if table.get_type() == "class" and table is not self.chain[-1]:
                continue
            try:
                symbol = table.lookup(name)
            except KeyError:
                continue
            if symbol.is_global() and table is not self.module.table:
                break
            if symbol.is_local() and (symbol.is_assigned() or symbol.is_imported() or symbol.is_parameter()):
                return table
        try:
            symbol = self.module.table.lookup(name)
        except KeyError:
            return None
        names = self.names(self.module.table)
        only_target = name in names.comprehension_targets and name not in names.stored
        bound = (symbol.is_assigned() and not only_target) or symbol.is_imported() or symbol.is_namespace()
        return self.module.table if bound else None

    def resolve(self, node: ast.expr) -> str | None:
        """The full dotted name of an expression such as `input`, `click.prompt` or `Alias.ask`."""
        if isinstance(node, ast.Attribute):
            left = self.resolve(node.value)
            return f"{left}.{node.attr}" if left else None
        if not isinstance(node, ast.Name):
            return None
        owner = self.owner(node.id)
        if owner is None:
            return self._unbound(node.id)
        if isinstance(owner, frozenset):
            return None
        names = self.names(owner)
        if node.id in names.imports:
            return names.imports[node.id]
        if node.id in names.classes:
            return f"{self.module.dotted}.{node.id}"
        return None

    def _unbound(self, name: str) -> str | None:
        for star in self.module.stars:
            if canonical(f"{star}.{name}") in PROMPTS or canonical(f"{star}.{name}.ask") in PROMPTS:
                return f"{star}.{name}"
        return f"builtins.{name}" if name in {"input", "raw_input"} else None

    def makes_console(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Call) and self.resolve(node.func) in CONSOLE_MAKERS

    def is_console(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Name):
            owner = self.owner(node.id)
            return isinstance(owner, symtable.SymbolTable) and node.id in self.names(owner).consoles
        if isinstance(node, ast.Attribute):
            return node.attr in self.module.console_attributes
        return self.makes_console(node)


def _below(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    """The scopes directly in `table`; one for type parameters lies between a generic def and its body."""
    for child in table.get_children():
        if child.get_type() in {"type parameter", "type parameters", "TypeVar bound", "type variable"}:
            yield from _below(child)
        else:
            yield child


def _targets(node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> frozenset[str]:
    names = (name for g in node.generators for name in ast.walk(g.target) if isinstance(name, ast.Name))
    return frozenset(name.id for name in names if isinstance(name.ctx, ast.Store))


class Walk(ast.NodeVisitor):
    """Visits every node with `self.scopes` standing where Python would evaluate it."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.scopes = Scopes(module)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for outside in (*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)):
            self.visit(outside)
        with self.scopes.inside(node.name, node.lineno):
            for statement in node.body:
                self.visit(statement)

    visit_FunctionDef = _function
    visit_AsyncFunctionDef = _function

    def visit_Lambda(self, node: ast.Lambda) -> None:
        for outside in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
            self.visit(outside)
        with self.scopes.inside("lambda", node.lineno):
            self.visit(node.body)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for outside in (*node.decorator_list, *node.bases, *node.keywords):
            self.visit(outside)
        with self.scopes.inside(node.name, node.lineno):
            for statement in node.body:
                self.visit(statement)

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        kind = type(node).__name__
        name = "genexpr" if kind == "GeneratorExp" else kind.lower()
        self.visit(node.generators[0].iter)
        inner = [part for g in node.generators[1:] for part in (g.target, g.iter, *g.ifs)]
        inner += [node.generators[0].target, *node.generators[0].ifs]
        inner += [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        with self.scopes.inside(name, node.lineno, _targets(node)):
            for part in inner:
                self.visit(part)

    visit_ListComp = _comprehension
    visit_SetComp = _comprehension
    visit_DictComp = _comprehension
    visit_GeneratorExp = _comprehension

    # Annotations hold no prompt, and have scopes of their own from Python 3.14 on.
    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.visit(node.target)
        if node.value:
            self.visit(node.value)
