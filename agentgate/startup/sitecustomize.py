"""Run by Python when it starts, in a process that `agentgate run --gate` started: gates what it will import.

This folder stands first on PYTHONPATH for that one process. It takes itself out again before anything
else, and whatever goes wrong here, the program runs as it is.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def step_aside() -> None:
    """Leave sys.path and the environment as if this folder had never been there."""
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or os.curdir) != HERE]
    rest = [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if os.path.abspath(entry) != HERE]
    if any(rest):
        os.environ["PYTHONPATH"] = os.pathsep.join(rest)
    else:
        os.environ.pop("PYTHONPATH", None)


def run_the_real_one() -> None:
    """The sitecustomize that this one hid, if there is one."""
    this = sys.modules.pop("sitecustomize")
    from importlib import import_module

    try:
        import_module("sitecustomize")
    except ImportError:
        sys.modules["sitecustomize"] = this  # which Python's import of it looks for


def gate_what_is_imported() -> None:
    """Load agentgate from where this file lies: the program's own environment need not have it."""
    from importlib import util

    package = os.path.dirname(HERE)
    spec = util.spec_from_file_location(
        "agentgate", os.path.join(package, "__init__.py"), submodule_search_locations=[package]
    )
    if spec is None or spec.loader is None:
        return
    module = util.module_from_spec(spec)
    sys.modules["agentgate"] = module
    spec.loader.exec_module(module)
    from agentgate.runtime import unmodified

    unmodified.install()


step_aside()
run_the_real_one()
try:
    gate_what_is_imported()
except Exception:  # no reason to keep a program from running
    sys.modules.pop("agentgate", None)
