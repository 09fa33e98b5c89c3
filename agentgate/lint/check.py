"""From what the resolver found to findings."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from agentgate.catalog import Prompt
from agentgate.lint.arguments import argument, may_prompt
from agentgate.lint.context import Context
from agentgate.lint.finding import CODE_OF_KIND, DECLARATION, REFERENCE
from agentgate.lint.hints import Flags, as_written, target
from agentgate.lint.index import BUILTINS, Index
from agentgate.lint.kinds import Asked, asked
from agentgate.lint.known import STDIN
from agentgate.lint.labels import HOLE, Labels, answer_name
from agentgate.lint.left import Reasons
from agentgate.lint.options import declared
from agentgate.lint.patterns import (
    browser_login,
    consent_bypass,
    effect_before_prompt,
    own_detection,
    prompting_child,
    swallowed_stop,
    tty_guard,
    ungated_effect,
)
from agentgate.lint.patterns.printed_question import printed_question
from agentgate.lint.printed import printed_before
from agentgate.lint.project import Neighbours, project
from agentgate.lint.references import is_handed_on
from agentgate.lint.resolve import Resolution, resolve
from agentgate.lint.sites import Place, Site, Sites
from agentgate.lint.source import Source
from agentgate.lint.spread import keys
from agentgate.lint.suppress import suppressions
from agentgate.lint.tree import Parents

__all__ = ["Checked", "Site", "check", "sites"]

# the gate's keywords, in the order of its signature
HINTS = ("name", "label", "flag", "kind", "yes")
# the kinds of which an answer is given by name, and those that an option can give as well
_NAMED = ("text", "choice", "choices", "secret", "editor", "stdin")
_FLAGGED = ("text", "choice")

# the rules that look at the code around prompts
_AROUND = (swallowed_stop, consent_bypass, tty_guard, effect_before_prompt)
# the rules that need no prompt
_ALONE = (prompting_child, own_detection, ungated_effect)


class Checked(NamedTuple):
    """What was found in a file.

    sites: in order, without those that a comment keeps. gated: the prompts that are gated already, where the
    node is the `gate(…)` around them.
    """

    resolution: Resolution
    sites: list[Site]
    gated: list[Site]


def check(path: str, source: Source, index: Index) -> Checked:
    """All places of a file that can wait for a person."""
    outside = Neighbours(project(index), path)
    resolution = resolve(source, index, outside)
    outside.keep(resolution.exports)
    return sites(path, source, resolution, index)


def sites(path: str, source: Source, resolution: Resolution, index: Index) -> Checked:
    """The same, of what has been resolved already."""
    if not (resolution.uses or resolution.named):
        return Checked(resolution, [], [])
    checker = _Checker(path, source, resolution, index)
    found = [site for site in checker.all_sites() if site is not None]
    found.sort(key=lambda site: (site.finding.line, site.finding.column, site.finding.code))
    return Checked(resolution, found, checker.gated)


class _Checker:
    def __init__(self, path: str, source: Source, resolution: Resolution, index: Index) -> None:
        self.source = source
        self.index = index
        self.resolution = resolution
        self.parents = Parents(source.tree)
        self.labels = Labels(source, resolution.scopes, self.parents)
        self.flags = Flags(source, self.parents)
        self.reasons = Reasons(path, source, resolution, self.parents)
        self.sites = Sites(path, source, self.parents, suppressions(source))
        # the calls that wait, kept or not, with their sites; the calls that only open a page
        self.prompts: dict[ast.Call, Site | None] = {}
        self.opened: list[tuple[ast.Call, str]] = []
        self.gated: list[Site] = []
        self.context = Context(source.tree, resolution, self.parents, self.sites, index.known, self.prompts)

    def all_sites(self) -> Iterator[Site | None]:
        """The prompts of the file, and what is found around them."""
        for node, prompt in self.resolution.uses.items():
            site = self.site(node, prompt)
            if site is not None and not self.is_kept(site):
                yield site
        self.gated += filter(None, map(self.gated_method, self.resolution.gates))
        for rule in (*(_AROUND if self.prompts else ()), *_ALONE):
            yield from rule.find(self.context)
        if self.opened:
            yield from browser_login.find(self.context, self.opened)

    def site(self, node: ast.expr, prompt: Prompt) -> Site | None:
        """What to report of a use of a prompt."""
        parent = self.parents.of(node)
        if isinstance(parent, ast.Call) and parent.func is node:
            return self.call(parent, prompt)
        if isinstance(parent, ast.Call) and parent in self.resolution.gates and parent.args[0] is node:
            gated = self.parents.of(parent)
            if isinstance(gated, ast.Call) and gated.func is parent:
                site = self.call(gated, prompt)  # not reported, but what is around it may be
                self.gated += [site] if site is not None else []
            return None
        # a declaration is called to declare; whoever only names it declares nothing yet. What prompts only at a
        # certain place is handed on for another purpose.
        if prompt.declares or prompt.told_by_code or not is_handed_on(node, self.parents, self.source):
            return None
        return self.record(node, prompt, REFERENCE, Asked(prompt.kind), None, reference=True)

    def gated_method(self, gate: ast.Call) -> Site | None:
        """A prompt that is a method of what is gated: `gate(sys.stdin).readline()`."""
        method = self.parents.of(gate)
        call = self.parents.of(method) if isinstance(method, ast.Attribute) and gate.args else None
        if not isinstance(method, ast.Attribute) or not isinstance(call, ast.Call) or call.func is not method:
            return None
        owner = self.resolution.named.get(gate.args[0])
        prompt = self.index.prompts.get(f"{owner}.{method.attr}")
        return self.call(call, prompt) if prompt is not None and prompt.wraps_owner else None

    def call(self, call: ast.Call, prompt: Prompt) -> Site | None:
        if not may_prompt(call, prompt) or self.spreads_without(call, prompt):
            return None
        if prompt.waits:
            self.opened.append((call, prompt.call))
            return None
        if prompt.of_stdin and not self.mentions_stdin(call):
            return None
        printed = printed_question(call, self.parents, self.labels) if prompt.after_question else None
        if prompt.after_question and printed is None:
            return None
        label, hints = self.label(call, prompt) if printed is None else _hinted(printed or None)
        kind = asked(call, prompt, label, self.parents, own=prompt.call in self.index.own)
        code = DECLARATION if prompt.declares else CODE_OF_KIND[kind.kind]
        name = self.name(call, prompt, kind.kind, label)
        flag = self.flag(call, prompt, kind.kind)
        told = {
            **dict(hints),
            **dict(kind.hints),
            **({"name": name} if name else {}),
            **({"flag": flag} if flag else {}),
        }
        ordered = tuple((hint, told[hint]) for hint in HINTS if hint in told)
        shown = name or answer_name(label, markup=prompt.markup)
        if prompt.declares:
            shown = declared(call, prompt, self.parents).name
        site = self.record(call.func, prompt, code, Asked(kind.kind, ordered), label, name=shown)
        self.prompts[call] = site
        return site

    def spreads_without(self, call: ast.Call, prompt: Prompt) -> bool:
        """The parameter that makes it prompt could only come in by `**`, and is in none of these dictionaries."""
        condition = prompt.prompts_when
        if condition is None or condition.default or argument(call, prompt, condition.param) is not None:
            return False
        spread = [keyword.value for keyword in call.keywords if keyword.arg is None]
        known_keys = [keys(value, self.context) for value in spread]
        return all(names is not None and condition.param not in names for names in known_keys)

    def name(self, call: ast.Call, prompt: Prompt, kind: str, label: str | None) -> str | None:
        """The name of what holds the answer, where the label cannot name it before the program runs."""
        if kind not in _NAMED or prompt.declares or prompt.questions or answer_name(label, markup=prompt.markup):
            return None
        given = argument(call, prompt, prompt.label) is not None and kind != "editor"
        # a label that is handed in names each question better than the one variable that takes all their answers
        return None if given and label is None else target(call, self.parents, alike=not given)

    def flag(self, call: ast.Call, prompt: Prompt, kind: str) -> str | None:
        """The program's own option for the value. A secret is never handed over on a command line."""
        return None if kind not in _FLAGGED or prompt.declares else self.flags.of(call)

    def mentions_stdin(self, call: ast.Call) -> bool:
        """An argument is stdin, or comes from it, also through a variable."""
        parts = [part for value in call.args for part in ast.walk(self.context.value(value))]
        return any(isinstance(part, ast.expr) and self.context.name(part) == STDIN for part in parts)

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
            printed = printed_before(call, self.parents)
            if printed is None:
                return None, ()
            label, hints = _hinted(self.labels.read(printed))
            # a prompt that is printed is itself one to wrap
            if not self.resolution.uses.keys().isdisjoint(ast.walk(printed)):
                return label, hints
            return label, hints or as_written("label", printed, self.source)
        return (prompt.label_default if not call.args and not call.keywords else None), ()

    def record(
        self,
        node: ast.expr,
        prompt: Prompt,
        code: str,
        kind: Asked,
        label: str | None,
        *,
        name: str | None = None,
        reference: bool = False,
    ) -> Site:
        wrapped = node.value if prompt.wraps_owner and isinstance(node, ast.Attribute) else node
        start, end = self.source.start(wrapped), self.source.end(wrapped)
        in_string = any(isinstance(above, ast.JoinedStr) for above in self.parents.above(node))
        reason = self.reasons.of(wrapped, prompt, in_string=in_string, reference=reference)
        finding = self.sites.finding(
            Place.of(node),
            code,
            kind.kind,
            prompt.call.removeprefix(BUILTINS + "."),
            label=label,
            name=name,
            fix="none" if reason else prompt.fix,
        )
        # the quotes of a hint would end the string around it, before Python 3.12
        return Site(finding, node, start, end, reference, () if in_string else kind.hints, reason)

    def is_kept(self, site: Site) -> bool:
        """A comment keeps the place as it is."""
        parent = self.parents.of(site.node)
        node = site.node
        whole = parent if isinstance(parent, ast.Call) and parent.func is node else node
        first, last = getattr(whole, "lineno", 0), getattr(whole, "end_lineno", None)
        return self.sites.is_silent(site.finding.code, {first, last or first, site.finding.line, site.finding.end_line})


def _hinted(printed: str | None) -> tuple[str | None, tuple[tuple[str, str], ...]]:
    """A label that stands in a `print` before the call, as a hint where it can be one."""
    return printed, (("label", printed),) if printed is not None and _is_plain(printed) else ()


def _is_plain(text: str) -> bool:
    """The label can be written as one short literal."""
    return HOLE not in text and "\n" not in text
