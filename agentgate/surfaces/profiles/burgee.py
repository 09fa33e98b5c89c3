"""burgee: `error.code` is the exit code, `meta.provenance` says where each value comes from.

Exit codes: 0 done, 1 runtime, 2 usage or a refused prompt, 3 configuration, 4 cancelled or action required, 5 auth,
130 interrupted. A question for a value is a refused prompt there, so its document is a plain failure, whose `fix` is
the command that goes on. What a failed check found stays in `data`.
"""

from __future__ import annotations

from typing import Any

from ...runtime.envelope import present
from .rendered import Rendered, interrupted

__all__ = ["render"]

FAILED = {"usage": 2, "configuration": 3, "cancelled": 4, "auth_required": 5}
STOPPED = {"missing_input": 2, "auth_required": 5}
ACTION_REQUIRED = 4


def render(envelope: dict[str, Any]) -> Rendered:
    """The envelope as burgee prints it with `--json`."""
    if envelope["ok"]:
        return Rendered([{"ok": True, "data": envelope.get("data"), "meta": _meta(envelope["meta"])}], 0)
    code = _exit_code(envelope)
    if code == ACTION_REQUIRED and envelope["status"] == "action_required":
        return Rendered([_action(envelope, code)], code, _text(envelope))
    error = envelope["error"]
    shown = {"code": code, "message": error["message"], "hint": error.get("hint"), "fix": _fix(envelope)}
    document = {"ok": False, "data": envelope.get("data"), "error": present(shown)}
    return Rendered([present(document)], code, f"error: {error['message']}\n")


def _meta(meta: dict[str, Any]) -> dict[str, Any]:
    return present({"provenance": meta.get("provenance", {}), "changed": meta.get("changed")})


def _exit_code(envelope: dict[str, Any]) -> int:
    code = envelope["error"]["code"]
    if envelope["status"] == "action_required":
        return STOPPED.get(code, ACTION_REQUIRED)
    return int(envelope["meta"]["exit_code"]) if interrupted(envelope) else FAILED.get(code, 1)


def _action(envelope: dict[str, Any], code: int) -> dict[str, Any]:
    return {
        "ok": False,
        "status": "action_required",
        "reason": envelope["reason"],
        "message": envelope["message"],
        "next": [{"command": step["command"], "when": step["when"]} for step in envelope["next"]],
        "error": {"code": code, "message": envelope["error"]["message"]},
    }


def _text(envelope: dict[str, Any]) -> str:
    lines = [f"action required ({envelope['reason']}): {envelope['message']}", "next:"]
    return "".join(f"{line}\n" for line in [*lines, *(f"  {step['command']}" for step in envelope["next"])])


def _fix(envelope: dict[str, Any]) -> str | None:
    steps = [step["command"] for step in envelope.get("next", ())]
    fix: str | None = envelope["error"].get("fix") or next(iter(steps), None)
    return fix
