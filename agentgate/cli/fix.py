"""`agentgate fix PATHS`: rewrite the prompts so that an agent cannot fall into them."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from ..runtime import consent, stop
from . import output

if TYPE_CHECKING:
    from ..fix import FixPlan, Refusal

__all__ = ["SUMMARY", "add_arguments", "run"]

SUMMARY = "rewrite the prompts of a code base, so that nothing changes for a person"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("paths", nargs="*", default=["."], metavar="PATH", help="files and folders (default: here)")
    parser.add_argument("--diff", action="store_true", help="show what would change, and write nothing")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if something would change")
    parser.add_argument("--select", default="", metavar="CODES", help="only findings of these codes, as AG101,AG102")
    parser.add_argument("--unsafe", action="store_true", help="also edits that may change what the program does")
    parser.add_argument("--no-cache", action="store_true", help="read every file anew")
    output.add_format_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Rewrite the files, or show how.

    Exit code 0 when all was done, 1 when a file could not be read or written (with `--check`: when something
    would change), 2 when a path does not exist. An agent needs a person's consent to the exact edits (exit
    code 3) unless nothing is written.
    """
    from ..fix import apply, plan
    from ..lint import UsageError
    from ..lint.messages import RULES

    select = [code for code in arguments.select.replace(",", " ").split() if code]
    for code in select:
        if code not in RULES:
            stop.usage_error(f"fix: --select: there is no rule {code}; the rules are {', '.join(RULES)}")
    try:
        planned = plan(arguments.paths, unsafe=arguments.unsafe, select=select)
    except UsageError as error:
        stop.usage_error(f"fix: {error}")
    dry = arguments.diff or arguments.check
    if planned.changes:
        consent.require_consent("rewrite", _question(planned), plan=planned.description(), dry_run=dry)
    refused = () if dry else apply(planned)
    if arguments.json or (output.wants_json(arguments) and not arguments.diff):
        return _print_envelope(planned, refused, arguments)
    if arguments.diff:
        _print_diff(planned)
    else:
        output.print_text(_report(planned, refused, arguments.paths, dry=dry))
    return _exit_code(planned, refused, check=arguments.check, diff=arguments.diff)


def _question(planned: FixPlan) -> str:
    return f"Rewrite {_count(planned.fixed, 'prompt')} in {_count(len(planned.changes), 'file')}?"


def _exit_code(planned: FixPlan, refused: tuple[Refusal, ...], *, check: bool, diff: bool) -> int:
    if check and planned.changes:
        return 1
    unread = any(one.finding.kind == "unreadable" for one in planned.left)
    return 1 if refused or (unread and not diff) else 0


def _print_diff(planned: FixPlan) -> None:
    from ..fix import unified

    sys.stdout.flush()
    for change in planned.changes:
        output.write_bytes(unified(change.path, change.before, change.after))


def _print_envelope(planned: FixPlan, refused: tuple[Refusal, ...], arguments: argparse.Namespace) -> int:
    from ..fix import unified, where_to_add

    dry = arguments.diff or arguments.check
    data: dict[str, Any] = {
        "changes": planned.description(),
        "left": [{**one.finding._asdict(), "reason": one.reason} for one in planned.left],
        "refused": [one._asdict() for one in refused],
        "summary": {
            "files": planned.files,
            "files_changed": len(planned.changes) - len(refused),
            "prompts": planned.fixed,
            "left": len(planned.left),
            "written": not dry,
        },
    }
    if arguments.diff:
        data["diff"] = b"".join(unified(one.path, one.before, one.after) for one in planned.changes).decode(
            errors="replace"
        )
    if planned.changes:
        data["dependency"] = {"distribution": "agentgate-consent", "file": where_to_add(arguments.paths)}
    code = _exit_code(planned, refused, check=arguments.check, diff=arguments.diff)
    found = _report(planned, refused, arguments.paths, dry=dry).splitlines()[-1] if code else None
    return output.print_outcome(data, found=found, changed=None if dry else bool(planned.changes))


def _report(planned: FixPlan, refused: tuple[Refusal, ...], paths: list[str], *, dry: bool) -> str:
    from ..fix import where_to_add

    not_written = {one.path for one in refused}
    done = [change for change in planned.changes if change.path not in not_written]
    verb = "would fix" if dry else "fixed"
    lines = [f"{verb} {change.path} ({_count(len(change.findings), 'prompt')})" for change in done]
    lines += [f"not written: {one.path}: {one.reason}" for one in refused]
    lines += [
        f"left {one.finding.path}:{one.finding.line}:{one.finding.column} {one.finding.code}: {one.reason}"
        for one in planned.left
    ]
    gated = sum(len(change.findings) for change in done)
    summary = f"{'Would gate' if dry else 'Gated'} {_count(gated, 'prompt')} in {_count(len(done), 'file')}"
    lines.append(summary + (f"; {len(planned.left)} left as {_they(planned.left)}." if planned.left else "."))
    if done:
        where = where_to_add(paths)
        place = f" in {where}" if where else ""
        now = "would then import" if dry else "now imports"
        lines.append(f"The program {now} agentgate: it needs the distribution `agentgate-consent`{place}.")
    return "\n".join(lines)


def _they(left: tuple[object, ...]) -> str:
    return "it is" if len(left) == 1 else "they are"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
