"""Our hook in a configuration of pre-commit: a few lines more at the end of its list, every other byte as it is."""

from __future__ import annotations

import re

from agentgate.fix.declare import DISTRIBUTION

__all__ = ["FILE", "added"]

FILE = ".pre-commit-config.yaml"
_REPOSITORIES = re.compile(rb"repos:[ \t]*(?:#.*)?\r?\n")
_ITEM = re.compile(rb"([ \t]*)- +repo:")
# a key of the document, or the end of it
_TOP_LEVEL = re.compile(rb"[^\s#-]|---|\.\.\.")
_HOOK = """\
- repo: local
  hooks:
    - id: agentgate-lint
      name: agentgate lint
      entry: {entry} --force-exclude
      language: python
      additional_dependencies: [{distribution}]
      types: [python]
      exclude_types: [pyi]
      require_serial: true
"""


def added(data: bytes, entry: str) -> bytes | None:
    """The configuration with our hook, or as it is when that is there; None when its list is not one of lines.

    entry: the command that the hook runs.
    """
    if b"agentgate" in data:
        return data
    lines = data.splitlines(keepends=True)
    start = next((number for number, line in enumerate(lines) if _REPOSITORIES.match(line)), None)
    if start is None:
        return None
    behind = range(start + 1, len(lines))
    end = next((number for number in behind if _TOP_LEVEL.match(lines[number])), len(lines))
    items = [item for line in lines[start + 1 : end] if (item := _ITEM.match(line))]
    if not items:
        return None
    # blank lines and comments before the next key are that key's
    while not lines[end - 1].strip() or lines[end - 1].startswith(b"#"):
        end -= 1
    newline = b"\r\n" if b"\r\n" in data else b"\n"
    text = _HOOK.format(entry=entry, distribution=DISTRIBUTION)
    hook = newline.join(items[0].group(1) + line.encode() for line in text.splitlines())
    ended = lines[end - 1].endswith((b"\n", b"\r"))
    return b"".join([*lines[:end], hook + newline if ended else newline + hook, *lines[end:]])
