"""`agentgate lint PATHS`: every place that can wait for a person."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..runtime import commandline, envelope, stop, streams
from ..surfaces.effects import effects
from ..wording import count
from . import output, settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

    from ..lint import Config, LintResult

__all__ = ["SUMMARY", "add_arguments", "run"]

_DASK_PATIENCE = "5s"
SUMMARY = "find every place in a code base that can wait for a person"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    from ..lint.report import FORMATS

    parser.add_argument(
        "paths", nargs="*", default=["."], metavar="PATH", help="files and folders, - for stdin (default: here)"
    )
    settings.add_arguments(parser)
    how = parser.add_argument_group("how to say it")
    how.add_argument("--format", choices=FORMATS, help="the form of the report (default: text; json for an agent)")
    how.add_argument("--output-file", metavar="FILE", help="write the report there, and only a summary here")
    how.add_argument("--statistics", action="store_true", help="count the findings by rule instead of listing them")
    output.add_format_arguments(how)
    adopt = parser.add_argument_group("adopting it")
    adopt.add_argument("--baseline", metavar="FILE", help="report only findings that this file does not know")
    adopt.add_argument("--write-baseline", metavar="FILE", help="write all findings into this file")
    adopt.add_argument("--add-ignores", action="store_true", help="write an ignore comment for each finding")
    work = parser.add_argument_group("how to work")
    work.add_argument("--stdin-filename", metavar="NAME", help="what to call the file that comes on stdin (-)")
    work.add_argument("--jobs", type=_jobs, metavar="N", help="processes to read files in (default: one a processor)")
    work.add_argument("--dask", metavar="ADDRESS", help="read the files on the workers of this dask scheduler")
    work.add_argument("--no-cache", action="store_true", help="read every file anew")
    work.add_argument("--cache-dir", metavar="FOLDER", help="keep the cache there")


def _jobs(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of processes")
    return int(text)


@effects("idempotent")
def run(arguments: argparse.Namespace) -> int:
    """Lint the paths. Exit code 0 when nothing was found, 1 with findings, 2 when the command line is wrong."""
    from ..lint import UsageError

    try:
        chosen = settings.config(arguments)
        result = _lint(arguments, chosen)
        if arguments.write_baseline is not None:  # all findings, also those that another baseline knows
            return _write_baseline(result, arguments)
        if arguments.baseline is not None:
            from ..lint import baseline

            result = baseline.apply(result, arguments.baseline)
        if arguments.add_ignores:
            return _add_ignores(result, arguments)
        return _report(result, arguments)
    except UsageError as error:
        stop.usage_error(f"lint: {error}")


def _lint(arguments: argparse.Namespace, chosen: Config) -> LintResult:
    from ..lint import UsageError, lint_paths, lint_source, storage
    from ..lint.cache import Cache
    from .progress import Progress

    storage.configure(arguments.cache_dir, off=arguments.no_cache)
    if arguments.stdin_filename is not None and arguments.paths == [os.curdir]:
        arguments.paths = ["-"]
    if arguments.stdin_filename is not None and "-" not in arguments.paths:
        raise UsageError(f"--stdin-filename {arguments.stdin_filename} is for a file that comes on stdin: -")
    if "-" in arguments.paths:
        if arguments.paths != ["-"]:
            raise UsageError("- is stdin, and stands alone")
        if sys.stdin is None:
            raise UsageError("-: stdin is closed")
        return lint_source(arguments.stdin_filename or "<stdin>", sys.stdin.buffer.read(), chosen)
    cache = None if arguments.no_cache else Cache(arguments.paths, chosen.own)
    with _executor(arguments.dask) as executor, Progress() as progress:
        result = lint_paths(
            arguments.paths, executor, config=chosen, jobs=arguments.jobs, cache=cache, progress=progress
        )
    if storage.problem is not None:
        streams.say(f"agentgate: warning: {storage.problem}\n")
    return result


@contextmanager
def _executor(address: str | None) -> Iterator[Executor | None]:
    if address is None:
        yield None
        return
    import re

    from ..lint import UsageError

    if not re.fullmatch(r"(?:(?:tcp|tls|ws|wss)://)?\S+:\d+", address):
        raise UsageError(f"--dask {address}: a scheduler's address is as tcp://127.0.0.1:8786")
    try:
        from distributed import Client
    except ImportError:
        raise UsageError("--dask needs the package `distributed`: install agentgate-consent[dask]") from None
    client: Any
    try:
        client = Client(address, timeout=_DASK_PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call,unused-ignore]
    except (OSError, ValueError) as error:
        raise UsageError(f"--dask {address}: {error}") from None
    with client, client.get_executor(pure=False) as executor:
        yield executor


def _report(result: LintResult, arguments: argparse.Namespace) -> int:
    from ..lint import report
    from ..lint.report import text

    wants_json = output.wants_json(arguments)
    form = arguments.format or ("json" if wants_json else "text")
    found = text.summary(result) if result.findings else None
    following = None
    if (wants_json or form == "json") and result.fixable and arguments.paths != ["-"]:
        following = _next(arguments.paths)
    if form == "json" and not arguments.output_file:
        return output.print_outcome(result.data(), found=found, next=following)
    if form == "json":
        document = envelope.dumps(
            envelope.build("failed" if found else "ok", exit_code=bool(found), data=result.data(), next=following)
        )
        rendered = document + "\n"
    elif form == "text":
        color = output.color() and not arguments.output_file
        rendered = text.statistics(result) if arguments.statistics else text.render(result, color=color)
    else:
        rendered = report.renderer(form)(result)
    if not arguments.output_file:
        if rendered:
            output.print_text(rendered.removesuffix("\n"))
        return 1 if found else 0
    output.write_file(arguments.output_file, rendered)
    if wants_json:
        summary = {"output_file": arguments.output_file, "summary": result.data()["summary"]}
        return output.print_outcome(summary, found=found, next=following)
    output.print_text(f"{text.summary(result)} The report is in {arguments.output_file}.")
    return 1 if found else 0


def _write_baseline(result: LintResult, arguments: argparse.Namespace) -> int:
    from ..lint import baseline
    from ..runtime import consent

    path = arguments.write_baseline
    number = len(result.findings)
    consent.require_consent(
        "silence", f"Let {path} hold back {count(number, 'finding')} from now on?", plan=_places(result)
    )
    output.write_file(path, baseline.dumps(result, path))
    return _say(f"Wrote {count(number, 'finding')} to {path}.", {"baseline": path, "findings": number}, arguments)


def _add_ignores(result: LintResult, arguments: argparse.Namespace) -> int:
    from ..fix import annotate
    from ..fix.write import WriteError, replace
    from ..lint.load import Unreadable, load

    if result.findings:
        from ..runtime import consent

        consent.require_consent(
            "silence", f"Write comments that silence {count(len(result.findings), 'finding')}?", plan=_places(result)
        )
    written, left = 0, []
    for path in dict.fromkeys(finding.path for finding in result.findings):
        mine = [finding for finding in result.findings if finding.path == path]
        try:
            before = load(path)
            after, rest = annotate.annotated(before, mine)
            if after != before:
                replace(path, before, after)
        except (Unreadable, WriteError, UnicodeEncodeError) as error:
            left += [f"left {one.path}:{one.line}: {error}" for one in mine]
            continue
        written += len(mine) - len(rest)
        left += [f"left {one.path}:{one.line}: no comment can stand on its line" for one in rest]
    text = "\n".join([*left, f"Wrote comments for {count(written, 'finding')}."])
    code = _say(text, {"written": written, "left": left}, arguments)
    return 1 if left else code


def _say(text: str, data: dict[str, object], arguments: argparse.Namespace) -> int:
    if output.wants_json(arguments):
        return output.print_outcome(data, changed=True)
    output.print_text(text)
    return 0


def _places(result: LintResult) -> list[str]:
    return [f"{finding.path}:{finding.line}:{finding.column} {finding.code}" for finding in result.findings]


def _next(paths: list[str]) -> list[dict[str, object]]:
    start = commandline.command()
    at = start.index("lint")
    return [
        envelope.next_step([*start[:at], "fix", "--diff", *paths], "to see how each of them would be rewritten"),
        envelope.next_step([*start[:at], "fix", *paths], "to rewrite them, once a person has agreed"),
    ]
