"""vyre's `--json`: the bare data, one JSON value a line; a failure is an `error` line.

Exit codes: 0 ok, 1 failed, 2 usage or a prompt, 3 a person must prove it is them (4 and 5 are that system's own
vault and daemon). `next` of an error is the first command that goes on. What a failed check found is printed before
its error.
"""

from __future__ import annotations

from typing import Any

from .rendered import Rendered, interrupted

__all__ = ["exit_code", "render"]

FAILED, USAGE_OR_PROMPT, PERSON = 1, 2, 3


def render(envelope: dict[str, Any]) -> Rendered:
    """The envelope as vyre prints it with `--json`."""
    code = exit_code(envelope)
    if envelope["ok"]:
        return Rendered([envelope.get("data")], code)
    found = [envelope["data"]] if "data" in envelope else []
    error = {"code": envelope["error"]["code"], "message": envelope["error"]["message"]}
    steps = envelope.get("next")
    return Rendered([*found, {"error": {**error, **({"next": steps[0]["command"]} if steps else {})}}], code)


def exit_code(envelope: dict[str, Any]) -> int:
    """vyre's exit code for an outcome."""
    if envelope["ok"]:
        return 0
    if envelope["status"] == "action_required":
        return USAGE_OR_PROMPT if _is_prompt(envelope) else PERSON
    if interrupted(envelope):
        return int(envelope["meta"]["exit_code"])
    return USAGE_OR_PROMPT if envelope["error"]["code"] == "usage" else FAILED


def _is_prompt(envelope: dict[str, Any]) -> bool:
    """Whether an answer goes on from here; else a person has to do something elsewhere."""
    return bool(envelope.get("inputs")) or "token" in envelope.get("consent", {})
