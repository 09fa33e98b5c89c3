"""From what the resolver found to findings."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from agentgate.catalog import Prompt
from agentgate.lint.arguments import argument, may_prompt
from agentgate.lint.finding import CODE_OF_KIND, DECLARATION, REFERENCE, Finding
from agentgate.lint.index import BUILTINS, Index
from agentgate.lint.kinds import Asked, asked
from agentgate.lint.labels import HOLE, Labels, answer_name
from agentgate.lint.messages import message
from agentgate.lint.references import is_handed_on
from agentgate.lint.resolve import Resolution, resolve
from agentgate.lint.source import Source
from agentgate.lint.suppress import suppressions
from agentgate.lint.tree import Parents

__all__ = ["Site", "check"]


class Site(NamedTuple):
    """A finding, and what an edit of it needs.

    node: the expression to wrap, at start to end in the text. reference: it is no callee.
    hints: keyword arguments for the gate. reason: why it is not to be rewritten; None when it may be.
    """

    finding: Finding
    node: ast.expr
    start: int
    end: int
    reference: bool
    hints: tuple[tuple[str, str], ...]
    reason: str | None


def check(path: str, source: Source, index: Index) -> tuple[Resolution, list[Site]]:
    """All places of a file that can wait for a person, in order, without those that a comment keeps."""
    resolution = resolve(source.tree, index)
    if not resolution.uses:
        return resolution, []
    checker = _Checker(path, source, resolution)
    return resolution, sorted(checker.sites(), key=lambda site: (site.finding.line, site.finding.column))


class _Checker:
    def __init__(self, path: str, source: Source, resolution: Resolution) -> None:
        self.path = path
        self.source = source
        self.resolution = resolution
        self.parents = Parents(source.tree)
        self.labels = Labels(source.tree, resolution.bindings, self.parents)
        self.silent = suppressions(source)

    def sites(self) -> Iterator[Site]:
        for node, prompt in self.resolution.uses.items():
            site = self.site(node, prompt)
            if site is not None and not self.is_silent(site):
                yield site

    def site(self, node: ast.expr, prompt: Prompt) -> Site | None:
        parent = self.parents.of(node)
        if isinstance(parent, ast.Call) and parent.func is node:
            return self.call(parent, prompt) if may_prompt(parent, prompt) else None
        if isinstance(parent, ast.Call) and parent in self.resolution.gates and parent.args[0] is node:
            return None
        # a declaration is called to declare; whoever only names it declares nothing yet
        if prompt.declares or not is_handed_on(node, self.parents):
            return None
        return self.record(node, prompt, REFERENCE, Asked(prompt.kind), None, reference=True)

    def call(self, call: ast.Call, prompt: Prompt) -> Site:
        label, hints = self.label(call, prompt)
        kind = asked(call, prompt, label, self.parents)
        code = DECLARATION if prompt.declares else CODE_OF_KIND[kind.kind]
        return self.record(call.func, prompt, code, Asked(kind.kind, (*hints, *kind.hints)), label)

    def label(self, call: ast.Call, prompt: Prompt) -> tuple[str | None, tuple[tuple[str, str], ...]]:
        """What the call says, and a hint when it is not the call that says it."""
        expression = argument(call, prompt, prompt.label)
        if expression is not None:
            return self.labels.read(expression), ()
        if (
            not call.args
            and not call.keywords
            and prompt.label_default is None
            and prompt.strategy == "value"
            and prompt.label
        ):
            printed = self.labels.printed_before(call)
            return printed, (("label", printed),) if printed is not None and _is_plain(printed) else ()
        return (prompt.label_default if not call.args and not call.keywords else None), ()

    def record(
        self, node: ast.expr, prompt: Prompt, code: str, kind: Asked, label: str | None, *, reference: bool = False
    ) -> Site:
        start, end = self.source.start(node), self.source.end(node)
        in_string = any(isinstance(above, ast.JoinedStr) for above in self.parents.above(node))
        reason = self.reason(node, prompt, start, end, in_string)
        call = prompt.call.removeprefix(BUILTINS + ".")
        end_line = node.end_lineno or node.lineno
        finding = Finding(
            code=code,
            kind=kind.kind,
            call=call,
            path=self.path,
            line=node.lineno,
            column=self.source.column(node.lineno, node.col_offset) + 1,
            end_line=end_line,
            end_column=self.source.column(end_line, node.end_col_offset or 0) + 1,
            label=label,
            name=answer_name(label, markup=prompt.markup),
            message=message(code, kind.kind, call),
            fix="none" if reason else prompt.fix,
        )
        # the quotes of a hint would end the string around it, before Python 3.12
        return Site(finding, node, start, end, reference, () if in_string else kind.hints, reason)

    def reason(self, node: ast.expr, prompt: Prompt, start: int, end: int, in_string: bool) -> str | None:
        """Why a place is not to be rewritten."""
        if prompt.fix == "none":
            return "what to do with it is for a person to decide"
        if in_string and not _is_source_of(node, self.source.text[start:end]):
            return "it stands in an f-string, where this Python cannot tell its place"
        if in_string and self.is_quoted(node):
            return "an f-string shows its source text"
        return None

    def is_quoted(self, node: ast.expr) -> bool:
        """The node stands in `{…=}`, which prints the source itself."""
        shown = [above.value for above in self.parents.above(node) if isinstance(above, ast.FormattedValue)]
        return any(self.source.text[self.source.end(value) :][:80].lstrip(" \t)").startswith("=") for value in shown)

    def is_silent(self, site: Site) -> bool:
        parent = self.parents.of(site.node)
        whole = parent if isinstance(parent, ast.Call) and parent.func is site.node else site.node
        lines = {whole.lineno, site.finding.line, site.finding.end_line, whole.end_lineno or whole.lineno}
        return self.silent.silence(site.finding.code, lines)


def _is_plain(text: str) -> bool:
    """The label can be written as one short literal."""
    return HOLE not in text and "\n" not in text


def _is_source_of(node: ast.expr, text: str) -> bool:
    try:
        return ast.dump(ast.parse(f"({text}\n)", mode="eval").body) == ast.dump(node)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
