"""Work on forks of this process: they start in a moment, know all that it knows, and only results are sent.

Each fork has a share of the tasks: a pipe that holds their numbers. Whichever is through with its own goes on with
those of the next, as long as there are any. On another pipe comes back how many files are done, a byte at a time; on
one of each fork's own, at its end, what it found.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NoReturn, TypeVar

__all__ = ["run"]

T = TypeVar("T")

_NUMBER = 4  # bytes of a task's number
_BATCH = 64  # files between two words of how many are done; their number fits a byte


def run(
    shares: Sequence[Sequence[Sequence[str]]], work: Callable[[Sequence[str]], list[T]], done: Callable[[int], None]
) -> dict[int, list[T]]:
    """What `work` finds in the files of each task, by the task's number.

    shares: the tasks that each fork has of its own, which are numbered from one share to the next. done: called with
    the number of files that were read since it was called last. A task is missing in what is returned when the fork
    that took it died, or when there could be no fork.
    """
    tasks = [task for share in shares for task in share]
    queues: list[int] = []
    children: dict[int, int] = {}
    try:
        for share in shares:
            first = sum(map(len, shares[: len(queues)]))
            queues.append(_filled(range(first, first + len(share))))
        progress, to_progress = os.pipe()
    except OSError:  # no more pipes for this process
        for queue in queues:
            os.close(queue)
        return {}
    try:
        for number in range(len(shares)):
            results = _fork(children, progress)
            if results is not None:
                _serve(tasks, work, [*queues[number:], *queues[:number]], to_progress, results)
        for end in (*queues, to_progress):
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


def _filled(numbers: Iterable[int]) -> int:
    """A pipe that holds these numbers, and ends with them."""
    queue, to_queue = os.pipe()
    os.write(to_queue, b"".join(number.to_bytes(_NUMBER, "big") for number in numbers))
    os.close(to_queue)
    return queue


def _fork(children: dict[int, int], progress: int) -> int | None:
    """Fork this process, if there can be one more; in the fork the pipe for its results, else None.

    children: takes the fork, with the pipe on which its results come. progress: what the fork has no use for. It
    closes both, so that it can open at least as many files.
    """
    try:
        results, to_results = os.pipe()
    except OSError:
        return None
    try:
        child = os.fork()
    except OSError:
        os.close(results)
        os.close(to_results)
        return None
    if not child:
        os.close(results)
        os.close(progress)
        return to_results
    os.close(to_results)
    children[child] = results
    return None


def _serve(
    tasks: Sequence[Sequence[str]],
    work: Callable[[Sequence[str]], list[T]],
    queues: Sequence[int],
    to_progress: int,
    to_results: int,
) -> NoReturn:
    """What a fork does. If that fails, its tasks are missing, and fail again where they are done instead."""
    try:
        # an interrupt at the keyboard goes to all processes; the first one ends the others
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        found: dict[int, list[T]] = {}
        for number in _taken(queues):
            found[number] = []
            for start in range(0, len(tasks[number]), _BATCH):
                batch = tasks[number][start : start + _BATCH]
                found[number] += work(batch)
                os.write(to_progress, bytes([len(batch)]))
        os.close(to_progress)
        import pickle

        with open(to_results, "wb") as file:
            pickle.dump(found, file, pickle.HIGHEST_PROTOCOL)
    finally:
        os._exit(0)


def _taken(queues: Iterable[int]) -> Iterator[int]:
    """The numbers of the tasks that are left, one by one."""
    for queue in queues:
        while number := os.read(queue, _NUMBER):
            yield int.from_bytes(number, "big")
