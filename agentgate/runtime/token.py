"""The token that stands for one consent question (DESIGN section 6)."""

from __future__ import annotations

import os

from . import answers, commandline
from .plan import canonical, digest_of_plan, spelled

__all__ = ["LENGTH", "canonical", "digest", "digest_of_plan", "directory", "matches", "spelled", "token"]

VERSION = "agentgate-confirm-v1"
LENGTH = 12


def token(reasons: list[str], question: str, ordinal: int, plan_digest: str | None) -> str:
    """The first 12 hex characters of a SHA-256 over all that the person agrees to.

    That is the physical directory, the exact command line, the answers used so far, the reasons, the
    question and how often it was asked before, and the plan. Written as canonical JSON, so that no two
    command lines share one token, and in ASCII, so that arguments that are not UTF-8 have one too.
    """
    return digest(reasons, question, ordinal, plan_digest)[:LENGTH]


def digest(reasons: list[str], question: str, ordinal: int, plan_digest: str | None) -> str:
    """The whole of the digest that the token is the beginning of."""
    from hashlib import sha256

    used = [list(pair) for pair in answers.used]
    text = canonical(
        [VERSION, directory(), commandline.command(), used, sorted(reasons), [question, ordinal], plan_digest]
    )
    return sha256(text.encode("ascii")).hexdigest()


def matches(given: str, expected: str) -> bool:
    """Whether a token that was given is the expected one, in constant time."""
    from hmac import compare_digest

    return compare_digest(given.encode("utf-8", "surrogateescape"), expected.encode())


def directory() -> str:
    """The physical directory of the run; empty when it was removed under the program."""
    try:
        return os.path.realpath(os.getcwd())
    except OSError:
        return ""
