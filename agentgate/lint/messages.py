"""The sentence of a finding."""

from __future__ import annotations

from agentgate.lint.finding import REFERENCE
from agentgate.lint.rules import RULES, Rule

__all__ = ["RULES", "Rule", "message"]

_REFERENCES = {
    "confirm": "`{call}` is handed on as a value: whoever calls it asks for a go-ahead",
    "secret": "`{call}` is handed on as a value: whoever calls it waits for a secret",
}


def message(code: str, kind: str, call: str) -> str:
    """One line that says what an agent would meet."""
    text = _REFERENCES.get(kind, RULES[code].text) if code == REFERENCE else RULES[code].text
    return text.format(call=call)
