"""The plans of questions, kept by their digest beside the ledger: to be shown whole, and to say what changed."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from typing import Any

from ..runtime import envelope
from . import files, places

__all__ = ["Changed", "changes", "lines", "load", "save"]

_NAMED = 5  # lines of a difference that are told
_PATH_KEYS = {"path", "sha256", "link", "files", "unreadable", "special"}


class Changed(Exception):
    """A kept plan is missing, or is not what was kept."""


def save(plan: Any) -> tuple[str, str]:
    """Keep a plan; its file and the digest of what stands in it (secrets are left out). Raises Unsafe, OSError."""
    text = json.dumps(envelope.without_secrets(plan, "plan"), ensure_ascii=True, indent=1)
    digest = sha256(text.encode()).hexdigest()
    path = _path(digest)
    files.own_folder(places.state_folder())
    files.own_folder(os.path.dirname(path))
    if not os.path.lexists(path):
        files.write_atomically(path, text.encode())
    return path, digest


def load(digest: str) -> Any:
    """A plan that was kept. Raises Changed."""
    path = _path(digest)
    try:
        files.check(path)
        with open(path, "rb") as file:
            data = file.read()
    except (OSError, files.Unsafe) as error:
        raise Changed(f"the plan of this question is gone: {error}") from None
    if sha256(data).hexdigest() != digest:
        raise Changed(f"the plan of this question was changed after it was recorded: {path}")
    return json.loads(data)


def lines(plan: Any) -> list[str]:
    """A plan as lines to read."""
    if plan is None:
        return []
    if isinstance(plan, str):
        return plan.splitlines() or [""]
    if isinstance(plan, list):
        return [
            line for one in plan for line in (lines(one) if isinstance(one, str) or _is_path(one) else [_text(one)])
        ]
    if _is_path(plan):
        return _path_lines(plan)
    if isinstance(plan, dict):
        return [f"{name}: {_text(value)}" for name, value in plan.items()]
    return [_text(plan)]


def changes(before: Any, now: Any) -> str:
    """What is different in a plan, in one clause: `added 'x', removed 'y'`."""
    old, new = lines(before), lines(now)
    parts = [
        f"{verb} {_listed(found)}"
        for verb, found in (
            ("added", [line for line in new if line not in set(old)]),
            ("removed", [line for line in old if line not in set(new)]),
        )
        if found
    ]
    return ", ".join(parts) or "in another order"


def _listed(found: list[str]) -> str:
    named = ", ".join(repr(line[:80]) for line in found[:_NAMED])
    return named + (f" and {len(found) - _NAMED} more" if len(found) > _NAMED else "")


def _is_path(plan: Any) -> bool:
    """Whether this is what a path object in a plan was spelled as."""
    return isinstance(plan, dict) and isinstance(plan.get("path"), str) and set(plan) <= _PATH_KEYS and len(plan) > 1


def _path_lines(plan: dict[str, Any]) -> list[str]:
    rest = {key: value for key, value in plan.items() if key not in ("path", "files")}
    about = ", ".join(f"{key} {_text(value)}" for key, value in rest.items())
    if "files" not in plan:
        return [f"{plan['path']} ({about})"]
    return [
        f"{plan['path']}{os.sep}" + (f" ({about})" if about else ""),
        *(line for one in plan["files"].values() for line in lines(one)),
    ]


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def _path(digest: str) -> str:
    return os.path.join(places.state_folder(), "plans", f"{digest}.json")
