"""A plan: what a consent covers beyond the command line, as JSON with one spelling, and its digest."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["SHOWN", "canonical", "cut", "digest_of_plan", "spelled"]

SHOWN = 8000  # characters of a plan that the envelope shows
_CHUNK = 1 << 20


def canonical(value: object) -> str:
    """JSON with one spelling for one value. Raises TypeError for a value that has none."""
    import json

    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"), default=_spelled)


def spelled(value: object) -> Any:
    """A plan as JSON values only, as its digest sees it.

    A path object stands for what is there now: a file's plan is its name and the digest of its content.
    """
    import json

    return json.loads(canonical(value))


def digest_of_plan(plan: object) -> str | None:
    """The digest of a plan; None without one."""
    if plan is None:
        return None
    from hashlib import sha256

    return sha256(canonical(plan).encode("ascii")).hexdigest()


def cut(plan: Any) -> tuple[Any, bool]:
    """A spelled plan as far as an envelope shows it, and whether anything is missing from it."""
    if len(canonical(plan)) <= SHOWN:
        return plan, False
    if isinstance(plan, list):
        return plan[: _fitting([canonical(one) for one in plan])], True
    if isinstance(plan, dict):
        names = list(plan)[: _fitting([canonical([name, one]) for name, one in plan.items()])]
        return {name: plan[name] for name in names}, True
    return (plan if isinstance(plan, str) else canonical(plan))[: SHOWN // 2], True


def _fitting(texts: list[str]) -> int:
    left = SHOWN
    for at, text in enumerate(texts):
        left -= len(text) + 1
        if left < 0:
            return at
    return len(texts)


def _spelled(value: object) -> object:
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=canonical)
    if hasattr(value, "__fspath__"):
        return _content(os.fspath(value))
    if type(value).__str__ is object.__str__ and type(value).__repr__ is object.__repr__:
        raise TypeError(f"a plan cannot hold {value!r}: it looks different in every run")
    return str(value)


def _content(path: str | bytes, *, inside: bool = False) -> object:
    """What is at a path: its name alone when there is nothing; else with the digest of what is there.

    inside: below a folder of the plan, where a link to a folder is a link and no more (it may lead back up).
    """
    name = os.fsdecode(path)
    try:
        found = os.lstat(name)
    except OSError:
        return name
    from stat import S_ISDIR, S_ISLNK, S_ISREG

    try:
        if S_ISLNK(found.st_mode):
            linked = {"path": name, "link": os.readlink(name)}
            if os.path.isfile(name):
                return {**linked, "sha256": _digest_of_file(name)}
            return {**linked, "files": _contents(name)} if os.path.isdir(name) and not inside else linked
        if S_ISREG(found.st_mode):
            return {"path": name, "sha256": _digest_of_file(name)}
        if S_ISDIR(found.st_mode):
            return {"path": name, "files": _contents(name)}
    except OSError as error:
        return {"path": name, "unreadable": error.strerror or "unreadable"}
    return {"path": name, "special": True}


def _contents(folder: str) -> dict[str, object]:
    return {name: _content(os.path.join(folder, name), inside=True) for name in sorted(os.listdir(folder))}


def _digest_of_file(name: str) -> str:
    from hashlib import sha256

    digest = sha256()
    with open(name, "rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
