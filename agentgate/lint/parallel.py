"""Many files on several processors: chunks of paths go out, and what was found comes back, in the order of the paths.

A short run never pays for other processes: the first files are read right here, and only when that tells of much
work does the rest go to forks, or, where this process cannot be forked, to a pool.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from agentgate.lint.finding import FileReport
from agentgate.lint.load import Unreadable, load
from agentgate.lint.own import NOTHING, Own

if TYPE_CHECKING:
    from concurrent.futures import Executor

__all__ = ["Task", "available", "report_chunk", "report_files"]

# seconds of work that must be left for forks, or for processes that start anew, to be worth it
_ENOUGH_FOR_FORKS = 0.03
_ENOUGH = 0.4
_LARGEST_CHUNK = 64
_SMALLEST_TASK = 4
# processes of a pool, however many are asked for: Windows waits for no more
_MOST_IN_A_POOL = 61
# objects made since the last look for cycles: what was interpreted holds some, what was only parsed holds none
_MANY_OBJECTS = 300_000


class Task(NamedTuple):
    """Some files, and what the project says of its own code."""

    paths: tuple[str, ...]
    own: Own


def available() -> int:
    """How many processors this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def report_files(
    paths: Sequence[str],
    own: Own = NOTHING,
    *,
    jobs: int | None = None,
    executor: Executor | None = None,
    done: Callable[[int], None] = lambda files: None,
) -> Iterator[FileReport]:
    """What was found in these files, in their order; a file in which nothing was found is left out.

    jobs: how many processes; None for as many as there are processors. executor: where to work instead.
    done: called with the number of files that were read since it was called last.
    """
    if executor is not None:
        yield from _spread(paths, own, executor, 4 * (jobs or available()), done)
        return
    jobs = available() if jobs is None else jobs
    enough = _ENOUGH_FOR_FORKS if _forks() else _ENOUGH
    start = time.perf_counter()
    position = 0
    with _few_collections():
        while position < len(paths):
            # the first file loaded the catalog as well: it tells nothing
            taken, measured = time.perf_counter() - start, position - 1
            if jobs > 1 and measured > 0 and taken * (len(paths) - position) >= enough * measured:
                break
            report = _report(paths[position], own)
            if not position:
                start = time.perf_counter()
            position += 1
            done(1)
            if not report.is_empty():
                yield report
    rest = paths[position:]
    if rest:
        yield from _in_processes(rest, own, jobs, done)


def _in_processes(paths: Sequence[str], own: Own, jobs: int, done: Callable[[int], None]) -> Iterator[FileReport]:
    """The files in several processes; if one of them dies, those that it had taken are read here."""
    work = _in_forks if _forks() else _in_a_pool
    was_frozen = gc.get_freeze_count()
    gc.freeze()  # what is there already is no garbage, and is shared with forks as long as nobody touches it
    try:
        yield from work(paths, own, jobs, done)
    finally:
        if not was_frozen:  # the caller's garbage is the caller's again
            gc.unfreeze()


def _in_forks(paths: Sequence[str], own: Own, jobs: int, done: Callable[[int], None]) -> Iterator[FileReport]:
    from agentgate.lint import forks

    shares = [_shrinking(share, jobs) for share in _parts(paths, -(-len(paths) // jobs))]
    found = forks.run(shares, lambda batch: _reports(batch, own), done)
    for number, task in enumerate(task for share in shares for task in share):
        yield from found[number] if number in found else _reports(task, own)


def _in_a_pool(paths: Sequence[str], own: Own, jobs: int, done: Callable[[int], None]) -> Iterator[FileReport]:
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    finished = 0

    def count(files: int) -> None:
        nonlocal finished
        finished += files
        done(files)

    try:
        workers = min(jobs, _MOST_IN_A_POOL)
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_in_worker) as pool:
            try:
                yield from _spread(paths, own, pool, 8 * jobs, count)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    except BrokenProcessPool:
        yield from _reports(paths[finished:], own)
        done(len(paths) - finished)


def _forks() -> bool:
    """Whether this process can be forked: a fork has none of its threads, and may wait for what they hold."""
    threading = sys.modules.get("threading")
    return sys.platform == "linux" and (threading is None or threading.active_count() == 1)


def _parts(paths: Sequence[str], size: int) -> list[Sequence[str]]:
    return [paths[start : start + size] for start in range(0, len(paths), size)]


def _shrinking(paths: Sequence[str], jobs: int) -> list[Sequence[str]]:
    """The tasks of one process, ever smaller ones, so that others can help it at the end.

    Each process reads the modules beside a file for itself: files that lie together are less work for one than for
    several.
    """
    tasks, start = [], 0
    while start < len(paths):
        size = max(_SMALLEST_TASK, (len(paths) - start) // (3 * jobs))
        tasks.append(paths[start : start + size])
        start += size
    return tasks


def _spread(
    paths: Sequence[str], own: Own, executor: Executor, parts: int, done: Callable[[int], None]
) -> Iterator[FileReport]:
    size = min(_LARGEST_CHUNK, max(1, -(-len(paths) // parts)))
    tasks = [Task(tuple(part), own) for part in _parts(paths, size)]
    for task, reports in zip(tasks, executor.map(report_chunk, tasks), strict=True):
        yield from reports
        done(len(task.paths))


def report_chunk(task: Task) -> list[FileReport]:
    """What a worker does: the reports of the files in which something was found."""
    return _reports(task.paths, task.own)


def _reports(paths: Sequence[str], own: Own) -> list[FileReport]:
    with _few_collections():
        return [report for path in paths if not (report := _report(path, own)).is_empty()]


def _report(path: str, own: Own) -> FileReport:
    from agentgate.lint.engine import engine, unreadable

    try:
        data = load(path)
    except Unreadable as error:
        return FileReport(path, (unreadable(path, error),))
    report = engine(own).report(path, data)
    if gc.get_count()[0] > _MANY_OBJECTS:
        gc.collect()
    return report


def _in_worker() -> None:
    """An interrupt at the keyboard goes to all processes; the first one tells the others to stop."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _few_collections() -> Iterator[None]:
    """No garbage collection but ours: a syntax tree is large, holds no cycles, and would be scanned over and over."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
