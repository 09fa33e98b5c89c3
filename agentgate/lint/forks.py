"""Work on forks of this process: they start in a moment, know all that it knows, and only results are sent.

The queue is a pipe that holds the numbers of the tasks, and whichever fork is free reads the next one. On a second
pipe comes back how many files are done, a byte at a time; on one of each fork's own, at its end, what it found.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NoReturn, TypeVar

__all__ = ["run"]

T = TypeVar("T")

_NUMBER = 4  # bytes of a task's number
_BATCH = 64  # files between two words of how many are done; their number fits a byte


def run(
    tasks: Sequence[Sequence[str]], work: Callable[[Sequence[str]], list[T]], forks: int, done: Callable[[int], None]
) -> dict[int, list[T]]:
    """What `work` finds in the files of each task, by the task's number.

    done: called with the number of files that were read since it was called last. A task is missing in what is
    returned when the fork that took it died, or when there could be no fork.
    """
    queue, to_queue = os.pipe()
    progress, to_progress = os.pipe()
    children: dict[int, int] = {}
    try:
        for _ in range(forks):
            results, to_results = os.pipe()
            try:
                child = os.fork()
            except OSError:  # no more processes for this user: those that there are do it all
                os.close(results)
                os.close(to_results)
                break
            if not child:
                os.close(to_queue)  # the queue ends when nobody can write to it
                _serve(tasks, work, queue, to_progress, to_results)
            os.close(to_results)
            children[child] = results
        os.write(to_queue, b"".join(number.to_bytes(_NUMBER, "big") for number in range(len(tasks))))
        for end in (queue, to_queue, to_progress):
            os.close(end)
        import pickle  # which takes a moment, in which the forks are at work already

        while counts := os.read(progress, 4096):
            done(sum(counts))
        received: dict[int, list[T]] = {}
        for results in children.values():
            with open(results, "rb", closefd=False) as file, suppress(EOFError, pickle.UnpicklingError):  # it died
                received.update(pickle.load(file))
        return received
    except BaseException:
        for child in children:
            os.kill(child, signal.SIGKILL)
        raise
    finally:
        os.close(progress)
        for child, results in children.items():
            os.close(results)
            with suppress(ChildProcessError):  # a program that ignores SIGCHLD
                os.waitpid(child, 0)


def _serve(
    tasks: Sequence[Sequence[str]],
    work: Callable[[Sequence[str]], list[T]],
    queue: int,
    to_progress: int,
    to_results: int,
) -> NoReturn:
    """What a fork does. If that fails, its tasks are missing, and fail again where they are done instead."""
    try:
        # an interrupt at the keyboard goes to all processes; the first one ends the others
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        found: dict[int, list[T]] = {}
        while number := os.read(queue, _NUMBER):
            task = tasks[int.from_bytes(number, "big")]
            reports: list[T] = []
            for start in range(0, len(task), _BATCH):
                batch = task[start : start + _BATCH]
                reports += work(batch)
                os.write(to_progress, bytes([len(batch)]))
            found[int.from_bytes(number, "big")] = reports
        os.close(to_progress)
        import pickle

        with open(to_results, "wb") as file:
            pickle.dump(found, file, pickle.HIGHEST_PROTOCOL)
    finally:
        os._exit(0)
