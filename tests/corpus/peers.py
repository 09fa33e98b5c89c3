"""The nearest that a user could assemble from other tools, with the same prompts where a tool can be told them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from agentgate.lint.index import default

__all__ = ["all_of", "commands", "ruff_config"]

Place = tuple[str, int]

# Fixit reads no patterns: a rule is a class, and names are resolved by the syntax tree's own metadata
FIXIT_RULE = """\
import libcst
from fixit import LintRule
from libcst.metadata import QualifiedNameProvider

NAMES = frozenset({names})


class Prompt(LintRule):
    METADATA_DEPENDENCIES = (QualifiedNameProvider,)

    def visit_Call(self, node: libcst.Call) -> None:
        if any(one.name in NAMES for one in self.get_metadata(QualifiedNameProvider, node.func, ())):
            self.report(node, "prompt")
"""


def ruff_config() -> str:
    """TID251 with all names of our catalog, and T100."""
    banned = "\n".join(f'"{name}".msg = "prompt"' for name in sorted(default().prompts))
    return f'[lint]\nselect = ["TID251", "T100"]\n[lint.flake8-tidy-imports.banned-api]\n{banned}\n'


def commands(folder: Path) -> dict[str, list[str]]:
    """How each other tool that is on the PATH looks for calls of all our names in one scan; the paths go behind it.

    folder: where their rules are written.
    """
    names = sorted({name.removeprefix("builtins.") for name in default().prompts})
    # a pattern a name: the bare builtin, or the name as it is imported most
    listed = "\n".join(f"    - pattern: {json.dumps(f'{name}($$$)')}" for name in names)
    ast_grep, semgrep, fixit = folder / "ast-grep.yml", folder / "semgrep.yml", folder / "fixit.toml"
    ast_grep.write_text(f"id: prompt\nlanguage: python\nrule:\n  any:\n{listed}\n")
    semgrep.write_text(
        "rules:\n  - id: prompt\n    languages: [python]\n    message: prompt\n    severity: WARNING\n"
        f"    pattern-either:\n{listed.replace('$$$', '...')}\n"
    )
    (folder / "prompt_rule.py").write_text(FIXIT_RULE.format(names=sorted(default().prompts)))
    fixit.write_text("[tool.fixit]\nroot = true\n")
    known = {
        "ast-grep": ["ast-grep", "scan", "--no-ignore", "vcs", "--rule", str(ast_grep), "--json"],
        "semgrep": [
            *("semgrep", "scan", "--metrics", "off", "--disable-version-check", "--config", str(semgrep)),
            *("--json", "--quiet", "--no-git-ignore"),
        ],
        "fixit": [
            *("env", f"PYTHONPATH={folder}", "fixit", "--quiet", "--config-file", str(fixit)),
            *("--rules", "prompt_rule", "--output-format", "vscode", "lint"),
        ],
    }
    return {tool: command for tool, command in known.items() if shutil.which(tool)}


def all_of(tree: Path, files: Sequence[str]) -> Iterator[tuple[str, set[Place]]]:
    """What each tool that is on the PATH finds in the tree (fixit and pylint, which are slow, in these files of it)."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if shutil.which("ruff"):
            yield "ruff TID251 + T100", _ruff(tree, folder)
        found = commands(folder)
        if "ast-grep" in found:
            yield "ast-grep, a pattern a name", _ast_grep(tree, found["ast-grep"])
        if "semgrep" in found:
            yield "semgrep, a pattern a name", _semgrep(tree, found["semgrep"])
        if "fixit" in found:
            yield "fixit, a rule with the names", _fixit(tree, files, found["fixit"])
        if shutil.which("pylint"):
            yield "pylint bad-builtin (input, raw_input) and forgotten-debug-statement", _pylint(tree, files)


def _run(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True).stdout


def _ruff(tree: Path, folder: Path) -> set[Place]:
    config = folder / "ruff.toml"
    config.write_text(ruff_config())
    found = json.loads(
        _run(["ruff", "check", "--no-cache", "--config", str(config), "--output-format", "json", str(tree)])
    )
    return {(os.path.relpath(one["filename"], tree), one["location"]["row"]) for one in found if one["code"]}


def _ast_grep(tree: Path, command: list[str]) -> set[Place]:
    found = json.loads(_run([*command, str(tree)]))
    return {(os.path.relpath(one["file"], tree), one["range"]["start"]["line"] + 1) for one in found}


def _semgrep(tree: Path, command: list[str]) -> set[Place]:
    # by default it gives a file up after five seconds, so that it finds less on a machine that is busy
    found = json.loads(_run([*command, "--timeout", "60", str(tree)]) or '{"results": []}')
    return {(os.path.relpath(one["path"], tree), one["start"]["line"]) for one in found["results"]}


def _fixit(tree: Path, files: Sequence[str], command: list[str]) -> set[Place]:
    said = _run([*command, *(str(tree / file) for file in files)])
    found = re.findall(r"^(.+):(\d+):\d+ Prompt: prompt$", said, re.MULTILINE)
    return {(os.path.relpath(path, tree), int(line)) for path, line in found}


def _pylint(tree: Path, files: Sequence[str]) -> set[Place]:
    command = ["pylint", "--rcfile", os.devnull, "--load-plugins", "pylint.extensions.bad_builtin", "--disable", "all"]
    command += ["--enable", "bad-builtin,forgotten-debug-statement", "--bad-functions", "input,raw_input"]
    found = json.loads(_run([*command, "--output-format", "json", *(str(tree / file) for file in files)]) or "[]")
    return {(os.path.relpath(one["path"], tree), one["line"]) for one in found}
