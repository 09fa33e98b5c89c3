"""Every question that a program can ask, as an agent wants to know them before it runs the program."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from agentgate.catalog import Prompt
from agentgate.lint.arguments import argument, is_true
from agentgate.lint.check import Site
from agentgate.lint.config import Config
from agentgate.lint.discover import discover
from agentgate.lint.engine import Analysis, engine, unreadable
from agentgate.lint.finding import CODE_OF_KIND, DECLARATION, PROMPTS, Finding
from agentgate.lint.known import CONSENT
from agentgate.lint.labels import Labels, answer_name
from agentgate.lint.load import Unreadable, load
from agentgate.lint.options import declared
from agentgate.lint.tree import Parents

__all__ = ["Question", "questions"]

# what a file writes that has a gate or a consent
_OURS = b"agentgate"


class Question(NamedTuple):
    """One place that asks.

    name: of the answer, None when only the run can tell. choices: what may be answered, as far as it is written down.
    default: its text. flag: the program's own option for the value.
    """

    name: str | None
    label: str | None
    kind: str
    call: str
    choices: tuple[str, ...] | None
    default: str | None
    flag: str | None
    secret: bool
    path: str
    line: int
    column: int
    code: str


def questions(
    paths: Sequence[str], config: Config | None = None, unread: Callable[[Finding], None] = lambda finding: None
) -> Iterator[Question]:
    """The questions in all files under these paths. Raises UsageError.

    unread: called with the finding for each file that cannot be read, of whose questions nothing is known.
    """
    config = config or Config()
    ready = engine(config.own)
    for target in discover(paths, config):
        if target.skipped:
            continue
        try:
            data = load(target.path, target.problem)
            # the linter has nothing to say of a file whose questions are all gated
            analysis = (ready.read if _OURS in data else ready.analyse)(target.path, data)
        except Unreadable as error:
            unread(unreadable(target.path, error))
            continue
        if analysis is not None:
            yield from _in_file(target.path, analysis, ready.index.prompts, config)


def _in_file(path: str, analysis: Analysis, prompts: Mapping[str, Prompt], config: Config) -> Iterator[Question]:
    parents = Parents(analysis.source.tree)
    found = []
    for site in analysis.sites:
        prompt = analysis.resolution.uses.get(site.node) if isinstance(site.node, ast.expr) else None
        is_prompt = site.finding.code.startswith(PROMPTS)
        if prompt is not None and is_prompt and config.selects(site.finding):
            found.append(_question(site, prompt, parents, analysis))
    for site in analysis.gated:
        # `gate(sys.stdin).readline` is a method of what is gated
        gate = site.node.value if isinstance(site.node, ast.Attribute) else site.node
        if isinstance(gate, ast.Call):
            prompt = analysis.resolution.uses.get(gate.args[0]) or prompts[site.finding.call]
            found.append(_hinted(_question(site, prompt, parents, analysis), gate))
    found += [_consent(call, path, parents, analysis) for call in _consents(analysis, parents)]
    yield from sorted(found, key=lambda question: (question.line, question.column))


def _question(site: Site, prompt: Prompt, parents: Parents, analysis: Analysis) -> Question:
    finding, call = site.finding, parents.of(site.node)
    choices: tuple[str, ...] | None = None
    default = flag = None
    secret = finding.kind == "secret"
    if isinstance(call, ast.Call) and call.func is site.node:
        choices = _choices(call, prompt)
        value = argument(call, prompt, prompt.default)
        default = None if value is None else _text(value, analysis)
        secret = secret or is_true(call, prompt, prompt.secret)
        if prompt.declares and finding.kind != "confirm":  # a flag that says yes is none to give
            flag = declared(call, prompt, parents).flag
    return Question(
        finding.name, finding.label, finding.kind, finding.call, choices, default, flag, secret,
        finding.path, finding.line, finding.column, finding.code,
    )  # fmt: skip


def _hinted(question: Question, gate: ast.Call) -> Question:
    """The question as the gate's own hints describe it."""
    told: dict[str, str] = {}
    for one in gate.keywords:
        if one.arg and isinstance(one.value, ast.Constant) and isinstance(one.value.value, str):
            told[one.arg] = one.value.value
    kind = told.get("kind") or ("confirm" if told.get("yes") else None) or question.kind
    label = told.get("label") or question.label
    return question._replace(
        name=told.get("name") or (answer_name(label, markup=False) if told.get("label") else question.name),
        label=label,
        kind=kind,
        flag=told.get("flag") or question.flag,
        secret=question.secret or kind == "secret",
        code=CODE_OF_KIND.get(kind, question.code) if question.code != DECLARATION else question.code,
    )


def _consents(analysis: Analysis, parents: Parents) -> Iterator[ast.Call]:
    for node, name in analysis.resolution.named.items():
        call = parents.of(node)
        if name in CONSENT and isinstance(call, ast.Call) and call.func is node:
            yield call


def _consent(call: ast.Call, path: str, parents: Parents, analysis: Analysis) -> Question:
    """A consent that a handler asks for; it goes by its reason."""
    reason, message = (*call.args, None, None)[:2]
    given = {one.arg: one.value for one in call.keywords}
    reason, message = given.get("reason", reason), given.get("message", message)
    labels = Labels(analysis.source, analysis.resolution.scopes, parents)
    return Question(
        reason.value if isinstance(reason, ast.Constant) and isinstance(reason.value, str) else None,
        None if message is None else labels.read(message),
        "confirm", "require_consent", None, None, None, False,
        path, call.lineno, analysis.source.column(call.lineno, call.col_offset) + 1, CODE_OF_KIND["confirm"],
    )  # fmt: skip


def _text(value: ast.expr, analysis: Analysis) -> str | None:
    if isinstance(value, ast.Constant):
        return None if value.value is None or value.value is Ellipsis else str(value.value)
    return analysis.source.text[analysis.source.start(value) : analysis.source.end(value)]


def _choices(call: ast.Call, prompt: Prompt) -> tuple[str, ...] | None:
    """The choices as literals: of the parameter itself, or of an object's first argument (`type=Choice([…])`)."""
    parameter, _, attribute = (prompt.choices or "").partition(".")
    value = argument(call, prompt, parameter or None)
    if attribute and isinstance(value, ast.Call):
        value = value.args[0] if value.args else None
    if not isinstance(value, ast.List | ast.Tuple | ast.Set):
        return None
    found = [part.value for part in value.elts if isinstance(part, ast.Constant)]
    return tuple(map(str, found)) if len(found) == len(value.elts) else None
