"""What a policy asks of a consent: levels, rules, and which of several files decides.

Within a file the last matching rule wins, and without one the file's `default`; across files the strictest; a
project's file, which an agent can write, only makes things stricter.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import NamedTuple

__all__ = ["DEFAULT_TTL", "LEVELS", "Policy", "Rule", "Ruling", "decide", "notify_command", "ttl", "unattended"]

LEVELS = ("allow", "token", "once", "person", "deny")
DEFAULT_TTL = 15 * 60


class Rule(NamedTuple):
    """One `[[consent.rule]]`: globs of which one must match in each field, and what is required then.

    program: `app` for `app`, `python -m app` and `python app.py`. agent: its name or its family.
    """

    reason: tuple[str, ...]
    program: tuple[str, ...]
    agent: tuple[str, ...]
    require: str
    line: int

    def matches(self, reason: str, program: str, agents: tuple[str, ...]) -> bool:
        """Whether the rule is about this consent."""
        return _one(self.reason, reason) and _one(self.program, program) and any(_one(self.agent, a) for a in agents)


class Policy(NamedTuple):
    """One file. origin: `site`, `user` or `project`. What a file does not say is None."""

    origin: str
    path: str
    default: str | None = None
    default_line: int = 1
    ttl: int | None = None
    unattended: str | None = None
    rules: tuple[Rule, ...] = ()
    notify: tuple[str, ...] | None = None


class Ruling(NamedTuple):
    """What is required of a consent. source: the file and line that says so, None for the built-in default."""

    require: str
    source: str | None = None


def decide(
    policies: tuple[Policy, ...], reasons: tuple[str, ...], program: str, agents: tuple[str, ...], assurance: str
) -> Ruling:
    """What a consent takes: the strictest over its reasons, and over what the program and the policies ask.

    agents: the names by which a rule may know the agent. assurance: what the program asks for; `token`, which
    it asks for when it says nothing, is what a policy's `allow` waives.
    """
    ruling = max((_for(policies, reason, program, agents) for reason in reasons), key=_strictness)
    own = Ruling(assurance)
    return own if assurance != "token" and _strictness(own) > _strictness(ruling) else ruling


def ttl(policies: tuple[Policy, ...]) -> int:
    """Seconds that a consent of assurance `once` or `person` lasts: the shortest that a file says."""
    trusted = [one.ttl for one in policies if one.ttl is not None and one.origin != "project"]
    lasting = min(trusted, default=DEFAULT_TTL)
    return min([lasting, *(one.ttl for one in policies if one.ttl is not None)])


def unattended(policies: tuple[Policy, ...]) -> Ruling:
    """Whether a run with nobody there may pass a consent: `allow`, or `deny` if any file says so."""
    for one in policies:
        if one.unattended == "deny":
            return Ruling("deny", one.path)
    return Ruling("allow")


def notify_command(policies: tuple[Policy, ...]) -> tuple[str, ...]:
    """The command that tells a person that a question waits: the user's own, else the site's."""
    for origin in ("user", "site"):
        for one in policies:
            if one.origin == origin and one.notify is not None:
                return one.notify
    return ()


def _for(policies: tuple[Policy, ...], reason: str, program: str, agents: tuple[str, ...]) -> Ruling:
    said = [(one.origin, found) for one in policies if (found := _in(one, reason, program, agents)) is not None]
    trusted = [ruling for origin, ruling in said if origin != "project"]
    base = max(trusted, key=_strictness) if trusted else Ruling("token")
    return max([base, *(ruling for origin, ruling in said if origin == "project")], key=_strictness)


def _in(policy: Policy, reason: str, program: str, agents: tuple[str, ...]) -> Ruling | None:
    for rule in reversed(policy.rules):
        if rule.matches(reason, program, agents):
            return Ruling(rule.require, f"{policy.path}:{rule.line}")
    if policy.default is None:
        return None
    return Ruling(policy.default, f"{policy.path}:{policy.default_line}")


def _strictness(ruling: Ruling) -> int:
    return LEVELS.index(ruling.require)


def _one(globs: tuple[str, ...], text: str) -> bool:
    return any(fnmatchcase(text, glob) for glob in globs)
