"""`agentgate fix PATHS`: rewrite the prompts so that an agent cannot fall into them."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from typing import TYPE_CHECKING, Any

from ..runtime import consent, stop, streams
from ..surfaces.effects import effects
from ..wording import count
from . import output, settings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..fix import FileChange, FixPlan, Refusal

__all__ = ["SUMMARY", "add_arguments", "run"]

# what is rewritten beside the prompts, by the rule that finds it
_NO_PROMPTS = {"AG203": "option", "AG204": "moved question", "AG301": "terminal test"}

SUMMARY = "rewrite the prompts of a code base, so that nothing changes for a person"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("paths", nargs="*", default=["."], metavar="PATH", help="files and folders (default: here)")
    parser.add_argument("--diff", action="store_true", help="show what would change, and write nothing")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if something would change")
    parser.add_argument("--unsafe", action="store_true", help="also edits that may change what the program does")
    parser.add_argument(
        "--consent-flags",
        action="store_true",
        help="also let an agent's --yes skip no question (`gate.consented(yes)`); a person's does as before",
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--add-dependency", action="store_true", help="also name agentgate-consent where the dependencies are listed"
    )
    where.add_argument(
        "--vendored", metavar="PACKAGE", help="import the copy that `agentgate vendor` put into this package, as tool"
    )
    settings.add_arguments(parser)
    parser.add_argument("--no-cache", action="store_true", help="neither use nor keep a cache")
    output.add_format_arguments(parser)


@effects("idempotent")
def run(arguments: argparse.Namespace) -> int:
    """Rewrite the files, or show how.

    Exit code 0 when all was done, 1 when a file could not be read or written (with `--check`: when something
    would change), 2 when a path does not exist. An agent needs a person's consent to the exact edits (exit
    code 3) unless nothing is written.
    """
    from ..fix import apply, plan
    from ..lint import UsageError, storage
    from ..lint.report.paths import printable

    vendored = arguments.vendored
    if vendored is not None and not all(part.isidentifier() for part in vendored.split(".")):
        stop.usage_error(f"fix: --vendored: {vendored} is no package's name, as tool or company.tool")
    storage.configure(None, off=arguments.no_cache)
    try:
        planned = plan(
            arguments.paths,
            unsafe=arguments.unsafe,
            config=settings.config(arguments),
            vendored=vendored,
            consent_flags=arguments.consent_flags,
            add_dependency=arguments.add_dependency,
        )
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
    report = _report(planned, refused, dry=dry, vendored=vendored)
    text = "\n".join(map(printable, report))
    if arguments.diff:  # which may be on its way into a file: the report is no part of it
        streams.say(f"{text}\n")
    else:
        output.print_text(text)
    return _exit_code(planned, refused, check=arguments.check, diff=arguments.diff)


def _question(planned: FixPlan) -> str:
    files = sum(bool(change.findings) for change in planned.changes)
    what = [f"rewrite {_prompts(planned.changes)} in {count(files, 'file')}"] if files else []
    what += [f"add {change.adds} to {change.path}" for change in planned.changes if change.adds]
    question = ", and ".join(what)
    return f"{question[0].upper()}{question[1:]}?"


def _exit_code(planned: FixPlan, refused: tuple[Refusal, ...], *, check: bool, diff: bool) -> int:
    if check and planned.changes:
        return 1
    unread = any(one.finding.kind == "unreadable" for one in planned.left)
    return 1 if refused or planned.undeclared or (unread and not diff) else 0


def _print_diff(planned: FixPlan) -> None:
    from ..fix import unified

    for change in planned.changes:
        output.write_bytes(unified(change.path, change.before, change.after))


def _print_envelope(planned: FixPlan, refused: tuple[Refusal, ...], arguments: argparse.Namespace) -> int:
    from ..fix import DISTRIBUTION, unified

    dry = arguments.diff or arguments.check
    data: dict[str, Any] = {
        "changes": planned.description(),
        "left": [{**one.finding._asdict(), "reason": one.reason} for one in planned.left],
        "refused": [one._asdict() for one in (*refused, *planned.undeclared)],
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
    if planned.changes and not arguments.vendored:
        data["dependency"] = {"distribution": DISTRIBUTION, "file": _undeclared(planned)}
    code = _exit_code(planned, refused, check=arguments.check, diff=arguments.diff)
    report = _report(planned, refused, dry=dry, vendored=arguments.vendored)
    found = report[-1] if code else None
    return output.print_outcome(data, found=found, changed=None if dry else bool(planned.changes))


def _report(planned: FixPlan, refused: tuple[Refusal, ...], *, dry: bool, vendored: str | None) -> list[str]:
    not_written = {one.path for one in refused}
    done = [change for change in planned.changes if change.path not in not_written]
    gated = [change for change in done if change.findings]
    lines = [f"{'would fix' if dry else 'fixed'} {change.path} ({_prompts([change])})" for change in gated]
    lines += [f"{'would add' if dry else 'added'} {one.adds} to {one.path}" for one in done if one.adds]
    lines += [f"not written: {one.path}: {one.reason}" for one in refused]
    lines += [f"nothing added to {one.path}: {one.reason}" for one in planned.undeclared]
    lines += [
        f"left {one.finding.path}:{one.finding.line}:{one.finding.column} {one.finding.code}: {one.reason}"
        for one in planned.left
    ]
    summary = f"{'Would gate' if dry else 'Gated'} {_prompts(gated)} in {count(len(gated), 'file')}"
    summary = summary if gated else "Nothing to gate"
    lines.append(summary + (f"; {len(planned.left)} left as {_they(planned.left)}." if planned.left else "."))
    if vendored:
        lines += [f"{path} imports the installed agentgate, and not {vendored}._agentgate." for path in planned.users]
    if gated:
        lines += _what_it_imports(planned, vendored, "would then import" if dry else "now imports")
    return lines


def _what_it_imports(planned: FixPlan, vendored: str | None, imports: str) -> list[str]:
    if vendored:
        folder = os.path.join(*vendored.split("."))
        if any(os.path.isdir(os.path.join(base, folder, "_agentgate")) for base in (os.curdir, "src")):
            return []
        return [f"The program {imports} {vendored}._agentgate, which `agentgate vendor {folder}` puts there."]
    if any(change.adds for change in planned.changes):
        return []
    where = _undeclared(planned)
    place = f" in {where}" if where else ""
    return [f"The program {imports} agentgate: it needs the distribution `agentgate-consent`{place}."]


def _undeclared(planned: FixPlan) -> str | None:
    """The file that should name the distribution, and does not yet."""
    from ..fix import where_to_add

    added = {change.path for change in planned.changes if change.adds}
    return None if added else where_to_add(planned.users)


def _prompts(changes: Iterable[FileChange]) -> str:
    codes = Counter(finding.code for change in changes for finding in change.findings)
    others = [(codes.pop(code, 0), noun) for code, noun in _NO_PROMPTS.items()]
    counts = [(codes.total(), "prompt"), *others]
    said = [count(number, noun) for number, noun in counts if number] or [count(0, "prompt")]
    return " and ".join([", ".join(said[:-1]), said[-1]] if said[1:] else said)


def _they(left: tuple[object, ...]) -> str:
    return "it is" if len(left) == 1 else "they are"
