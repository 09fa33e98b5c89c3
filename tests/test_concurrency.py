"""A stop in a thread, a coroutine or a worker process ends the program: with 3, promptly, one envelope, whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from programs import STDINS, run

HEAD = "import asyncio, os, sys, threading, time\nfrom agentgate import gate\nLABEL = 'Name ' + 'x' * 9000\n"

THREADS = {
    "Thread": "t = threading.Thread(target=gate(input), args=(LABEL,)); t.start(); t.join(); time.sleep(5)",
    "daemon": "threading.Thread(target=gate(input), args=(LABEL,), daemon=True).start(); time.sleep(5)",
    "in the thread's own time": "threading.Thread(target=lambda: gate(input)(LABEL)).start()",
    "swallowed in the thread": """
def work():
    try: gate(input)(LABEL)
    except BaseException: pass
    time.sleep(5)
threading.Thread(target=work).start(); time.sleep(5)
""",
    "retried in the thread": """
def work():
    while True:
        try: return gate(input)(LABEL)
        except BaseException: pass
threading.Thread(target=work).start(); time.sleep(5)
""",
    "_thread": "import _thread; _thread.start_new_thread(lambda: gate(input)(LABEL), ()); time.sleep(5)",
    "Timer": "threading.Timer(0.01, gate(input), (LABEL,)).start(); time.sleep(5)",
    "many at once": """
threads = [threading.Thread(target=lambda: gate(input)(LABEL)) for _ in range(20)]
[t.start() for t in threads]; [t.join() for t in threads]; time.sleep(5)
""",
    "executor": """
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(4) as pool: print(pool.submit(gate(input), LABEL).result())
""",
    "executor, result dropped": """
from concurrent.futures import ThreadPoolExecutor
pool = ThreadPoolExecutor(4); pool.submit(gate(input), LABEL); time.sleep(5)
""",
    "executor, map, others busy": """
from concurrent.futures import ThreadPoolExecutor
def work(n): return gate(input)(LABEL) if n else time.sleep(5)
with ThreadPoolExecutor(4) as pool: print(list(pool.map(work, range(4))))
""",
    "executor, result swallowed": """
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(4) as pool:
    try: pool.submit(gate(input), LABEL).result()
    except BaseException: pass
time.sleep(5)
""",
    "executor, several ask": """
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(8) as pool: print(list(pool.map(gate(input), [LABEL] * 40)))
""",
    "to_thread": "asyncio.run(asyncio.to_thread(gate(input), LABEL))",
    "run_in_executor": """
async def main(): await asyncio.get_running_loop().run_in_executor(None, gate(input), LABEL)
asyncio.run(main())
""",
    "run_in_executor, dropped": """
async def main():
    asyncio.get_running_loop().run_in_executor(None, gate(input), LABEL); await asyncio.sleep(5)
asyncio.run(main())
""",
    "coroutine": "async def main(): gate(input)(LABEL)\nasyncio.run(main())",
    "task": """
async def ask(): gate(input)(LABEL)
async def main():
    task = asyncio.create_task(ask()); await asyncio.sleep(5)
asyncio.run(main())
""",
    "task, exception swallowed": """
async def ask(): gate(input)(LABEL)
async def main():
    await asyncio.gather(ask(), return_exceptions=True); await asyncio.sleep(5)
asyncio.run(main())
""",
    "TaskGroup": """
async def ask(): gate(input)(LABEL)
async def main():
    async with asyncio.TaskGroup() as group:
        group.create_task(asyncio.sleep(5)); group.create_task(ask())
        group.create_task(asyncio.to_thread(time.sleep, 0.1))
asyncio.run(main())
""",
    "callback": """
async def main():
    asyncio.get_running_loop().call_soon(gate(input), LABEL); await asyncio.sleep(5)
asyncio.run(main())
""",
    "main stops, threads ask": """
def work():
    time.sleep(0.05); gate(input)(LABEL)
threads = [threading.Thread(target=work) for _ in range(3)]
[t.start() for t in threads]
try: gate(input)(LABEL)
finally: [t.join() for t in threads]
""",
}


@pytest.mark.parametrize("how", THREADS)
def test_threads_and_coroutines(how: str, tmp_path: Path) -> None:
    ran = run(f"{HEAD}{THREADS[how]}\n", folder=tmp_path)
    assert ran.code == 3, ran
    assert ran.error == "missing_input"
    assert ran.is_prompt("asyncio"), ran


def test_a_thread_on_every_stdin(tmp_path: Path) -> None:
    from programs import run_all

    for stdin, ran in run_all(f"{HEAD}{THREADS['executor']}\n", folder=tmp_path).items():
        assert (ran.code, ran.error) == (3, "missing_input"), (stdin, ran)
    assert STDINS


def test_a_threads_own_cleanup_runs_and_files_are_kept(tmp_path: Path) -> None:
    ran = run(
        f"""{HEAD}
