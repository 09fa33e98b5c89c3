"""What each rule is called, and what an agent would meet where it is found."""

from __future__ import annotations

from typing import NamedTuple

from agentgate.lint.finding import REFERENCE

__all__ = ["RULES", "Rule", "message"]


class Rule(NamedTuple):
    """A rule's name and its sentence; `{call}` stands for the prompt."""

    name: str
    text: str


RULES = {
    "AG101": Rule("missing-input", "`{call}` waits for a value: an agent would hang here, or read an empty line"),
    "AG102": Rule(
        "consent-required", "`{call}` asks for a go-ahead: an agent would hang, or say yes in a person's place"
    ),
    "AG103": Rule("auth-required", "`{call}` waits for a secret: an agent has none to type, and would hang"),
    "AG104": Rule("prompting-option", "`{call}` declares an option that prompts when it is left out"),
    "AG105": Rule("pause", "`{call}` waits for a key that an agent will never press"),
    "AG106": Rule("editor-or-pager", "`{call}` opens a program that waits for a person at the terminal"),
    "AG107": Rule("debugger", "`{call}` stops in a debugger that waits for commands"),
    "AG108": Rule("prompt-reference", "`{call}` is handed on as a value: whoever calls it waits for a person"),
    "AG109": Rule("prompting-child", "`{call}` can wait for a person at the terminal"),
    "AG901": Rule("unreadable", "{call}"),
}
_REFERENCES = {
    "confirm": "`{call}` is handed on as a value: whoever calls it asks for a go-ahead",
    "secret": "`{call}` is handed on as a value: whoever calls it waits for a secret",
}


def message(code: str, kind: str, call: str) -> str:
    """One line that says what an agent would meet."""
    text = _REFERENCES.get(kind, RULES[code].text) if code == REFERENCE else RULES[code].text
    return text.format(call=call)
