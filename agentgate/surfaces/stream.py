"""What a live command tells while it runs: lines for a person, one typed JSON object a line for an agent.

from agentgate import stream

with stream.step("build"):
    stream.progress(40, "compiling")
stream.event("deployed", {"target": "prod"})

A command is live by its nature (`@effects(live=True)`), never by an option. Its first line is `start`, its last one
`result` or `error`: the envelope. Whatever else is printed, also by child processes, becomes `log` lines.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from datetime import UTC, datetime
from typing import Any

from ..runtime import commandline, ending, envelope, runners, state, streams, wire
from . import frames, outcome, profiles, view
from .printed import Children, Lines

__all__ = ["LEVELS", "event", "is_open", "log", "opened", "progress", "send_view", "step"]

LEVELS = ("info", "warn", "error")
READER_GONE = 141  # what a shell reports of a program that wrote to a closed pipe: 128 and SIGPIPE
SIGNALS = {signal.SIGINT: ("interrupted", "The run was interrupted."), signal.SIGTERM: ("terminated", "It was ended.")}

_Record = dict[str, Any]
_send: Callable[[_Record], None] | None = None
_lock = threading.RLock()  # also a signal handler, or the destruction of a stop, may come here
_ended = False
_reader_gone = False
_writer: int | None = None  # the thread that is writing a line
_signal: int | None = None  # what came while that was the main thread
_steps: dict[str, str] = {}


class step:
    """One step of the work, as a context: it has started, and is completed or failed when the context ends."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        self._started = time.monotonic()
        _tell("step", name=self._name, status="started")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        passed = round((time.monotonic() - self._started) * 1000)
        if error is None:
            _tell("step", name=self._name, status="completed", duration_ms=passed)
        else:
            _tell("step", name=self._name, status="failed", duration_ms=passed, error=_sentence(error))


def progress(percent: float | None = None, message: str | None = None) -> None:
    """How far it is: a share of a hundred, or words, or both."""
    _tell("progress", percent=percent, message=message)


def log(level: str, message: str) -> None:
    """One line for whoever looks into it later. Raises ValueError for a level that is not in LEVELS."""
    if level not in LEVELS:
        raise ValueError(f"a level is {', '.join(LEVELS)}, not {level!r}")
    _tell("log", level=level, message=message)


def event(name: str, data: Any = None) -> None:
    """Something happened that the command is there to tell: a reader branches on its name."""
    _tell("event", name=name, data=data)


def is_open() -> bool:
    """Whether this run's stdout is a stream of records."""
    return _send is not None


def send_view(chosen: frames.View) -> None:
    """Draw a view now, for a surface."""
    _write(view.frame(chosen))


@contextmanager
def opened() -> Iterator[None]:
    """Make stdout a stream until the run ends: its first line, what is told, and at last the envelope.

    SIGINT and SIGTERM become a failure with the code that a shell gives them. Raises outcome.Failed for these, and
    SystemExit when stdout is closed.
    """
    global _send
    _send = _sender()
    state.silent_stdout = True
    state.render = _last_line(_send is _send_typed)
    before = _take_signals()
    children = None if runners.under_test() else Children.take_stdout(_tell_line)
    lines = Lines(_tell_line)
    try:
        _tell("start", command=commandline.join(commandline.command()))
        with redirect_stdout(sys.stdout if runners.under_test() else lines):
            yield
    except SystemExit as ended:
        if state.stopped is None and (_reader_gone or isinstance(ended, _Signalled)):
            state.exit_code = ended.exit_code if isinstance(ended, _Signalled) else READER_GONE
            ending.leave()  # threads that follow something would follow it for ever
        raise
    finally:
        lines.end()
        if children is not None:
            children.end()
        for number, handler in before.items():
            signal.signal(number, handler)


def _sender() -> Callable[[_Record], None]:
    if view.in_use():
        return _send_frame
    return _send_bare if profiles.in_use() == "vyre" else _send_typed


def _tell(kind: str, **parts: Any) -> None:
    record = {"type": kind, "ts": _now(), **{key: value for key, value in parts.items() if value is not None}}
    record = envelope.without_secrets(record)
    if _send is not None:
        _send(record)
    else:
        _print(record)


