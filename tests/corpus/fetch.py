"""Fetch the corpus: the sdists of packages.toml, unpacked, and one environment for each.

    python tests/corpus/fetch.py [--python INTERPRETER] [PACKAGE…]

A package that needs a newer Python than the one that runs this gets `--python`'s.

Everything lands in `AGENTGATE_CORPUS` (default: .corpus in the repository). What is there already is not
fetched again, so a second run needs no network. Only the packages named in packages.toml and what they
themselves depend on are asked of the package index.
"""

import argparse
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from packages import Package, corpus_folder, load

NEWER = ("python3.14", "python3.13", "python3.12")


class FetchError(Exception):
    """A step that failed, told in a sentence."""


class TooOldError(FetchError):
    """No Python here is new enough for the package."""


def run(argv: list[str], log: Path) -> None:
    """Run one step with its output in `log`. Raises FetchError with the last line of it."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as out:
        code = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT).returncode
    if code:
        lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
        why = next((line for line in reversed(lines) if line.startswith("ERROR")), lines[-1] if lines else "")
        raise FetchError(f"`{' '.join(argv[1:])}` failed: {why.strip()} (all of it: {log})")


def download(package: Package, log: Path) -> Path:
    """The archive of the package: its sdist, or a wheel where the index has no sdist."""
    folder = corpus_folder() / "sdist" / f"{package.name}-{package.version}"
    if not any(folder.glob("*")):
        pip = [sys.executable, "-m", "pip", "download", "--no-deps", "--dest", str(folder), package.requires]
        try:
            # Not `:all:`, which would build the build tools themselves from source as well.
            run([*pip, "--no-binary", package.name], log)
        except FetchError:
            run(pip, log)
    return next(iter(sorted(folder.glob("*"))))


def unpack(package: Package, archive: Path) -> None:
    if package.source.exists():
        return
    half_done = package.source.with_name(package.source.name + ".part")
    shutil.rmtree(half_done, ignore_errors=True)
    half_done.mkdir(parents=True)
    if archive.suffix in {".whl", ".zip"}:
        with zipfile.ZipFile(archive) as wheel:
            wheel.extractall(half_done)
    else:
        with tarfile.open(archive) as sdist:
            sdist.extractall(half_done, filter="data")
    inside = list(half_done.iterdir())
    # An sdist holds one folder; a wheel is the root itself.
    (inside[0] if len(inside) == 1 else half_done).rename(package.source)
    shutil.rmtree(half_done, ignore_errors=True)


def interpreter(package: Package, newer: str | None) -> str:
    """The Python to make the package's environment with. Raises FetchError where none is new enough."""
    if sys.version_info >= package.python_needed:
        return sys.executable
    for candidate in [newer] if newer else NEWER:
        check = [candidate, "-c", f"import sys; sys.exit(sys.version_info < {package.python_needed})"]
        if shutil.which(candidate) and subprocess.run(check, capture_output=True).returncode == 0:
            return candidate
    needed = ".".join(map(str, package.python_needed))
    raise TooOldError(f"left out: it needs Python {needed}; name one with --python")


def install(package: Package, newer: str | None, log: Path) -> None:
    """One environment with the package in it, editable, so that a fixed tree can take its place."""
    ready = package.environment / "ready"
    wanted = "\n".join([package.requires, *package.test_requires, ""])
    if ready.exists() and package.python.exists() and ready.read_text() == wanted:
        return
    if not ready.exists():
        shutil.rmtree(package.environment, ignore_errors=True)
        run([interpreter(package, newer), "-m", "venv", str(package.environment)], log)
    editable = ["--editable", str(package.source)] if _can_be_built(package) else [package.requires]
    run([str(package.python), "-m", "pip", "install", *editable, *package.test_requires], log)
    ready.write_text(wanted)


def _can_be_built(package: Package) -> bool:
    return any((package.source / name).exists() for name in ("pyproject.toml", "setup.py"))


def fetch(package: Package, newer: str | None, say: Callable[[str], object] = print) -> None:
    """Make the package's source and environment be there. Raises FetchError."""
    log = corpus_folder() / "log" / f"{package.name}.txt"
    log.unlink(missing_ok=True)
    try:
        archive = download(package, log)
        unpack(package, archive)
        install(package, newer, log)
    except (OSError, tarfile.TarError, zipfile.BadZipFile, StopIteration) as error:
        raise FetchError(f"{type(error).__name__}: {error}") from error
    say(f"{package.requires}: {package.source}")


def main() -> int:
    packages = load()
    parser = argparse.ArgumentParser(description="Fetch other people's programs to try agentgate on.")
    parser.add_argument("package", nargs="*", help=f"one of {', '.join(packages)} (default: all)")
    parser.add_argument("--python", metavar="INTERPRETER", help="for the packages that this Python is too old for")
    arguments = parser.parse_args()
    names = arguments.package or list(packages)
    if unknown := [name for name in names if name not in packages]:
        parser.error(f"not in packages.toml: {', '.join(unknown)}")
    failed = False
    for name in names:
        try:
            fetch(packages[name], arguments.python)
        except FetchError as error:
            failed = failed or not isinstance(error, TooOldError)
            print(f"fetch: {name}: {error}", file=sys.stderr)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
