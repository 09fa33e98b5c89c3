"""The one JSON document that says what a run ended with, `agentgate/v1` (DESIGN section 7)."""

from __future__ import annotations

from . import answers, commandline, mode, state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["build", "dumps", "next_step", "present", "sayable", "without_secrets"]

SCHEMA = "agentgate/v1"
LITERAL = ("schema", "status", "command", "next", "argv", "args", "code", "token")  # never made of a secret
SHORTEST_SECRET = 4  # a shorter one would be found in any text
KEYS = ("schema", "ok", "status", "command", "reason", "message", "data", "error", "inputs", "consent", "next", "meta")


def build(
    status: str,
    *,
    exit_code: int | None = None,
    message: str | None = None,
    code: str | None = None,
    hint: str | None = None,
    fix: str | None = None,
    reason: str | None = None,
    meta: dict[str, Any] | None = None,
    **parts: Any,
) -> dict[str, Any]:
    """An envelope with its keys in order, and without those that do not apply.

    status: `ok`, `action_required` or `failed`. exit_code: left out, that of a stop. code: the stable error
    code; with it goes `message`, and `hint` and `fix` where there are any. parts: `data`, `inputs`, `consent`,
    `next`.
    """
    document: dict[str, Any] = {"schema": SCHEMA, "ok": status == "ok", "status": status}
    document["command"] = commandline.join(commandline.command())
    document["reason"] = reason or (code if status == "action_required" else None)
    document["message"] = message
    if code is not None:
        document["error"] = present({"code": code, "message": message, "hint": hint, "fix": fix})
    document.update(parts)
    agent = mode.current_agent()
    code_of_run = state.exit_code if exit_code is None else exit_code
    document["meta"] = present({"agent": agent.name if agent else None, "exit_code": code_of_run, **(meta or {})})
    return {key: without_secrets(document[key], key) for key in KEYS if document.get(key) is not None}


def next_step(argv: list[str], when: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
    """One entry of `next`: a literal command, when to run it, and what its placeholders stand for."""
    return present({"command": commandline.join(argv), "argv": argv, "when": when, "params": params or None})


def dumps(document: dict[str, Any]) -> str:
    """One line of ASCII JSON: no encoding of stdout can break it, no terminal can act on it."""
    import json

    try:
        return json.dumps(document, ensure_ascii=True, default=str, allow_nan=False)
    except (TypeError, ValueError):
        return json.dumps(sayable(document), ensure_ascii=True, default=str)


def sayable(value: Any, *above: Any) -> Any:
    """A program's data without what JSON cannot say: NaN, a key that is no text, a list that holds itself."""
    if any(value is one for one in above):
        return "..."
    if isinstance(value, dict):
        return {str(key): sayable(one, value, *above) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [sayable(one, value, *above) for one in value]
    unsayable = isinstance(value, float) and (value != value or value in (float("inf"), float("-inf")))
    return None if unsayable else value


def without_secrets(value: Any, key: str = "", literal: tuple[str, ...] = LITERAL) -> Any:
    """A value in which no secret answer is repeated (an error's text often does)."""
    if not answers.secrets or key in literal:
        return value
    if key in ("plan", "data"):
        literal = ()  # names in there are the program's, not ours
    if isinstance(value, dict):
        return {name: without_secrets(one, name, literal) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_secrets(one, "", literal) for one in value]
    if isinstance(value, str):
        for secret in answers.secrets:
            value = value.replace(secret, "***") if len(secret) >= SHORTEST_SECRET else value
    return value


def present(table: dict[str, Any]) -> dict[str, Any]:
    """The entries that hold anything."""
    return {key: value for key, value in table.items() if value is not None}
