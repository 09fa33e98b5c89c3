"""`agentgate init [PATH]`: the whole adoption of a project, step by step."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from agentgate import gate

from ..runtime import consent, mode, stop
from ..surfaces.effects import effects
from . import output

if TYPE_CHECKING:
    from ..fix import FileChange, FixPlan, Refusal
    from ..fix.adopt import Step
    from ..lint.runner import LintResult

__all__ = ["SUMMARY", "add_arguments", "run"]

SUMMARY = "adopt agentgate in a project: configuration, rewriting or baseline, dependency, pre-commit, CI"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("path", nargs="?", default=".", metavar="PATH", help="the project's folder (default: here)")
    parser.add_argument("--diff", action="store_true", help="show what all steps would change, and write nothing")
    parser.add_argument("--yes", action="store_true", help="take every step without asking (for scripts)")
    parser.add_argument(
        "--baseline", action="store_true", help="rewrite nothing: write a baseline that lets today's findings stand"
    )
    parser.add_argument("--ci", choices=["github"], help="also write a workflow for it (else its step is printed)")
    output.add_format_arguments(parser)


@effects("idempotent")
def run(arguments: argparse.Namespace) -> int:
    """Take the steps that are left to take.

    A person at a terminal is shown each step and asked; an agent needs one consent to all of them (exit code 3).
    Exit code 0 when all was done that was agreed to, 1 when a file could not be written, 2 when PATH is no folder
    or nobody can be asked.
    """
    from ..fix import adopt, apply
    from ..fix.changes import FixPlan
    from ..lint import UsageError

    folder = arguments.path
    if not os.path.isdir(folder):
        stop.usage_error(f"init: {folder} is not a folder")
    try:
        planned, found = _looked_at(folder, baseline=arguments.baseline)
        steps = adopt.steps(folder, planned, found, workflow=arguments.ci == "github")
    except UsageError as error:
        stop.usage_error(f"init: {error}")
    except OSError as error:
        stop.usage_error(f"init: {error.filename}: cannot be read: {error.strerror}")
    agreed = _Agreed(ask=not (arguments.yes or arguments.diff or mode.agent_run()))
    changes = adopt.changes_of(steps, agreed)
    if changes:
        message = f"Adopt agentgate in {os.path.abspath(folder)}: {', '.join(agreed.steps)}?"
        consent.require_consent("rewrite", message, plan=agreed.plan, dry_run=arguments.diff)
    refused = () if arguments.diff else apply(FixPlan(tuple(changes), (), 0))
    notes = [step.note for step in steps if step.note]
    commands = (
        [] if os.path.exists(os.path.join(folder, adopt.WORKFLOW)) or arguments.ci else adopt.ci_commands(folder, found)
    )
    if arguments.json or (output.wants_json(arguments) and not arguments.diff):
        return _print_envelope(agreed, changes, refused, notes, commands, dry=arguments.diff)
    if arguments.diff:
        output.write_bytes(_diff(changes))
    else:
        output.print_text(_report(changes, refused, notes, commands))
    return 1 if refused else 0


def _looked_at(folder: str, *, baseline: bool) -> tuple[FixPlan | None, LintResult | None]:
    """What is to be rewritten, or what a baseline is to hold."""
    from ..fix import plan
    from ..fix.adopt import configuration_of
    from ..lint import lint_paths

    config = configuration_of(folder)
    if baseline:
        return None, lint_paths([folder], config=config)
    return plan([folder], config=config), None


class _Agreed:
    """Whether each step is agreed to: all of them, or those that a person at the terminal says yes to."""

    def __init__(self, *, ask: bool) -> None:
        self.ask = ask
        self.steps: list[str] = []
        self.plan: list[dict[str, object]] = []

    def __call__(self, step: Step, changes: list[FileChange]) -> bool:
        if self.ask and (sys.stdin is None or not sys.stdin.isatty()):
            stop.usage_error("init: there is nobody to ask: --yes takes every step, --diff shows them")
        if self.ask and not _asked(step, changes):
            return False
        self.steps.append(step.name)
        files = [change.description() for change in changes]
        self.plan.append({"step": step.name, "question": step.question, "files": files})
        return True


def _asked(step: Step, changes: list[FileChange]) -> bool:
    output.write_bytes(_diff(changes))
    try:
        return gate(input)(f"{step.question} [Y/n] ").strip().lower() in ("", "y", "yes")
    except EOFError:
        output.print_text("")
        return False


def _diff(changes: list[FileChange]) -> bytes:
    from ..fix import unified

    return b"".join(unified(one.path, one.before, one.after, new=one.new) for one in changes)


def _print_envelope(
    agreed: _Agreed,
    changes: list[FileChange],
    refused: tuple[Refusal, ...],
    notes: list[str],
    commands: list[str],
    *,
    dry: bool,
) -> int:
    data: dict[str, object] = {
        "steps": agreed.plan,
        "refused": [one._asdict() for one in refused],
        "notes": notes,
        "ci": commands,
        **({"diff": _diff(changes).decode(errors="replace")} if dry else {}),
    }
    found = f"{len(refused)} of {len(changes)} files could not be written." if refused else None
    return output.print_outcome(data, found=found, changed=None if dry else len(changes) > len(refused))


def _report(changes: list[FileChange], refused: tuple[Refusal, ...], notes: list[str], commands: list[str]) -> str:
    from ..lint.report.paths import printable

    not_written = {one.path for one in refused}
    lines = [f"{'wrote' if one.new else 'changed'} {one.path}" for one in changes if one.path not in not_written]
    lines += [f"not written: {one.path}: {one.reason}" for one in refused]
    lines += notes
    if not changes:
        lines.append("Nothing was changed.")
    if commands:
        lines += ["In CI:", *(f"  {command}" for command in commands)]
    return "\n".join(map(printable, lines))
