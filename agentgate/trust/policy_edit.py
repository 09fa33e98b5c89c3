"""Changes the user's own policy file: one setting at a time, checked before it is written, written whole."""

from __future__ import annotations

import os
import re
import tomllib
from typing import Any

import tomli_w

from . import files, places
from .policy_files import PolicyError, parse

__all__ = ["EditError", "changed", "write"]

SETTINGS = ("default", "ttl", "unattended", "notify", "rule")
_RULE_KEYS = ("reason", "program", "agent", "require")


class EditError(Exception):
    """The setting does not exist, or not with this value; the text says so in one sentence."""


def changed(setting: str, values: list[str]) -> tuple[str, bytes, bytes]:
    """The file's path, its content, and its content with a setting changed. Raises EditError, PolicyError."""
    path = places.user_policy()
    try:
        before = files.read_small(path)
    except FileNotFoundError:
        before = b""
    except files.Unsafe as error:
        raise PolicyError(f"The policy {error}") from None
    parse(before, path, "user")
    document: dict[str, Any] = tomllib.loads(before.decode("utf-8"))
    _set(document, setting, values)
    after = tomli_w.dumps(document, multiline_strings=False).encode()
    try:
        parse(after, path, "user")
    except PolicyError as error:
        raise EditError(str(error).partition(": ")[2]) from None
    return path, before, after


def write(path: str, after: bytes) -> None:
    """Put the new content into the file. Raises Unsafe."""
    files.own_folder(os.path.dirname(path))
    files.write_atomically(path, after)


def _set(document: dict[str, Any], setting: str, values: list[str]) -> None:
    if setting not in SETTINGS:
        raise EditError(f"there is no setting {setting!r}, only {', '.join(SETTINGS)}")
    if not values:
        raise EditError(f"{setting} needs a value")
    consent = document.setdefault("consent", {})
    if setting == "notify":
        document.setdefault("approve", {})["notify"] = values
    elif setting == "rule":
        consent.setdefault("rule", []).append(_rule(values))
    elif len(values) > 1:
        raise EditError(f"{setting} takes one value")
    else:
        value = values[0]
        is_number = setting == "ttl" and re.fullmatch("[0-9]{1,9}", value)
        consent[setting] = int(value) if is_number else value
    if not consent:
        del document["consent"]


def _rule(values: list[str]) -> dict[str, Any]:
    rule: dict[str, Any] = {}
    for word in values:
        key, equals, value = word.partition("=")
        if not equals or key not in _RULE_KEYS:
            raise EditError(f"a rule is written as {' '.join(f'{one}=…' for one in _RULE_KEYS)}, not {word!r}")
        if key in rule and key != "require":
            rule[key] = [*(rule[key] if isinstance(rule[key], list) else [rule[key]]), value]
        else:
            rule[key] = value
    return rule
