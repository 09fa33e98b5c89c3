"""Programs that are installed: from the name that a person knows one by to the object that it starts with."""

from __future__ import annotations

import difflib
import os
import re
import shutil
import sys
from importlib import import_module, metadata
from typing import Any, NamedTuple

__all__ = ["Installed", "NotFound", "find", "load"]

_OBJECT = re.compile(r"[\w.]+:[\w.]+\Z")


class NotFound(Exception):
    """There is no such program here; its text is the sentence that says so."""


class Installed(NamedTuple):
    """A program. name: what it is called on the command line, None when only its object is known.

    target: the object that it starts with, as `module:object`. version: of its distribution.
    """

    name: str | None
    target: str
    version: str | None = None


def find(program: str) -> Installed:
    """The program of this name: a console script, a distribution with one, or `module:object`.

    Nothing of it is imported. Raises NotFound.
    """
    if _OBJECT.match(program):
        return Installed(None, program)
    scripts = list(metadata.entry_points(group="console_scripts"))
    for one in scripts:
        if one.name == program:
            return _installed(one)
    theirs = [one for one in scripts if one.dist is not None and _same(one.dist.name, program)]
    if len(theirs) == 1:
        return _installed(theirs[0])
    if theirs:
        raise NotFound(f"{program} has several programs, name one: {', '.join(sorted(one.name for one in theirs))}")
    raise NotFound(_why_not(program, sorted({one.name for one in scripts})))


def load(target: str) -> Any:
    """The object that `module:object` names. Raises NotFound, or whatever its module raises when it is imported."""
    module, _, path = target.partition(":")
    try:
        found = import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise
        raise NotFound(f"there is no module {error.name!r} in {sys.prefix}") from None
    for name in path.split("."):
        if not hasattr(found, name):
            raise NotFound(f"{module} has no {path!r}")
        found = getattr(found, name)
    return found


def _installed(script: metadata.EntryPoint) -> Installed:
    target = script.value.partition("[")[0].replace(" ", "")
    return Installed(script.name, target, script.dist.version if script.dist is not None else None)


def _same(distribution: str | None, program: str) -> bool:
    plain = [re.sub(r"[-_.]+", "-", name or "").lower() for name in (distribution, program)]
    return plain[0] == plain[1]


def _why_not(program: str, scripts: list[str]) -> str:
    sentence = f"no Python package in {sys.prefix} has a program {program!r}"
    file = shutil.which(program) or shutil.which(program, path=os.path.dirname(sys.executable))
    interpreter = _interpreter(file) if file else None
    if interpreter and os.path.dirname(interpreter) != os.path.dirname(sys.executable):
        return f"{sentence}; {file} is run by {interpreter}: use that one's `-m agentgate.surfaces`"
    if file:
        return f"{sentence}; {file} is no console script of a Python package"
    near = difflib.get_close_matches(program, scripts, n=1)
    return f"{sentence}; there is {near[0]}" if near else sentence


def _interpreter(file: str) -> str | None:
    """The Python that a script's first line names."""
    try:
        with open(file, "rb") as script:
            first = script.readline(1024).decode("utf-8", "replace")
    except OSError:
        return None
    words = first[2:].split() if first.startswith("#!") else []
    return next((word for word in words if "python" in os.path.basename(word)), None)
