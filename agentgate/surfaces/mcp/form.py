"""What a stopped run asks for, as a form that an MCP client shows to its person (elicitation)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator

from ...trust.plans import lines
from ...trust.render import shown
from .arguments import carried, option

__all__ = ["Form", "form_of"]

AGREE = "agree"
MOST_LINES = 200  # of a plan


class Form(NamedTuple):
    """A question to a person. about: what is asked, the same for the same question.

    next_argv: the command line that goes on with what the person filled in, None when they said no; it raises
    arguments.Refused for a value that no command line can carry.
    """

    message: str
    schema: dict[str, Any]
    about: frozenset[str]
    next_argv: Callable[[Mapping[str, Any] | None], list[str] | None]


def form_of(text: str, *, several: bool) -> Form | None:
    """The form for the envelope of a stop, None when a form is no way to go on.

    A secret may not be asked for in a form, and a consent of assurance `person` is given in the person's own
    terminal. several: whether the client knows lists in forms.
    """
    try:
        document = json.loads(text)
        code = document["error"]["code"]
        if code == "consent_required":
            return _consent(document)
        if code == "missing_input":
            return _inputs(document, several)
    except (KeyError, RecursionError, TypeError, ValueError):  # no envelope, or none that stopped
        pass
    return None


def _consent(document: dict[str, Any]) -> Form | None:
    consent = document["consent"]
    token = consent.get("token")
    argv = next((step["argv"] for step in document["next"] if token in step["argv"]), None)
    if token is None or argv is None or any("params" in step for step in document["next"]):
        return None
    agree = {"type": "boolean", "title": "Go ahead", "description": "Let exactly this command run."}
    return Form(
        _text(document, _plan(consent), ", ".join(consent["reasons"])),
        _schema({AGREE: agree}, [AGREE]),
        frozenset([token]),
        lambda content: argv if content and content.get(AGREE) is True else None,
    )


def _plan(consent: dict[str, Any]) -> list[str]:
    plan = lines(consent.get("plan"))
    told = [f"  | {shown(line)}" for line in plan[:MOST_LINES]]
    if len(plan) > MOST_LINES:
        told.append(f"  | … AND {len(plan) - MOST_LINES} LINES MORE, NOT SHOWN")
    if "plan_digest" in consent:
        told.append(f"  | THE PLAN IS CUT; all of it: {shown(consent.get('plan_file', 'nowhere'))}")
    return ["Plan:", *told] if told else []


def _inputs(document: dict[str, Any], several: bool) -> Form | None:
    inputs = [one for one in document["inputs"] if one["answer"] != "confirm"]
    argv = document["next"][0]["argv"]
    if any(one["secret"] or one["answer"] != "flag" or (one["kind"] == "choices" and not several) for one in inputs):
        return None
    schema = _schema({one["name"]: _field(one) for one in inputs}, [one["name"] for one in inputs if one["required"]])

    def next_argv(content: Mapping[str, Any] | None) -> list[str] | None:
        if content is None or not Draft202012Validator(schema).is_valid(dict(content)):
            return None
        return carried(_filled(argv, inputs, content))

    return Form(_text(document, [], None), schema, frozenset(one["name"] for one in inputs), next_argv)


def _field(one: dict[str, Any]) -> dict[str, Any]:
    field: dict[str, Any] = {"type": "string", "title": shown(one["label"] or one["name"])}
    choices = one.get("choices")
    if choices:
        field["enum"] = choices
    if one["kind"] == "choices":
        title = field.pop("title")
        return {"type": "array", "title": title, "items": field}
    default = one.get("default")
    if isinstance(default, (str, int, float)) and (not choices or str(default) in choices):
        field["default"] = str(default)
    return field


def _filled(argv: list[str], inputs: list[dict[str, Any]], content: Mapping[str, Any]) -> list[str]:
    """The next command with the values in place of its placeholders; an input that was left out is not in it."""
    filled: list[str] = []
    waiting = {tuple(one["args"]): one["name"] for one in inputs}
    at = 0
    while at < len(argv):
        name = waiting.pop((*argv[at : at + 2],), None)
        if name is None:
            filled.append(argv[at])
            at += 1
            continue
        flag, placeholder = argv[at : at + 2]
        value = content.get(name, [])
        for one in value if isinstance(value, list) else [value]:
            filled += option(flag, placeholder.removesuffix(f"<{name}>") + one)
        at += 2
    return filled


def _text(document: dict[str, Any], plan: list[str], reason: str | None) -> str:
    lines = [shown(document["message"])]
    lines += [f"Reason: {shown(reason)}"] if reason else []
    return "\n".join([*lines, *plan, f"Command: {shown(document['command'])}"])


def _schema(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required}
