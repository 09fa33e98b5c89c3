"""The token that stands for one consent question (DESIGN section 6)."""

from __future__ import annotations

import os

from . import answers, commandline

__all__ = ["digest_of_plan", "matches", "spelled", "token"]

VERSION = "agentgate-confirm-v1"
LENGTH = 12


def token(reasons: list[str], question: str, ordinal: int, plan_digest: str | None) -> str:
    """The first 12 hex characters of a SHA-256 over all that the person agrees to.

    That is the physical directory, the exact command line, the answers used so far, the reasons, the
    question and how often it was asked before, and the plan. Written as canonical JSON, so that no two
    command lines share one token, and in ASCII, so that arguments that are not UTF-8 have one too.
    """
    from hashlib import sha256

    used = [list(pair) for pair in answers.used]
    text = canonical(
        [VERSION, _directory(), commandline.command(), used, sorted(reasons), [question, ordinal], plan_digest]
    )
    return sha256(text.encode("ascii")).hexdigest()[:LENGTH]


def digest_of_plan(plan: object) -> str | None:
    """The digest of what a consent covers beyond the command line; None without a plan."""
    if plan is None:
        return None
    from hashlib import sha256

    return sha256(canonical(plan).encode("ascii")).hexdigest()


def matches(given: str, expected: str) -> bool:
    """Whether a token that was given is the expected one, in constant time."""
    from hmac import compare_digest

    return compare_digest(given.encode("utf-8", "surrogateescape"), expected.encode())


def canonical(value: object) -> str:
    """JSON with one spelling for one value. Raises TypeError for a value that has none."""
    import json

    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"), default=_spelled)


def spelled(value: object) -> object:
    """A plan as JSON values only, as its digest sees it."""
    import json

    return json.loads(canonical(value))


def _spelled(value: object) -> object:
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=canonical)
    if hasattr(value, "__fspath__"):
        return os.fspath(value)
    if type(value).__str__ is object.__str__ and type(value).__repr__ is object.__repr__:
        raise TypeError(f"a plan cannot hold {value!r}: it looks different in every run")
    return str(value)


def _directory() -> str:
    try:
        return os.path.realpath(os.getcwd())
    except OSError:  # the directory was removed under the program
        return ""
