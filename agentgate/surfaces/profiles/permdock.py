"""permdock's agent mode, as far as its page tells: `status`, `error.code`, `next`, and what a consent is for.

Its own document (`cli-result-v1`) is not public; a key that the page does not name stands where it does in
`agentgate/v1`. Exit code 3 is a person that must be asked, and then the code is one of three; 1 is a finding that
code must fix.
"""

from __future__ import annotations

from typing import Any

from .rendered import Rendered

__all__ = ["render"]

ACTION_REQUIRED = 3
CODES = ("missing_input", "auth_required", "consent_required")


def render(envelope: dict[str, Any]) -> Rendered:
    """The envelope as permdock prints it for an agent."""
    document: dict[str, Any] = {"status": envelope["status"]}
    if "data" in envelope:
        document["data"] = envelope["data"]
    if "error" in envelope:
        document["error"] = {"code": _code(envelope), "message": envelope["error"]["message"]}
    if "consent" in envelope:
        told = ("reasons", "token")
        document["consent"] = {key: value for key, value in envelope["consent"].items() if key in told}
    if "next" in envelope:
        document["next"] = [{"command": step["command"], "when": step["when"]} for step in envelope["next"]]
    stopped = envelope["status"] == "action_required"
    return Rendered([document], ACTION_REQUIRED if stopped else envelope["meta"]["exit_code"])


def _code(envelope: dict[str, Any]) -> str:
    """The code; whatever else only a person can do counts as their consent."""
    code: str = envelope["error"]["code"]
    return code if envelope["status"] != "action_required" or code in CODES else "consent_required"
