"""`agentgate vendor DIR`: copy the runtime into a package, for a program that will not take a dependency."""

from __future__ import annotations

import argparse
import ast
import hashlib
import os
import shutil
import tempfile
from pathlib import Path

from .. import __version__, rulefiles
from ..runtime import consent, stop
from ..surfaces.effects import effects
from . import output

__all__ = ["FOLDER", "SUMMARY", "add_arguments", "run"]

SUMMARY = "copy the runtime into a package, so that it needs no dependency"
FOLDER = "_agentgate"
MODULES = ("__init__.py", "catalog.py", "label.py", "rulefiles.py", "py.typed")
ALWAYS = ("builtins", "getpass")
MAIN = '''"""`python -m PACKAGE._agentgate run [OPTIONS] -- PROGRAM ARGS`, or `python FOLDER/_agentgate run …`."""

import sys

if not __package__:
    import os
    from importlib.util import module_from_spec, spec_from_file_location

    # a package of its own, found by its place alone: nothing beside it may answer for another module
    here = os.path.dirname(os.path.abspath(__file__))
    del sys.path[0]
    __package__ = "_agentgate"
    spec = spec_from_file_location(__package__, os.path.join(here, "__init__.py"), submodule_search_locations=[here])
    sys.modules[__package__] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules[__package__])

from .runtime.launch import main

if __name__ == "__main__":
    if sys.argv[1:2] != ["run"]:
        raise SystemExit("the only command of a vendored agentgate is: run [OPTIONS] -- PROGRAM ARGS")
    raise SystemExit(main(sys.argv[2:]))
'''


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("package", metavar="DIR", help="the package's folder; the copy is DIR/_agentgate")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if the copy is stale")
    output.add_format_arguments(parser)


@effects("idempotent")
def run(arguments: argparse.Namespace) -> int:
    """Copy the runtime and the catalog files that the package needs.

    Exit code 0 when the copy is as it should be, 1 with `--check` when it is not, 2 when DIR is no folder.
    An agent needs a person's consent to write (exit code 3).
    """
    package = Path(arguments.package)
    if not package.is_dir():
        stop.usage_error(f"vendor: {arguments.package} is not a folder")
    target = package / FOLDER
    if os.path.lexists(target) and (target.is_symlink() or not target.is_dir()):
        stop.usage_error(f"vendor: {target} is no folder of its own: take it away first")
    wanted = contents(package)
    changes = _changes(target, wanted)
    data: dict[str, object] = {"folder": str(target), "version": __version__, "changes": changes}
    if arguments.check:
        found = f"{target} is stale: run `agentgate vendor {arguments.package}`." if changes else None
        return _say(arguments, data, found or f"{target} is up to date.", found, changed=None)
    if not changes:
        return _say(arguments, data, f"{target} is up to date.", None, changed=False)
    consent.require_consent("rewrite", f"Write agentgate {__version__} into {target}?", plan=_plan(wanted))
    try:
        _replace(target, wanted)
    except OSError as error:
        stop.usage_error(f"vendor: {target} cannot be written: {error.strerror}")
    said = f"Wrote agentgate {__version__} into {target} ({len(wanted)} files)"
    said += f"; import it as `from .{FOLDER} import gate`."
    return _say(arguments, data, said, None, changed=True)


def contents(package: Path) -> dict[str, bytes]:
    """The files of a copy for this package, by their path in it."""
    root = Path(__file__).resolve().parent.parent
    files = {name: (root / name).read_bytes() for name in MODULES}
    files |= {f"runtime/{path.name}": path.read_bytes() for path in (root / "runtime").glob("*.py")}
    files["__main__.py"] = MAIN.encode()
    for library in _libraries(package):
        files[f"lint_rules/{library}.toml"] = Path(rulefiles.path_of(library)).read_bytes()
    return dict(sorted(files.items()))


def _libraries(package: Path) -> list[str]:
    """The catalog's libraries that the package imports, and those that need no import."""
    from ..lint.load import Unreadable, load
    from ..lint.source import read

    imported: set[str] = set(ALWAYS)
    for path in package.rglob("*.py"):
        if FOLDER in path.relative_to(package).parts:
            continue
        try:
            tree = read(load(str(path))).tree
        except Unreadable:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                imported |= {name.name.partition(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                imported.add(node.module.partition(".")[0])
    return [name for name in rulefiles.libraries() if name in imported]


def _changes(target: Path, wanted: dict[str, bytes]) -> list[str]:
    there = {
        path.relative_to(target).as_posix(): path.read_bytes()
        for path in target.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    return sorted(name for name in {*there, *wanted} if there.get(name) != wanted.get(name))


def _plan(wanted: dict[str, bytes]) -> dict[str, str]:
    return {name: hashlib.sha256(data).hexdigest() for name, data in wanted.items()}


def _replace(target: Path, wanted: dict[str, bytes]) -> None:
    """Put the whole copy in the place of the old one: written beside it first, then renamed."""
    from ..fix.write import umask

    fresh = Path(tempfile.mkdtemp(prefix=f".{FOLDER}-", dir=target.parent))
    try:
        for name, data in wanted.items():
            (fresh / name).parent.mkdir(parents=True, exist_ok=True)
            (fresh / name).write_bytes(data)
        fresh.chmod(0o777 & ~umask())
        old = fresh.with_name(fresh.name + ".old")
        if target.exists():
            os.rename(target, old)
        try:
            os.rename(fresh, target)
        except OSError:
            if old.exists():
                os.rename(old, target)
            raise
        shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _say(
    arguments: argparse.Namespace, data: dict[str, object], text: str, found: str | None, *, changed: bool | None
) -> int:
    if output.wants_json(arguments):
        return output.print_outcome(data, found=found, changed=changed)
    output.print_text(text)
    return 1 if found else 0
