"""A command line without the secrets that stand on it, for the ledger and for what it is shown to."""

from __future__ import annotations

import re

from ..runtime import answers, envelope

__all__ = ["HIDDEN", "argv", "text"]

HIDDEN = "***"
_NAMES = r"(?:[a-z0-9_-]*[_-])?(?:pass(?:word|wd|phrase|code)?|pw|secret|token|api[_-]?key|credentials?|auth|pin)"
_OPTION = re.compile(rf"-{{1,2}}{_NAMES}", re.IGNORECASE)
_ASSIGNED = re.compile(rf"(-{{0,2}}{_NAMES})=(.+)", re.IGNORECASE | re.DOTALL)
_USERINFO = re.compile(r"(?<=://)([^/@\s:]*):[^/@\s]+(?=@)")


def argv(words: list[str]) -> list[str]:
    """The words with `***` for what is or looks like a secret: the value of `--password`, `TOKEN=…`, `//user:…@`."""
    shown: list[str] = []
    for word in words:
        if shown and _OPTION.fullmatch(shown[-1]) and not word.startswith("-"):
            shown.append(HIDDEN)
        else:
            shown.append(_word(word))
    return shown


def text(value: str) -> str:
    """A text without the secret answers of this run, and without passwords in addresses."""
    cleaned = str(envelope.without_secrets(value)) if answers.secrets else value
    return _USERINFO.sub(rf"\1:{HIDDEN}", cleaned)


def _word(word: str) -> str:
    if assigned := _ASSIGNED.fullmatch(word):
        return f"{assigned[1]}={HIDDEN}"
    return text(word)
