"""What importing agentgate costs, who imports whom, and how large the core is."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest
from programs import ROOT, environment

RUNTIME = ROOT / "agentgate" / "runtime"
# all that a person's run loads beyond what Python's own start has loaded: none of json, re, typing, functools…
LIGHT = {
    "agentgate",
    "agentgate.rulefiles",
    "agentgate.runtime",
    *(
        f"agentgate.runtime.{name}"
        for name in ("declaration", "detection", "gate", "later", "mode", "state", "workers")
    ),
    "__future__",
    "_thread",
}
DOORS = (("settling.py", "agentgate.trust.settle"), ("wire.py", "agentgate.surfaces.profiles"))
CORE = ("detection", "mode", "commandline", "answers", "token", "envelope", "gate", "consent")


def loaded(code: str, *, agent: bool = False) -> set[str]:
    """The modules that some code loads in an interpreter without site-packages."""
    program = f"import os, sys\nbefore = set(sys.modules)\n{code}\nprint('\\n'.join(set(sys.modules) - before))"
    done = subprocess.run(
        [sys.executable, "-S", "-c", program], env=environment(agent=agent), capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


@pytest.mark.parametrize("agent", [False, True], ids=["person", "agent"])
def test_importing_it_loads_its_own_light_modules_only(agent: bool) -> None:
    assert loaded("import agentgate", agent=agent) <= LIGHT


def test_a_persons_gate_loads_nothing_more() -> None:
    assert (
        loaded("import agentgate; agentgate.gate(input); agentgate.gate.later(input); agentgate.detect_agent()")
        <= LIGHT
    )


def test_an_agents_stop_reads_one_catalog_file_and_no_linter() -> None:
    code = """
import os
opened = []
sys.addaudithook(lambda event, args: opened.append(os.path.basename(str(args[0]))) if event == "open" else None)
import agentgate
try: agentgate.gate(input)("Name: ")
except SystemExit as stop: kept = stop
sys.stdout = sys.stderr
print([one for one in opened if one.endswith(".toml")])
print([one for one in sys.modules if one.startswith(("agentgate.lint", "agentgate.fix", "agentgate.cli"))])
"""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}"], env=environment(agent=True), capture_output=True, text=True
    )
    assert done.returncode == 3, done
    assert done.stderr.split("\n")[:2] == ["['builtins.toml']", "[]"]


def imported_by(path: Path) -> set[str]:
    """The absolute names of all that a module imports anywhere in it."""
    package = list(path.relative_to(ROOT).parts[:-1])
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            names |= {f"{module}.{alias.name}" for alias in node.names}
    return names


def test_the_runtime_imports_the_standard_library_and_what_lies_below_it() -> None:
    below = ("agentgate.runtime", "agentgate.catalog", "agentgate.label", "agentgate.rulefiles")
    # a toolkit that several libraries draw with; only the strategies that type into it import it
    drawn_with = "prompt_toolkit"
    drivers = ("prompt_toolkit.py", "typed.py", "choose.py", "dialog.py")
    for path in RUNTIME.glob("*.py"):
        for name in imported_by(path):
            top = name.partition(".")[0]
            driven = top == drawn_with and path.name in drivers
            # the doors to policy and ledger and to other wire formats, which a vendored copy does not have
            through_the_door = (path.name, name) in DOORS
            assert driven or through_the_door or top in sys.stdlib_module_names or name.startswith(below), (path, name)


def test_trust_is_loaded_when_a_consent_is_asked_and_not_before() -> None:
    gates = "import agentgate, sys; agentgate.gate(input); agentgate.gate.later(input)"
    dry = "from agentgate import require_consent; require_consent('x', dry_run=True)"
    for agent in (False, True):
        assert not loaded(f"{gates}; {dry}", agent=agent) & {"sqlite3", "platformdirs", "agentgate.trust"}
    for stops, expected in (("agentgate.gate(input)('Name: ')", False), ("agentgate.require_consent('x')", True)):
        report = "atexit.register(lambda: print(*sys.modules, file=sys.stderr))"
        done = subprocess.run(
            [sys.executable, "-c", f"import agentgate, atexit, sys; {report}; {stops}"],
            env=environment(agent=True),
            capture_output=True,
            text=True,
        )
        assert done.returncode == 3
        assert ("agentgate.trust.settle" in done.stderr.split()) is expected, done


def test_trust_alone_uses_the_database() -> None:
    for path in (ROOT / "agentgate").rglob("*.py"):
        if path.parent.name != "trust":
            assert "sqlite3" not in {name.partition(".")[0] for name in imported_by(path)}, path


def test_no_library_is_named_in_the_runtime() -> None:
    files = {path.stem for path in (ROOT / "lint_rules").glob("*.toml")}
    named = files - {*sys.stdlib_module_names, "prompt_toolkit"}
    for path in RUNTIME.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and not node.value.count(" "):
                assert node.value.partition(".")[0] not in named, (path, node.value)
            elif isinstance(node, ast.Name):
                assert node.id not in named, (path, node.id)


def test_the_core_stays_small() -> None:
    lines = {path.stem: len(path.read_text("utf-8").splitlines()) for path in RUNTIME.glob("*.py")}
    assert sum(lines[name] for name in CORE) < 1000
    assert max(lines.values()) <= 300, max(lines, key=lambda name: lines[name])


def test_public_names_are_the_documented_ones() -> None:
    import agentgate

    assert set(agentgate.__all__) == set(dir(agentgate))
    for name in agentgate.__all__:
        assert getattr(agentgate, name).__doc__, name
    with pytest.raises(AttributeError):
        _ = agentgate.nothing  # type: ignore[attr-defined]


def test_figures_are_far_from_their_limits() -> None:
    """One generous look; `make bench` holds the real limits."""
    code = (
        "import sys, time, json\nstart = time.process_time()\nimport agentgate\ntaken = time.process_time() - start\n"
        "start = time.process_time()\nfor _ in range(1000): agentgate.gate(input)\n"
        "print(json.dumps([taken, (time.process_time() - start) / 1000]))"
    )
    command = [sys.executable, "-c", code]

    def measured() -> tuple[float, float]:
        done = subprocess.run(command, env=environment(agent=False), capture_output=True, check=True)
        to_import, to_gate = json.loads(done.stdout)
        return to_import, to_gate

    to_import, to_gate = map(min, zip(*(measured() for _ in range(3)), strict=True))
    assert to_import < 0.1
    assert to_gate < 0.0005
