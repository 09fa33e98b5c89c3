"""Benchmarks are no tests of the suite: they are collected when their folder is named (`make bench`)."""

from __future__ import annotations

from pathlib import Path

import pytest


def pytest_collect_file(parent: pytest.Collector, file_path: Path) -> pytest.Module | None:
    named = any("benchmarks" in argument for argument in parent.config.invocation_params.args)
    if named and file_path.name.startswith("bench_"):
        return pytest.Module.from_parent(parent, path=file_path)
    return None
