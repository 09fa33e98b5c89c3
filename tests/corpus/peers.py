"""The nearest that a user could assemble from other tools, with the same prompts where a tool can be told them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from agentgate.lint.index import default

__all__ = ["all_of", "ruff_config"]

Place = tuple[str, int]


def ruff_config() -> str:
    """TID251 with all names of our catalog, and T100."""
    banned = "\n".join(f'"{name}".msg = "prompt"' for name in sorted(default().prompts))
    return f'[lint]\nselect = ["TID251", "T100"]\n[lint.flake8-tidy-imports.banned-api]\n{banned}\n'


def patterns() -> list[str]:
    """One pattern of a call for each name: the bare builtin, or the name as it is imported most."""
    return sorted({f"{name.removeprefix('builtins.')}($$$)" for name in default().prompts})


def all_of(tree: Path, files: Sequence[str]) -> Iterator[tuple[str, set[Place]]]:
    """What each tool that is on the PATH finds in the tree (pylint, which is slow, only in these files of it)."""
    with tempfile.TemporaryDirectory() as folder:
        if shutil.which("ruff"):
            yield "ruff TID251 + T100", _ruff(tree, Path(folder))
        if shutil.which("ast-grep"):
            yield "ast-grep, a pattern a name", _ast_grep(tree, Path(folder))
        if shutil.which("semgrep"):
            yield "semgrep, a pattern a name", _semgrep(tree, Path(folder))
        if shutil.which("pylint"):
            yield "pylint bad-builtin (input, raw_input) and forgotten-debug-statement", _pylint(tree, files)


def _run(command: list[str]) -> str:
    environment = {**os.environ, "SEMGREP_SEND_METRICS": "off", "SEMGREP_ENABLE_VERSION_CHECK": "0"}
    return subprocess.run(command, capture_output=True, text=True, env=environment).stdout


def _ruff(tree: Path, folder: Path) -> set[Place]:
    config = folder / "ruff.toml"
    config.write_text(ruff_config())
    found = json.loads(
        _run(["ruff", "check", "--no-cache", "--config", str(config), "--output-format", "json", str(tree)])
    )
    return {(os.path.relpath(one["filename"], tree), one["location"]["row"]) for one in found if one["code"]}


def _ast_grep(tree: Path, folder: Path) -> set[Place]:
    rule = folder / "rule.yml"
    listed = "\n".join(f"    - pattern: {json.dumps(pattern)}" for pattern in patterns())
    rule.write_text(f"id: prompt\nlanguage: python\nrule:\n  any:\n{listed}\n")
    found = json.loads(_run(["ast-grep", "scan", "--no-ignore", "vcs", "--rule", str(rule), "--json", str(tree)]))
    return {(os.path.relpath(one["file"], tree), one["range"]["start"]["line"] + 1) for one in found}


def _semgrep(tree: Path, folder: Path) -> set[Place]:
    rule = folder / "semgrep.yml"
    listed = "\n".join(f"      - pattern: {pattern.replace('$$$', '...')}" for pattern in patterns())
    rule.write_text(
        f"rules:\n  - id: prompt\n    languages: [python]\n    message: prompt\n    severity: WARNING\n"
        f"    pattern-either:\n{listed}\n"
    )
    found = json.loads(
        _run(["semgrep", "scan", "--config", str(rule), "--json", "--quiet", "--no-git-ignore", str(tree)])
        or '{"results": []}'
    )
    return {(os.path.relpath(one["path"], tree), one["start"]["line"]) for one in found["results"]}


def _pylint(tree: Path, files: Sequence[str]) -> set[Place]:
    command = ["pylint", "--rcfile", os.devnull, "--load-plugins", "pylint.extensions.bad_builtin", "--disable", "all"]
    command += ["--enable", "bad-builtin,forgotten-debug-statement", "--bad-functions", "input,raw_input"]
    found = json.loads(_run([*command, "--output-format", "json", *(str(tree / file) for file in files)]) or "[]")
    return {(os.path.relpath(one["path"], tree), one["line"]) for one in found}
