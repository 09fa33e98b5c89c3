"""Plans the rewriting of files, and carries a plan out.

A plan is worked out without writing anything; it says byte for byte what will be written, so it can be shown,
agreed to, and then applied exactly. `fix_source` is a pure function of a path and its bytes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence

from agentgate.fix import flags, moves
from agentgate.fix.changes import FileChange, FixPlan, LeftOver, Refusal
from agentgate.fix.declaration import with_dependency
from agentgate.fix.edits import applied, wraps
from agentgate.fix.imports import VENDORED, gate_for
from agentgate.fix.verify import is_same_but_for_gates
from agentgate.fix.write import WriteError, create, replace
from agentgate.lint.check import HINTS, Site
from agentgate.lint.config import Config
from agentgate.lint.discover import discover
from agentgate.lint.engine import Analysis, engine, unreadable
from agentgate.lint.load import Unreadable, load
from agentgate.lint.resolve import Resolution
from agentgate.lint.scopes import every_scope
from agentgate.lint.sites import FOR_A_PERSON
from agentgate.lint.source import read

__all__ = ["apply", "fix_source", "plan"]

# the package, or a vendored copy of it
_USES = re.compile(rb"^[ \t]*(?:from[ \t]+agentgate[ \t]+import|import[ \t]+agentgate)\b", re.MULTILINE)


def plan(
    paths: Sequence[str],
    *,
    unsafe: bool = False,
    config: Config | None = None,
    vendored: str | None = None,
    consent_flags: bool = False,
    add_dependency: bool = False,
) -> FixPlan:
    """Work out what a fix of these paths would write. Raises UsageError when one does not exist.

    unsafe: with the edits that may change what a program does.
    config: which files and findings, and the project's own prompts; without one the rules that are on by default.
    vendored: the package whose own copy of agentgate is imported.
    consent_flags: also route the options that skip a yes/no question through the consent.
    add_dependency: also name the distribution where the dependencies of the files are listed.
    """
    changes: list[FileChange] = []
    left: list[LeftOver] = []
    folders = [os.path.realpath(path) for path in paths if os.path.isdir(path)]
    files = 0
    users: list[str] = []
    for target in discover(paths, config or Config()):
        # a vendored copy is nobody's to rewrite but `agentgate vendor`'s
        if target.skipped or VENDORED in target.path.split(os.sep):
            continue
        files += 1
        try:
            data = load(target.path, target.problem)
            change, rest = fix_source(
                target.path, data, unsafe=unsafe, config=config, vendored=vendored, consent_flags=consent_flags
            )
        except Unreadable as error:
            left.append(LeftOver(unreadable(target.path, error), error.reason))
            continue
        left += rest
        if _USES.search(change.after if change is not None else data):
            users.append(target.path)
        if change is not None and not _is_inside(target.path, folders):
            left += [
                LeftOver(finding, "the link leads out of the folder that was named") for finding in change.findings
            ]
        elif change is not None:
            changes.append(change)
    planned = FixPlan(tuple(changes), tuple(left), files, tuple(users))
    return with_dependency(planned) if add_dependency else planned


def fix_source(
    path: str,
    data: bytes,
    *,
    unsafe: bool = False,
    config: Config | None = None,
    vendored: str | None = None,
    consent_flags: bool = False,
) -> tuple[FileChange | None, list[LeftOver]]:
    """The change of one file (None for none) and the findings that it leaves. Raises Unreadable."""
    config = config or Config()
    if not unsafe:
        return _gated(path, data, config, unsafe=False, vendored=vendored, consent_flags=consent_flags)
    if config.select is None:
        config = config._replace(extend_select=(*config.extend_select, moves.CODE))
    asked_first, settled = moves.asked_first(path, data, config)
    change, left = _gated(path, asked_first, config, unsafe=True, vendored=vendored, consent_flags=consent_flags)
    if settled:
        gated = change or FileChange(path, data, asked_first, (), ())
        change = gated._replace(before=data, findings=(*settled, *gated.findings), edits=())
    return change, left


def _gated(
    path: str, data: bytes, config: Config, *, unsafe: bool, vendored: str | None, consent_flags: bool
) -> tuple[FileChange | None, list[LeftOver]]:
    """The change by which the prompts of one file are gated, and the findings that it leaves."""
    analysis = engine(config.own).analyse(path, data)
    if analysis is None:
        return None, []
    sites = [_declared(site, config) for site in analysis.sites if config.selects(site.finding)]
    chosen = [
        site for site in sites if site.reason is None and site.to is None and (unsafe or site.finding.fix != "unsafe")
    ]
    gated = {*analysis.resolution.gates, *(site.node for site in chosen)}
    chosen = [site for site in chosen if gated.issuperset(site.needs)]
    offered = flags.routed(sites, chosen, analysis.resolution.gates, analysis.source.tree)
    options = offered if consent_flags else []
    rewritten = {id(site) for site in (*chosen, *options)}
    left = [
        LeftOver(site.finding, _reason(site, offered, analysis.resolution))
        for site in sites
        if id(site) not in rewritten
    ]
    if not (chosen or options):
        return None, left
    try:
        module = f"{vendored}.{VENDORED}" if vendored else "agentgate"
        return _change(path, analysis, chosen, options, module), left
    except _Doubt as doubt:
        return None, left + [LeftOver(site.finding, str(doubt)) for site in (*chosen, *options)]


def _declared(site: Site, config: Config) -> Site:
    """A wrapper that the project declares is in no catalog of the run: the gate has to say what it is."""
    own = any(site.finding.call == prompt.call for prompt in config.own.prompts)
    if not own or any(name == "kind" for name, _ in site.hints):
        return site
    hints = [*site.hints, ("kind", site.finding.kind)]
    return site._replace(hints=tuple(sorted(hints, key=lambda hint: HINTS.index(hint[0]))))


def _reason(site: Site, offered: Sequence[Site], resolution: Resolution) -> str:
    """Why a place is left as it is, or what to do with it."""
    if site.finding.code == flags.CODE:
        if site in offered:
            return flags.OFFERED
        return flags.DECLARED if site.node in resolution.uses else flags.NOT_PLAIN
    if site.needs and site.reason is None:
        return "a question behind it is not gated in this run"
    if site.reason == FOR_A_PERSON:
        return _WHAT_TO_DO.get(site.finding.code, site.finding.message)
    return site.reason or "the edit may change what the program does; ask for it with --unsafe"


_NO_WAY_IN = "no answer can be handed to it: give the program an option for the value"
# for a place that only a person can change; of the others the finding's own message says enough
_WHAT_TO_DO = {
    "AG101": _NO_WAY_IN,
    "AG102": _NO_WAY_IN,
    "AG103": _NO_WAY_IN,
    "AG104": "a wrap does not reach an option that is built by hand: declare it by the decorator",
    "AG107": "a debugger takes no answers: take it out",
    "AG201": "put `require_consent(…)` before it",
    "AG202": "catch `Exception` instead, or raise what was caught again",
    "AG302": "use `agentgate.detect_agent()`",
}


class _Doubt(Exception):
    """The edited file is not what it must be, so it is not to be written."""


def _change(path: str, analysis: Analysis, sites: list[Site], options: list[Site], module: str) -> FileChange:
    source = analysis.source
    if not source.round_trips:
        raise _Doubt(f"its {source.encoding} text does not give back the same bytes")
    everything = (*sites, *options)
    scopes = every_scope(source.tree, source.text)
    gate = gate_for(source, scopes, min(site.finding.line for site in everything), module)
    edits = [*wraps(sites, gate.name, source.encoding), *flags.routes(options, gate.name, source)]
    if gate.edit is not None:
        # first, so that it stands before a wrap at the same place
        edits.insert(0, gate.edit)
    try:
        after = source.encode(applied(source.text, edits))
        new = read(after)
    except (UnicodeEncodeError, Unreadable):
        raise _Doubt("the edited file could not be read back") from None
    imported = module if gate.edit is not None else None
    if not is_same_but_for_gates(source.tree, new.tree, gate.name, len(everything), imported=imported):
        raise _Doubt("the edited file would be more than the original and its gates")
    return FileChange(path, source.data, after, tuple(site.finding for site in everything), tuple(edits))


def _is_inside(path: str, folders: Sequence[str]) -> bool:
    """A link is written through only to what lies in a named folder, or beside the link."""
    if not os.path.islink(path):
        return True
    target = os.path.realpath(path)
    allowed = (*folders, os.path.realpath(os.path.dirname(path) or os.curdir))
    return any(target.startswith(os.path.join(folder, "")) for folder in allowed)


def apply(plan: FixPlan, *, written: Callable[[FileChange], None] | None = None) -> tuple[Refusal, ...]:
    """Write the files of a plan, each whole or not at all. Returns those that were not written, with the reason.

    written: called after each file that was.
    """
    refused: list[Refusal] = []
    for change in plan.changes:
        try:
            if change.new:
                create(change.path, change.after)
            else:
                replace(change.path, change.before, change.after)
        except WriteError as error:
            refused.append(Refusal(change.path, str(error)))
            continue
        if written is not None:
            written(change)
    return tuple(refused)