def _tell_line(line: str) -> None:
    """What was printed; behind the terminal line it goes where all that cleanup prints goes."""
    if not _ended:
        log("info", line)
    else:
        streams.say(f"{line}\n")


def _send_typed(record: _Record) -> None:
    _write(record)


def _send_bare(record: _Record) -> None:
    """As vyre does: one value a line, and nothing around it."""
    if record["type"] == "event":
        _write(record.get("data"))


def _send_frame(record: _Record) -> None:
    if record["type"] != "start":
        _write(view.frame(_drawn(record), record.get("data") if record["type"] == "event" else record))


def _drawn(record: _Record) -> frames.View:
    """The view of a record: the newest of a kind replaces the last, so all steps are in one."""
    if record["type"] == "event":
        return frames.derived(record.get("data"))
    if record["type"] == "step":
        with _lock:
            _steps[record["name"]] = {"started": "wait", "completed": "ok", "failed": "failed"}[record["status"]]
            return frames.checks(_steps.items())
    if record["type"] == "progress":
        told = {"Progress": _share(record), "Message": record.get("message")}
        return frames.card({label: value for label, value in told.items() if value is not None})
    return frames.text(record["message"])


def _write(value: Any) -> None:
    """One whole line, at once, and none after the last. Once nobody reads, each thread ends that comes here."""
    global _reader_gone, _signal, _writer
    with _lock:
        if not _ended and not _reader_gone:
            _writer = threading.get_ident()
            _reader_gone = not streams.write(envelope.dumps(value) + "\n")
            _writer = None
    if _signal is not None and threading.current_thread() is threading.main_thread():
        came, _signal = _signal, None
        raise _Signalled(came)
    if _reader_gone:
        raise SystemExit(READER_GONE)


def _print(record: _Record) -> None:
    """For a person: what happens on stdout, what is only about it on stderr."""
    kind, name = record["type"], record.get("name")
    if kind == "step":
        took = f" ({record['duration_ms'] / 1000:.1f} s)" if "duration_ms" in record else ""
        error = f": {record['error']}" if "error" in record else ""
        print(f"{name}: {record['status']}{took}{error}", flush=True)
    elif kind == "event":
        data = record.get("data")
        shown = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, default=str)
        print(name if data is None else f"{name}: {shown}", flush=True)
    elif kind == "progress":
        streams.say(" ".join(filter(None, (_share(record), record.get("message")))) + "\n")
    else:
        streams.say(f"{record['level']}: {record['message']}\n")


def _share(record: _Record) -> str | None:
    return f"{record['percent']:g} %" if "percent" in record else None


def _last_line(is_typed: bool) -> Callable[[_Record], tuple[list[str], int, str]]:
    """The stream's end: the envelope in the format that the run has, with a type and a time."""
    inner = state.render or wire.own

    def render(document: _Record) -> tuple[list[str], int, str]:
        global _ended
        lines, code, text = inner(document)
        if is_typed:
            head = {"type": "result" if document["ok"] else "error", "ts": _now()}
            lines = [envelope.dumps({**head, **json.loads(lines[-1])})]
        with _lock:
            _ended = True
        return lines, code, text

    return render


class _Signalled(outcome.Failed):
    """A signal ended the run."""

    def __init__(self, number: int) -> None:
        super().__init__(*SIGNALS[signal.Signals(number)], hint=None, fix=None)
        self.code = self.exit_code = 128 + number


def _take_signals() -> dict[signal.Signals, Any]:
    """End by an exception on the signals that nobody handles or ignores, the first time; the second one kills."""
    taken: dict[signal.Signals, Any] = {}
    if threading.current_thread() is not threading.main_thread():
        return taken

    def end(number: int, _: object) -> None:
        global _signal
        for one in taken:
            signal.signal(one, signal.SIG_DFL)
        if _writer == threading.get_ident():
            _signal = number  # the line is written to its end first
        else:
            raise _Signalled(number)

    for one in SIGNALS:
        if signal.getsignal(one) in (signal.SIG_DFL, signal.default_int_handler):
            taken[one] = signal.signal(one, end)
    return taken


def _sentence(error: BaseException) -> str:
    said = str(error)
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
