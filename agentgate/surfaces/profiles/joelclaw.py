"""joelclaw: JSON always, `result` and `next_actions`, and after a failure the `fix`.

Its pages name no exit codes; they are the envelope's own. `result` is null on failure, but for what a check found.
"""

from __future__ import annotations

import shlex
from typing import Any

from .rendered import Rendered

__all__ = ["render"]


def render(envelope: dict[str, Any]) -> Rendered:
    """The envelope as joelclaw's rules want it."""
    actions = [_action(step) for step in envelope.get("next", ())]
    document: dict[str, Any]
    if envelope["ok"]:
        document = {"ok": True, "command": envelope["command"], "result": _result(envelope), "next_actions": actions}
    else:
        error = envelope["error"]
        document = {
            "ok": False,
            "command": envelope["command"],
            "error": {"message": error["message"], "code": error["code"]},
            "fix": _fix(envelope, actions),
            "next_actions": actions,
            "result": _result(envelope),
        }
    return Rendered([document], envelope["meta"]["exit_code"])


def _result(envelope: dict[str, Any]) -> Any:
    """The data; a list or text that was cut says so in the system's own words."""
    data, cut = envelope.get("data"), envelope["meta"].get("truncated")
    if not isinstance(cut, dict):
        return data
    if isinstance(data, dict) and list(data) == ["text"]:
        data = data["text"].splitlines()
    if not isinstance(data, list):
        return data
    told = {"lines": cut["shown"], "total": cut["total"], "truncated": True, "full_output": cut["full_output"]}
    return {**told, "entries": data}


def _action(step: dict[str, Any]) -> dict[str, Any]:
    params = step.get("params", {})
    action = {"command": _template(step["argv"], params), "description": step["when"]}
    return {**action, "params": params} if params else action


def _template(argv: list[str], params: dict[str, Any]) -> str:
    """The command with its placeholders bare (`--name <name>`), which a shell would have quoted."""
    return " ".join(_word(word, params) for word in argv)


def _word(word: str, params: dict[str, Any]) -> str:
    without = word
    for name in params:
        without = without.replace(f"<{name}>", "")
    return word if without != word and shlex.quote(without or "x") == (without or "x") else shlex.quote(word)


def _fix(envelope: dict[str, Any], actions: list[dict[str, Any]]) -> str:
    error = envelope["error"]
    if "fix" in error:
        return str(error["fix"])
    if actions:
        return f"Run `{actions[0]['command']}` {actions[0]['description']}."
    return str(error.get("hint") or error["message"])
