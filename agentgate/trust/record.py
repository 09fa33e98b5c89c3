"""What the ledger says about a question: everything that a person has to know, nothing that is secret."""

from __future__ import annotations

import os
from typing import Any

from ..runtime import answers, commandline, mode, token
from ..runtime.asked import Asked
from ..runtime.plan import canonical
from . import keyed, plans, redact
from .ledger import Row

__all__ = ["agents", "describe", "difference", "differences", "user"]

LONGEST = 20_000  # characters of a question's text that are kept


def describe(asked: Asked, assurance: str) -> dict[str, Any]:
    """The body of a question's rows. Raises Unavailable, Unsafe, OSError."""
    agent = mode.current_agent()
    body: dict[str, Any] = {
        "assurance": assurance,
        "program": commandline.program_name(),
        "command": redact.argv(commandline.command()),
        "directory": token.directory(),
        "reasons": list(asked.reasons),
        "message": _short(redact.text(asked.message)),
        "answers": [name for name, _ in answers.used],
        "bound": _bound(),
        "agent": {"name": agent.name, "family": agent.family, "signal": agent.signal} if agent else None,
        "user": user(),
    }
    if asked.plan_digest is not None:
        _, shown = plans.save(asked.plan)
        body.update(plan=asked.plan_digest, plan_shown=shown)
    return body


def difference(row: Row, asked: Asked) -> str | None:
    """What is not as it was when a recorded question was asked, in one clause; None when nothing is."""
    return "; ".join(differences(row, asked).values()) or None


def differences(row: Row, asked: Asked) -> dict[str, str]:
    """What is not as it was when a recorded question was asked, a clause for each part."""
    now = describe(asked, "")
    old = row.body
    found = {}
    if old["bound"]["command"] != now["bound"]["command"]:
        found["command"] = "the command line differs"
    if old["directory"] != now["directory"]:
        found["directory"] = "the directory differs"
    if old["bound"]["answers"] != now["bound"]["answers"]:
        found["answers"] = "an earlier answer differs"
    if sorted(old["reasons"]) != sorted(now["reasons"]) or old["message"] != now["message"]:
        found["question"] = "the question differs"
    if old.get("plan") != now.get("plan"):
        found["plan"] = f"the plan changed: {_plan_changes(old, asked)}"
    return found


def agents() -> tuple[str, ...]:
    """The names by which a policy may know the agent of this run; an empty one when there is none."""
    agent = mode.current_agent()
    return (agent.name, agent.family) if agent else ("",)


def user() -> dict[str, Any]:
    """Who runs this process."""
    number = os.getuid() if hasattr(os, "getuid") else 0
    try:
        import pwd

        name = pwd.getpwuid(number).pw_name  # not LOGNAME, which anybody can set
    except (KeyError, ImportError):
        name = str(number)
    return {"uid": number, "name": name}


def _bound() -> dict[str, str]:
    """Keyed digests of what the row does not show as it is: secrets on the command line, answers."""
    return {
        "command": keyed.digest(canonical(commandline.command())),
        "answers": keyed.digest(canonical([list(pair) for pair in answers.used])),
        "secrets": keyed.digest(canonical(answers.secrets)),
    }


def _plan_changes(old: dict[str, Any], asked: Asked) -> str:
    try:
        before = plans.load(old["plan_shown"]) if "plan_shown" in old else None
    except plans.Changed as error:
        return str(error)
    return plans.changes(before, asked.plan)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} … ({len(text) - LONGEST} more characters)"
