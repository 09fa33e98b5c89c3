"""The built distributions carry the catalog, and work where they are installed."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CATALOG = sorted(path.name for path in (ROOT / "lint_rules").glob("*.toml"))
LIBRARIES = [name.removesuffix(".toml") for name in CATALOG if not name.startswith("known-")]
MODULES = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "agentgate").rglob("*.py"))


def build(source: Path, kind: str, into: Path) -> Path:
    """Build one distribution with the installed setuptools, so that no network is needed."""
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", f"--{kind}", "--outdir", str(into), str(source)],
        check=True,
        capture_output=True,
    )
    (built,) = into.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return built


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An sdist of a copy of the sources: a build leaves folders behind."""
    copy = tmp_path_factory.mktemp("copy") / "agentgate"
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    for name in names:
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_bytes((ROOT / name).read_bytes())
    return build(copy, "sdist", tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the sdist."""
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (source,) = folder.iterdir()
    return build(source, "wheel", tmp_path_factory.mktemp("wheel"))


def test_the_sdist_holds_sources_tests_and_fixtures(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {f"lint_rules/{name}" for name in CATALOG} <= names
    assert set(MODULES) <= names
    assert {"tests/test_packaging.py", "fixtures/demo/shelf.py", "LICENSE", "Makefile"} <= names


def test_the_wheel_holds_the_package_and_its_catalog_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {f"agentgate/lint_rules/{name}" for name in CATALOG} <= names
    assert set(MODULES) <= names
    assert "agentgate/py.typed" in names
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"agentgate", "agentgate_consent"}


def test_the_installed_wheel_finds_its_catalog(wheel: Path, tmp_path: Path) -> None:
    target = tmp_path / "site"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", str(target), wheel],
        check=True,
        capture_output=True,
    )
    code = (
        f"import sys; sys.path.insert(0, {str(target)!r}); import agentgate.rulefiles as r; "
        "print(r.__file__); print(*r.libraries())"
    )
    run = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    where, names = run.stdout.splitlines()
    assert Path(where).is_relative_to(target)
    assert names.split() == LIBRARIES


def test_the_checkout_finds_its_catalog() -> None:
    code = "import agentgate.rulefiles as r; print(*r.libraries())"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert run.stdout.split() == LIBRARIES
