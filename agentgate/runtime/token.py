"""The token that stands for one consent question (DESIGN section 6)."""

from __future__ import annotations

import os

from . import answers, commandline
from .plan import canonical

__all__ = ["LENGTH", "digest", "directory", "matches"]

VERSION = "agentgate-confirm-v1"
LENGTH = 12  # hex characters of the digest that are the token


def digest(reasons: list[str], question: str, ordinal: int, plan_digest: str | None) -> str:
    """A SHA-256 over all that the person agrees to, in hex; the token is its beginning.

    That is the physical directory, the exact command line, the answers used so far, the reasons, the
    question and how often it was asked before, and the plan. Written as canonical JSON, so that no two
    command lines share one token, and in ASCII, so that arguments that are not UTF-8 have one too.
    """
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
