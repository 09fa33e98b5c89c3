"""An independent list of the prompts in a tree of Python files.

It shares nothing with the product: no catalog, no import of agentgate, only `ast` and `symtable`, and the
list of prompts is written down again in prompts.py. The two must agree on the corpus; a difference is a bug
in one of them.

    python tests/corpus/oracle.py DIRECTORY [--exclude NAME]…    prints one JSON array
"""

import argparse
import ast
import json
import re
import symtable
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from prompts import DECLARATION, ONLY_WITH_PROMPT, PAUSE, PROMPTS, REFERENCE, SECRET, VALUE, YES_NO, canonical
from scopes import Module, Names, Walk

SECRET_FLAGS = {"password", "hide_input"}
YES_AND_NO = {"y", "yes", "n", "no"}
YES_NO_LABEL = re.compile(r"[(\[]\s*y(?:es)?\s*/\s*n(?:o)?\s*[)\]]", re.IGNORECASE)


class Site(NamedTuple):
    """One prompt: `line` from 1, `column` from 0 in characters, of the first character of the callee."""

    path: str
    line: int
    column: int
    call: str
    code: str


class Bindings(Walk):
    """First pass: which names are imports, classes and rich consoles, scope by scope."""

    def visit_Import(self, node: ast.Import) -> None:
        here = self._here()
        for alias in node.names:
            first = alias.name.split(".")[0]
            here.imports[alias.asname or first] = alias.name if alias.asname else first

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        source = self._absolute(node)
        for alias in node.names:
            if alias.name == "*":
                self.module.stars.append(source)
            else:
                self._here().imports[alias.asname or alias.name] = f"{source}.{alias.name}"

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._here().classes.add(node.name)
        # `PromptBase[dict]` is PromptBase.
        bases = [base.value if isinstance(base, ast.Subscript) else base for base in node.bases]
        known = [name for name in map(self.scopes.resolve, bases) if name]
        self.module.classes[f"{self.module.dotted}.{node.name}"] = known
        super().visit_ClassDef(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if self.scopes.makes_console(node.value):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    self._here().consoles.add(target.id)
                elif isinstance(target, ast.Attribute):
                    self.module.console_attributes.add(target.attr)
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        inside = isinstance(self.scopes.chain[-1], frozenset)
        if isinstance(node.ctx, ast.Store):
            (self._here().comprehension_targets if inside else self._here().stored).add(node.id)

    def _here(self) -> Names:
        return self.scopes.names(self.scopes.here)

    def _absolute(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        package = self.module.dotted.split(".")
        if not self.module.path.endswith("__init__.py"):
            package = package[:-1]
        package = package[: len(package) - node.level + 1]
        return ".".join([*package, *([node.module] if node.module else [])])


class Finder(Walk):
    """Second pass: the prompts."""

    def __init__(self, module: Module, classes: dict[str, list[str]]) -> None:
        super().__init__(module)
        self.classes = classes
        self.sites: list[Site] = []
        self.thrown_away: set[int] = set()
        self.inside: list[str] = []
        self.yes_no = set(_compared_with_yes(module.tree.body))

    def visit_Expr(self, node: ast.Expr) -> None:
        self.thrown_away.add(id(node.value))
        self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.inside.append(f"{self.module.dotted}.{node.name}")
        super().visit_ClassDef(node)
        self.inside.pop()

    def visit_Assign(self, node: ast.Assign) -> None:
        # `input = input` of a compatibility module: what is on the right is the built-in
        names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        if isinstance(node.value, ast.Name) and [node.value.id] == names and f"builtins.{names[0]}" in PROMPTS:
            self.add(node.value, f"builtins.{names[0]}", REFERENCE)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        call = self.prompt(node.func)
        if call is None:
            self.visit(node.func)
        elif code := self.code(call, node):
            self.add(node.func, call, code)
        for argument in (*node.args, *node.keywords):
            self.visit(argument)

    def visit_Name(self, node: ast.Name) -> None:
        self.reference(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if not self.reference(node):
            self.generic_visit(node)

    def reference(self, node: ast.Name | ast.Attribute) -> bool:
        call = self.prompt(node) if isinstance(node.ctx, ast.Load) else None
        if call is None:
            return False
        if PROMPTS[call] != DECLARATION:
            self.add(node, call, REFERENCE)
        return True

    def prompt(self, node: ast.expr) -> str | None:
        """The entry of PROMPTS that the expression is, if it is one."""
        if isinstance(node, ast.Attribute) and node.attr == "input" and self.scopes.is_console(node.value):
            return "rich.console.Console.input"
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            return self.method(node.attr)
        name = self.scopes.resolve(node)
        if name is None:
            return None
        if name.endswith(".ask"):
            name = f"{self.base(name.removesuffix('.ask'))}.ask"
        name = canonical(name)
        return name if name in PROMPTS else None

    def method(self, name: str) -> str | None:
        """The prompt that a method of the class around comes from."""
        bases = [base for one in self.inside[-1:] for base in self.classes.get(one, [])]
        return next((f"{base}.{name}" for base in bases if f"{base}.{name}" in PROMPTS), None)

    def base(self, name: str, depth: int = 0) -> str:
        """The rich prompt class that a class of this tree comes from; the name itself where it is none."""
        for base in self.classes.get(name, []) if depth < 20 else []:
            found = self.base(base, depth + 1)
            if f"{found}.ask" in PROMPTS:
                return found
        return name

    def code(self, call: str, node: ast.Call) -> str | None:
        if call in ONLY_WITH_PROMPT and not any(_is_on(k, {"prompt"}) for k in node.keywords):
            return None
        if PROMPTS[call] != VALUE:
            return PROMPTS[call]
        if any(_is_on(k, SECRET_FLAGS) for k in node.keywords):
            return SECRET
        if call == "builtins.input":
            if id(node) in self.yes_no or (node.args and YES_NO_LABEL.search(_literal_text(node.args[0]))):
                return YES_NO
            if id(node) in self.thrown_away:
                return PAUSE
        return VALUE

    def add(self, node: ast.expr, call: str, code: str) -> None:
        line = self.module.lines[node.lineno - 1]
        column = len(line.encode()[: node.col_offset].decode())
        self.sites.append(Site(self.module.path, node.lineno, column, call, code))


def _is_on(keyword: ast.keyword, names: set[str]) -> bool:
    off = isinstance(keyword.value, ast.Constant) and not keyword.value.value
    return keyword.arg in names and not off


def _literal_text(node: ast.expr) -> str:
    """The text of a label that is in the source, whatever it is put together with."""
    parts = (n.value for n in ast.walk(node) if isinstance(n, ast.Constant))
    return " ".join(part for part in parts if isinstance(part, str))


def _compared_with_yes(body: list[ast.stmt], after: tuple[ast.stmt, ...] = ()) -> Iterator[int]:
    """The calls, by `id`, whose answer is compared with a yes or no: at once, or later by its name.

    `after` are the statements of the blocks around that come later in the same function.
    """
    for place, statement in enumerate(body):
        rest = (*body[place + 1 :], *after)
        for node in _own(statement):
            if isinstance(node, ast.Compare) and _is_yes_or_no(node.comparators[0]):
                yield id(_inmost(node.left))
        names = statement.targets if isinstance(statement, ast.Assign) else []
        if isinstance(statement, ast.Assign) and any(
            _is_compared(n.id, rest) for n in names if isinstance(n, ast.Name)
        ):
            yield id(_inmost(statement.value))
        is_scope = isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        for block in _blocks(statement):
            yield from _compared_with_yes(block, () if is_scope else rest)


def _own(statement: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement that are not in a statement below it."""
    todo: list[ast.AST] = [statement]
    while todo:
        node = todo.pop()
        yield node
        todo += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt)]


def _blocks(statement: ast.AST) -> Iterator[list[ast.stmt]]:
    for _, value in ast.iter_fields(statement):
        if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
            yield value
        elif isinstance(value, list):
            for part in value:
                if isinstance(part, ast.ExceptHandler | ast.match_case):
                    yield part.body


def _is_compared(name: str, rest: tuple[ast.stmt, ...]) -> bool:
    """Whether the name is compared with a yes or no before something else is bound to it."""
    nodes = [node for statement in rest for node in ast.walk(statement) if isinstance(node, ast.Compare | ast.Assign)]
    for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):
        if isinstance(node, ast.Compare):
            answer = _inmost(node.left)
            if isinstance(answer, ast.Name) and answer.id == name and _is_yes_or_no(node.comparators[0]):
                return True
        elif name in _names(*node.targets) and name not in _names(node.value):
            return False
    return False


def _names(*expressions: ast.expr) -> set[str]:
    return {node.id for one in expressions for node in ast.walk(one) if isinstance(node, ast.Name)}


def _inmost(node: ast.expr) -> ast.expr:
    """`answer` of `answer[0].strip().lower()`."""
    while True:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
            node = node.func.value
        elif isinstance(node, ast.Subscript):
            node = node.value
        else:
            return node


def _is_yes_or_no(node: ast.expr) -> bool:
    """Whether a yes or no is all that the expression holds; `in "yn"` looks for a letter of a text."""
    elements = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    words = [element.value for element in elements if isinstance(element, ast.Constant)]
    texts = [word.lower() for word in words if isinstance(word, str) and word]
    return len(texts) == len(elements) and bool(texts) and all(t in YES_AND_NO or t == "yn" for t in texts)


def _read(root: Path, file: Path) -> Module:
    data = file.read_bytes()
    path = file.relative_to(root).as_posix()
    text = data.decode("utf-8-sig")
    with warnings.catch_warnings():
        # Other people's invalid escapes are none of our business.
        warnings.simplefilter("ignore")
        tree = ast.parse(text, path)
        table = symtable.symtable(text, path, "exec")
    dotted = path.removesuffix(".py").removeprefix("src/").replace("/", ".").removesuffix(".__init__")
    return Module(path, dotted, re.split("\r\n|\r|\n", text), tree, table)


def find(root: Path, files: list[Path]) -> list[Site]:
    """Every prompt in `files`, which lie under `root`, in the order of path and position.

    Raises SyntaxError or UnicodeDecodeError for a file that is not Python of this interpreter in UTF-8.
    """
    modules = [_read(root, file) for file in sorted(files)]
    classes: dict[str, list[str]] = {}
    for module in modules:
        Bindings(module).visit(module.tree)
        classes |= module.classes
    sites: list[Site] = []
    for module in modules:
        finder = Finder(module, classes)
        finder.visit(module.tree)
        sites += finder.sites
    return sorted(sites)


def python_files(root: Path, exclude: set[str]) -> list[Path]:
    """All .py files below `root`, but for those in or named one of `exclude` (paths or plain names)."""
    files = []
    for file in sorted(root.rglob("*.py")):
        path = file.relative_to(root)
        here = {*path.parts, *(parent.as_posix() for parent in path.parents), path.as_posix()}
        if not here & exclude:
            files.append(file)
    return files


def main() -> int:
    parser = argparse.ArgumentParser(description="List every prompt in a tree of Python files, as JSON.")
    parser.add_argument("root", type=Path)
    parser.add_argument("--exclude", action="append", default=[], metavar="NAME")
    arguments = parser.parse_args()
    try:
        sites = find(arguments.root, python_files(arguments.root, set(arguments.exclude)))
    except (SyntaxError, UnicodeDecodeError) as error:
        print(f"oracle: {error}", file=sys.stderr)
        return 2
    print(json.dumps([site._asdict() for site in sites], indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
