"""The dependency as a part of a plan: shown, agreed to and written like every other change."""

from __future__ import annotations

from agentgate.fix.changes import FileChange, FixPlan, Refusal
from agentgate.fix.declare import DISTRIBUTION, CannotAdd, declared
from agentgate.fix.dependency import places_of

__all__ = ["with_dependency"]


def with_dependency(plan: FixPlan) -> FixPlan:
    """The plan, in which the files that list the dependencies of its users name the distribution as well."""
    changes = {change.path: change for change in plan.changes}
    added: list[FileChange] = []
    undeclared: list[Refusal] = []
    for path in places_of(plan.users):
        try:
            change = _adding(path, changes.get(path))
        except (CannotAdd, OSError) as error:
            undeclared.append(Refusal(path, getattr(error, "strerror", None) or str(error)))
            continue
        if path in changes:
            changes[path] = change
        else:
            added.append(change)
    # first, so that nothing ever imports what is not declared
    return plan._replace(changes=(*added, *changes.values()), undeclared=tuple(undeclared))


def _adding(path: str, change: FileChange | None) -> FileChange:
    if change is None:
        with open(path, "rb") as file:
            data = file.read()
        change = FileChange(path, data, data, (), ())
    return change._replace(after=declared(path, change.after), adds=DISTRIBUTION)
