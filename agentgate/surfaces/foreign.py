"""The surfaces of a program that knows nothing of agentgate, without running its handlers.

A child process imports the program and describes it, apart from this one: its home is a throw-away folder, it
has no terminal, its output is lost, it can change nothing and has a limited time.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NoReturn

from ..integrations.said import text
from . import commands, completion, overview, schema
from .capture import FRAMEWORKS, Captured, capture
from .confine import confine, environment
from .installed import Installed, NotFound, find, load
from .tree import Program

__all__ = ["NotFound", "describe"]

SECONDS = 60
_ANSWER = "agentgate-answer.json"
# what the child runs; the folder that holds agentgate comes last, so that nothing beside it is found first
_START = "import sys; sys.path.append(sys.argv.pop(1)); from agentgate.surfaces import foreign; foreign.child()"


def describe(program: str, words: list[str], *, seconds: float = SECONDS) -> Any:
    """What `program WORDS` would print if it had agentgate's surfaces; with no words, an overview.

    program: a console script's name, a distribution's, or `module:object`. Raises NotFound, whose text is one
    sentence, also for words that there is nothing to print for.
    """
    installed = find(program)
    with tempfile.TemporaryDirectory(prefix="agentgate-", ignore_cleanup_errors=True) as folder:
        root = str(Path(__file__).parents[2])
        arguments = [root, folder, json.dumps(installed), json.dumps([program, *words])]
        child = subprocess.Popen(
            [sys.executable, "-P", "-c", _START, *arguments],
            env=environment(folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            code = child.wait(seconds)
        except subprocess.TimeoutExpired:
            raise NotFound(f"{program} did not come to its parser within {seconds:g} seconds") from None
        finally:
            _end(child)
        answer = Path(folder, _ANSWER)
        if not answer.exists():
            raise NotFound(f"{program} ended with exit code {code} before it came to its parser")
        said = json.loads(answer.read_text("utf-8"))
    if "problem" in said:
        raise NotFound(said["problem"])
    return said["document"]


def child() -> NoReturn:
    """The child process: describe the program that its arguments name, and end at once."""
    folder, described, asked = sys.argv[1:]
    installed = Installed(*json.loads(described))
    program, *words = json.loads(asked)
    name = installed.name or installed.target.partition(":")[0].partition(".")[0]
    sys.argv[:] = [name, "--help"]  # what does least, should it go on to parse by other means
    if installed.name is None:
        sys.path.insert(0, os.getcwd())
    entry: Any = None
    forbid_children = confine(folder)

    def answer(**said: Any) -> NoReturn:
        told = json.dumps(said, default=str).replace(json.dumps(folder)[1:-1], "~")
        Path(folder, _ANSWER).write_text(told, "utf-8")
        os._exit(0)  # none of the program's own cleanup, for there is nothing that it has done

    def handed(found: Captured) -> NoReturn:
        said = io.StringIO()
        try:
            described = _program(found, installed, name, entry)
            with contextlib.redirect_stderr(said):
                answer(document=_document(described, found.framework, program, words))
        except SystemExit:
            answer(problem=said.getvalue().strip().removeprefix("agentgate: "))
        except BaseException as error:  # never into the program, which might take it and go on
            answer(problem=f"{program} cannot be described: {_in_a_line(error)}")

    def start() -> Any:
        nonlocal entry
        entry = load(installed.target)
        forbid_children()
        return entry

    try:
        capture(start, handed)
    except NotFound as error:
        answer(problem=f"{program}: {error}")
    except SystemExit:
        pass  # after its own help, by other means
    except BaseException as error:
        answer(problem=f"{program} failed before it came to its parser: {_in_a_line(error)}")
    answer(problem=f"{program} does not parse with {', '.join(FRAMEWORKS[:-1])} or {FRAMEWORKS[-1]}")


def _program(found: Captured, installed: Installed, name: str, entry: Any) -> Program:
    root = found.read(name)
    main = entry if callable(entry) and not any(one.handler for one in root.walk()) else None
    return Program(root=root, main=main, version=installed.version)


def _document(program: Program, framework: str, called: str, words: list[str]) -> Any:
    what, *rest = words or ["overview"]
    if what == "schema":
        return schema.document(program, tuple(rest), asked_by=f"agentgate surfaces {called} schema")
    if what == "commands":
        return commands.document(program, tuple(rest))
    if what == "completion":
        return completion.document(program, tuple(rest))
    return _overview(program, framework)


def _overview(program: Program, framework: str) -> dict[str, Any]:
    """Every command in a line, and what the program itself takes; all within the budget of a schema."""
    taken = {
        "arguments": [one.name for one in program.root.arguments],
        "options": [one.flag for one in program.root.options],
    }
    whole = {
        "framework": framework,
        **overview.document(program),
        **{key: names for key, names in taken.items() if names},
    }
    if len(json.dumps(whole)) <= schema.BUDGET:
        return whole
    names = [one.name for one in program.root.visible]
    return {**whole, "commands": [{"name": name} for name in names], "total": len(names), "truncated": True}


def _in_a_line(error: BaseException) -> str:
    first = next((line for line in text(error).splitlines() if line.strip()), "")
    return f"{type(error).__name__}: {first.strip()}"


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the process, and all that it may have started."""
    if os.name == "posix":
        with contextlib.suppress(ProcessLookupError, PermissionError):  # there is nobody left, or only the dead
            os.killpg(process.pid, signal.SIGKILL)
    elif process.poll() is None:
        process.kill()
    process.wait()
