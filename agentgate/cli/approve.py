"""`agentgate approve ID`: a person's go-ahead, given in the person's own terminal."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any, NoReturn

from ..runtime import commandline, envelope, mode, stop, streams
from ..surfaces.effects import effects
from . import output

if TYPE_CHECKING:
    from ..trust.approval import Waiting
    from ..trust.presence import Seen

__all__ = ["SUMMARY", "add_arguments", "run"]

SUMMARY = "agree, in your own terminal, to what an agent waits for"

_LETTERS = "abcdefghkmnpqrstuvwxyz23456789"  # none that is taken for another
_CODE = 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("id", nargs="?", metavar="ID", help="the question, as the agent's `next` names it")
    parser.add_argument("--list", action="store_true", help="list the questions that wait for you")
    parser.add_argument("--deny", metavar="ID", help="say no to this question")
    output.add_format_arguments(parser)


@effects("withheld", person=True)
def run(arguments: argparse.Namespace) -> int:
    """Show the question and take the person's answer.

    Exit code 0 when it was approved (or listed, or denied), 1 when the person did not agree, 2 when there is
    no such question or no terminal, 3 when an agent runs this.
    """
    from ..trust import approval, ledger

    if sum((arguments.id is not None, arguments.list, arguments.deny is not None)) != 1:
        stop.usage_error("approve: say which question: agentgate approve ID, or --list, or --deny ID")
    try:
        if arguments.list:
            return _list(arguments, approval.waiting())
        if arguments.deny is not None:
            approval.deny(arguments.deny, via="deny", agent=_agent_name())
            return _say(arguments, {"id": arguments.deny, "state": "denied"}, f"Denied {_plain(arguments.deny)}.")
        return _approve(arguments)
    except approval.NotWaiting as error:
        stop.usage_error(f"approve: {_plain(str(error))}")
    except ledger.LedgerError as error:
        stop.usage_error(f"approve: {error}")


def _approve(arguments: argparse.Namespace) -> int:
    from ..trust import approval, plans, presence, render

    seen = presence.agent_behind()
    if seen is not None:
        _refuse_agent(arguments.id, seen)
    found = approval.find(arguments.id)
    terminal = presence.open_terminal()
    if terminal is None:
        stop.usage_error("approve: there is no terminal to ask at: run this in your own terminal")
    try:
        if not presence.is_foreground(terminal):
            stop.usage_error("approve: this runs in the background: run it in the foreground of your own terminal")
        plan = render.plan_of(found.row)
    except plans.Changed as error:
        stop.usage_error(f"approve: {_plain(str(error))}")
    else:
        agreed = _asks(terminal, found, plan)
    finally:
        os.close(terminal)
    if not agreed:
        streams.say(f"Not approved. To say no for good: agentgate approve --deny {arguments.id}\n")
        return 1
    approval.approve(arguments.id, via="terminal", terminal=_terminal_name())
    text = "Approved, for one run of exactly this command line. The agent can run it again now."
    return _say(arguments, {"id": arguments.id, "state": "approved"}, text)


def _asks(terminal: int, found: Waiting, plan: list[str]) -> bool:
    """Show the question on the terminal itself, and read the code from it: no pipe stands in for either."""
    import secrets

    from ..trust import render

    code = "".join(secrets.choice(_LETTERS) for _ in range(_CODE))
    text = render.question(found.row, expires_at=found.expires_at, plan=plan)
    earlier = {
        "denied": f"{found.answered_by} said no to this before.\n",
        "approved": "You have approved this already.\n",
    }
    _write(
        terminal, f"An agent asks for your consent ({found.row.key}). This is what agentgate recorded:\n\n{text}\n\n"
    )
    _write(terminal, earlier.get(found.state, ""))
    _forget_what_was_typed(terminal)
    _write(terminal, f"To agree to exactly this, once, type {code} (anything else is a no): ")
    try:
        typed = os.read(terminal, 1000)
    except (OSError, KeyboardInterrupt):
        _write(terminal, "\n")
        return False
    return typed.decode("utf-8", "replace").strip() == code


def _forget_what_was_typed(terminal: int) -> None:
    try:
        import termios

        termios.tcflush(terminal, termios.TCIFLUSH)
    except (ImportError, OSError):
        pass


def _write(terminal: int, text: str) -> None:
    data = text.encode("utf-8", "replace")
    while data:
        data = data[os.write(terminal, data) :]


def _refuse_agent(name: str, seen: Seen) -> NoReturn:
    message = (
        f"Only a person can approve, in a terminal of their own: an agent ({_plain(seen.agent)}, by {seen.signal}) "
        f"is detected {seen.where}."
    )
    streams.say(f"agentgate: approve: {message}\n")
    command = [*commandline.launcher()[:-1], "approve", name]
    document = envelope.build(
        "action_required",
        code="person_required",
        message=message,
        next=[envelope.next_step(command, "for the person, in their own terminal: ask them to run this")],
    )
    raise SystemExit(stop.print_envelope(document) if mode.agent_run() else document["meta"]["exit_code"])


def _list(arguments: argparse.Namespace, found: list[Waiting]) -> int:
    from ..trust import render

    if output.wants_json(arguments):
        return output.print_outcome({"waiting": [_data(one) for one in found]})
    if not found:
        output.print_text("No question waits for you.")
    for one in found:
        body = one.row.body
        words = render.shown(commandline.join(body["command"]))[:100]
        reasons = render.shown(", ".join(body["reasons"]))[:40]
        output.print_text(f"{one.row.key}  {one.state:<9} until {one.expires_at}  {reasons:<16} {words}")
    return 0


def _data(one: Waiting) -> dict[str, Any]:
    body = one.row.body
    kept = ("time", "program", "command", "directory", "reasons", "message", "agent")
    return {"id": one.row.key, "state": one.state, "expires_at": one.expires_at, **{key: body[key] for key in kept}}


def _say(arguments: argparse.Namespace, data: dict[str, Any], text: str) -> int:
    if output.wants_json(arguments):
        return output.print_outcome(data, changed=True)
    output.print_text(text)
    return 0


def _agent_name() -> str | None:
    agent = mode.current_agent()
    return agent.name if agent else None


def _terminal_name() -> str:
    for descriptor in range(3):
        try:
            return os.ttyname(descriptor)
        except (OSError, AttributeError):
            pass
    return "/dev/tty"


def _plain(text: str) -> str:
    from ..runtime.visible import visible

    return visible(text[:200])
