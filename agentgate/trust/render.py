"""What a person is shown before they agree: as recorded, whole or plainly cut, and nothing in it that deceives."""

from __future__ import annotations

from typing import Any

from ..runtime import commandline
from ..runtime.visible import oddities, visible
from . import plans
from .ledger import Row

__all__ = ["question", "row_in_one_line", "shown"]

LONGEST = 4000  # characters of one value
MOST_LINES = 200  # of a plan
_WIDTH = 160  # of a line in a list


def question(row: Row, *, expires_at: str, plan: list[str]) -> str:
    """A question with everything that was recorded of it. What matters most stands last, next to the prompt."""
    body = row.body
    agent = body["agent"]
    fields = [
        ("asked", f"{body['time']}, good until {expires_at}"),
        ("agent", f"{agent['name']} (told by {agent['signal']})" if agent else "none was detected"),
        ("user", f"{body['user']['name']} ({body['user']['uid']})"),
        ("answers", ", ".join(body["answers"]) or "none"),
        ("program", body["program"]),
        ("reason", ", ".join(body["reasons"])),
        ("question", body["message"]),
        ("directory", body["directory"]),
        ("command", commandline.join(body["command"])),
    ]
    lines = _plan(plan, row) if "plan" in body else []
    for name, value in fields:
        lines.append(f"{name:>10}  {shown(value)}")
        if name not in ("asked", "answers"):
            lines += [f"{'':>10}  ^ {warning}" for warning in oddities(value)]
    return "\n".join(lines)


def shown(value: str) -> str:
    """A text in one line, made visible; what is cut off is counted."""
    if len(value) <= LONGEST:
        return visible(value)
    return f"{visible(value[:LONGEST])} … AND {len(value) - LONGEST} CHARACTERS MORE, NOT SHOWN"


def row_in_one_line(row: Row) -> str:
    """A row of the ledger as a line of a list."""
    body: dict[str, Any] = row.body
    about = f" of {row.ref}" if row.ref is not None else ""
    agent = (body.get("agent") or {}).get("name") or "-"
    by = body.get("by")
    told = f"by {by['name']}" if isinstance(by, dict) else str(body.get("why", ""))
    words = commandline.join(body["command"]) if "command" in body else told
    text = f"{row.seq:>6}  {body['time']}  {row.event + about:<16} {body.get('assurance', '-'):<7} {agent:<10} {words}"
    line = visible(text)
    return line if len(line) <= _WIDTH else line[: _WIDTH - 1] + "…"


def _plan(plan: list[str], row: Row) -> list[str]:
    lines = ["      plan  everything that this consent covers beyond the command line:"]
    for line in plan[:MOST_LINES]:
        lines.append(f"          | {shown(line)}")
        lines += [f"            ^ {warning}" for warning in oddities(line[:LONGEST])]
    if len(plan) > MOST_LINES:
        rest = len(plan) - MOST_LINES
        lines.append(f"          | … AND {rest} LINES MORE: agentgate ledger show {row.seq}")
    return lines


def plan_of(row: Row) -> list[str]:
    """The kept plan of a question as lines. Raises plans.Changed."""
    digest = row.body.get("plan_shown")
    return plans.lines(plans.load(digest)) if digest else []