def work():
    try: gate(input)(LABEL)
    finally: print("cleaned")
log = open("log.txt", "w"); log.write("line")
threading.Thread(target=work).start(); time.sleep(5)
""",
        folder=tmp_path,
    )
    assert (ran.code, ran.err.strip()) == (3, "cleaned"), ran
    assert (tmp_path / "log.txt").read_text("utf-8") == "line"


def test_the_main_thread_waits_for_a_thread_that_still_works(tmp_path: Path) -> None:
    ran = run(
        f"""{HEAD}
def work():
    time.sleep(0.8); open("done", "w").close()
threading.Thread(target=work).start()
gate(input)("Name: ")
""",
        folder=tmp_path,
    )
    assert (ran.code, (tmp_path / "done").exists()) == (3, True), ran


WORK = """
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
def work(n=0):
    return gate(input)(LABEL[:900])
def careless(n=0):
    try: return gate(input)(LABEL[:900])
    except Exception: return "swallowed"
if __name__ == "__main__":
    multiprocessing.set_start_method("%s")
"""
PROCESSES = {
    "Process": "p = multiprocessing.Process(target=work); p.start(); p.join(); sys.exit(p.exitcode)",
    "Pool.map": "with multiprocessing.Pool(2) as pool: print(pool.map(work, range(8)))",
    "Pool.apply_async, dropped": "pool = multiprocessing.Pool(2); pool.apply_async(work); time.sleep(20)",
    "Pool.imap": "with multiprocessing.Pool(2) as pool: [print(one) for one in pool.imap_unordered(work, range(8))]",
    "Pool.map, swallowed": """try:
        with multiprocessing.Pool(2) as pool: pool.map(work, range(2))
    except BaseException: pass
    print("went on")""",
    "ProcessPoolExecutor": "with ProcessPoolExecutor(2) as pool: print(list(pool.map(work, range(8))))",
    "ProcessPoolExecutor, dropped": "pool = ProcessPoolExecutor(2); pool.submit(work); time.sleep(20)",
}
FORK_ONLY = {
    "Process, exit code ignored": "p = multiprocessing.Process(target=work); p.start(); p.join()",
    "Process, never joined": "p = multiprocessing.Process(target=work); p.start(); time.sleep(20)",
    "many at once": """ps = [multiprocessing.Process(target=work) for _ in range(8)]
    [p.start() for p in ps]; [p.join() for p in ps]""",
    "waiting for a result": """q = multiprocessing.Queue()
    p = multiprocessing.Process(target=work); p.start(); q.get()""",
    "Pool, swallowed in the worker": "with multiprocessing.Pool(2) as pool: print(pool.map(careless, range(2)))",
    "Pool initializer": "with multiprocessing.Pool(2, initializer=work) as pool: print(pool.map(abs, range(2)))",
    "in a grandchild": """def middle():
        p = multiprocessing.Process(target=work); p.start(); p.join()
    p = multiprocessing.Process(target=middle); p.start(); p.join()""",
}
CASES = [(method, how) for method in ("fork", "spawn") for how in PROCESSES] + [("fork", how) for how in FORK_ONLY]


@pytest.mark.parametrize(("method", "how"), CASES)
def test_worker_processes(method: str, how: str, tmp_path: Path) -> None:
    body = {**PROCESSES, **FORK_ONLY}[how]
    ran = run(f"{HEAD}{WORK % method}    {body}\n", folder=tmp_path)
    assert ran.code == 3, ran
    assert ran.error == "missing_input"
    assert "went on" not in ran.out
    # a spawned worker has an interpreter to start, and a pool has two of them and their ends to wait for
    assert ran.is_prompt("multiprocessing.pool", 1 if method == "fork" else 2), ran


def test_a_spawned_process_whose_exit_code_is_ignored_has_said_so_at_least(tmp_path: Path) -> None:
    """Nothing can end its parent: it has no way to it but the exit code (see runtime/workers.py)."""
    ran = run(
        f"{HEAD}{WORK % 'spawn'}    {FORK_ONLY['Process, exit code ignored']}\n    print(p.exitcode)\n", folder=tmp_path
    )
    assert ran.out.count('"agentgate/v1"') == 1
    assert ran.out.strip().endswith("3")


def test_an_answer_reaches_a_forked_worker(tmp_path: Path) -> None:
    program = f"{HEAD}{WORK % 'fork'}    with multiprocessing.Pool(1) as pool: print(pool.map(work, [0]))\n"
    program = program.replace("LABEL[:900]", "'Name: '")
    ran = run(program, folder=tmp_path, env={"AGENTGATE_ANSWERS": '{"name": "ada"}'})
    assert (ran.code, ran.out) == (0, "['ada']\n"), ran
