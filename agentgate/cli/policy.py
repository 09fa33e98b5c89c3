"""`agentgate policy show|check|set|path`: what is required of a consent, and who says so."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from ..runtime import consent, stop
from ..surfaces.effects import effects
from . import output

if TYPE_CHECKING:
    from ..trust.policy import Policy

__all__ = ["SUMMARY", "add_arguments", "run"]

SUMMARY = "show, check and change what is required of a consent"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    verbs = parser.add_subparsers(dest="verb", metavar="show|check|set|path", required=True)
    show = verbs.add_parser("show", help="show all policies that count here, and what they come to")
    show.add_argument("--reason", default="*", help="what is required of a consent with this reason")
    show.add_argument("--program", default="*", help="… of this program")
    show.add_argument("--by", default="*", metavar="AGENT", help="… run by this agent")
    check = verbs.add_parser("check", help="exit with 1 if a policy cannot be used")
    check.add_argument("files", nargs="*", metavar="FILE", help="check these files (default: all that count here)")
    change = verbs.add_parser(
        "set",
        help="change your own policy file",
        description="Change one setting of your own policy file. It is written anew, without its comments. "
        "An agent needs a person's consent.",
    )
    change.add_argument("setting", metavar="SETTING", help="default, ttl, unattended, notify or rule")
    change.add_argument("value", nargs="+", metavar="VALUE", help="for a rule: reason=GLOB require=person …")
    path = verbs.add_parser("path", help="print where policies are looked for")
    for one in (show, check, change, path):
        output.add_format_arguments(one)
    for one in (show, check, path):
        effects("read_only")(one)


@effects("idempotent")
def run(arguments: argparse.Namespace) -> int:
    """Do what the verb says. Exit code 0; 1 when a policy cannot be used; 2 when a setting does not exist."""
    verbs = {"show": _show, "check": _check, "set": _set, "path": _path}
    return verbs[arguments.verb](arguments)


def _path(arguments: argparse.Namespace) -> int:
    from ..trust import places, policy_files

    found = [
        {"origin": origin, "path": path, "exists": os.path.lexists(path)} for origin, path in policy_files.candidates()
    ]
    if output.wants_json(arguments):
        return output.print_outcome({"user": places.user_policy(), "files": found})
    for one in found:
        output.print_text(f"{one['origin']:<8} {_plain(str(one['path']))}{'' if one['exists'] else '  (not there)'}")
    return 0


def _check(arguments: argparse.Namespace) -> int:
    from ..trust import policy_files

    listed = [(_origin(path), path) for path in arguments.files] or policy_files.candidates()
    problems, checked = [], 0
    for origin, path in listed:
        try:
            found = policy_files.read(path, origin)
        except policy_files.PolicyError as error:
            problems.append(str(error))
            continue
        if found is None and arguments.files and not os.path.lexists(path):
            stop.usage_error(f"policy check: {path} is not there")
        checked += found is not None
    summary = f"{len(problems)} of {checked + len(problems)} policies cannot be used: nothing is allowed."
    if output.wants_json(arguments):
        data: dict[str, Any] = {"checked": checked, "problems": problems}
        return output.print_outcome(data, found=summary if problems else None)
    for problem in problems:
        output.print_text(_plain(problem))
    output.print_text(summary if problems else f"{checked} {'policy' if checked == 1 else 'policies'}, all in order.")
    return 1 if problems else 0


def _origin(path: str) -> str:
    return "project" if os.path.basename(path) in ("agentgate.toml", "pyproject.toml") else "user"


def _show(arguments: argparse.Namespace) -> int:
    from ..trust import policy, policy_files

    try:
        policies = policy_files.load()
    except policy_files.PolicyError as error:
        problem = f"{error}. Until it is mended, nothing is allowed."
        if output.wants_json(arguments):
            return output.print_outcome({"problem": str(error)}, found=problem)
        output.print_text(_plain(problem))
        return 1
    ruling = policy.decide(policies, (arguments.reason,), arguments.program, (arguments.by,), "token")
    nobody = policy.unattended(policies)
    data: dict[str, Any] = {
        "policies": [_data(one) for one in policies],
        "asked": {"reason": arguments.reason, "program": arguments.program, "agent": arguments.by},
        "require": ruling.require,
        "source": ruling.source,
        "ttl": policy.ttl(policies),
        "unattended": nobody.require,
        "notify": list(policy.notify_command(policies)),
    }
    if output.wants_json(arguments):
        return output.print_outcome({key: value for key, value in data.items() if value is not None})
    output.print_text(_text(data))
    return 0


def _data(one: Policy) -> dict[str, Any]:
    rules = [
        {**rule._asdict(), **{k: list(getattr(rule, k)) for k in ("reason", "program", "agent")}} for rule in one.rules
    ]
    table = {**one._asdict(), "rules": rules, "notify": list(one.notify) if one.notify is not None else None}
    del table["default_line"]
    return {key: value for key, value in table.items() if value is not None}


def _text(data: dict[str, Any]) -> str:
    lines = []
    for one in data["policies"]:
        lines.append(f"{one['origin']}: {one['path']}")
        lines += [f"    {key} = {one[key]}" for key in ("default", "ttl", "unattended", "notify") if key in one]
        for rule in one["rules"]:
            globs = " ".join(
                f"{key}={','.join(rule[key])}" for key in ("reason", "program", "agent") if rule[key] != ["*"]
            )
            lines.append(f"    line {rule['line']}: {globs or 'every consent'} → {rule['require']}")
    if not data["policies"]:
        lines.append("There is no policy: this is the default.")
    asked = " ".join(f"{key}={value}" for key, value in data["asked"].items() if value != "*") or (
        "any other consent" if any(one["rules"] for one in data["policies"]) else "every consent"
    )
    lines += [
        f"required of {asked}: {data['require']}" + (f" ({data['source']})" if data["source"] else ""),
        f"ttl of once and person: {data['ttl']} seconds",
        f"unattended: {data['unattended']}",
    ]
    return "\n".join(map(_plain, lines))


def _set(arguments: argparse.Namespace) -> int:
    from ..trust import files, policy_edit, policy_files

    try:
        path, before, after = policy_edit.changed(arguments.setting, arguments.value)
    except (policy_edit.EditError, policy_files.PolicyError) as error:
        stop.usage_error(f"policy set: {error}")
    plan = {"file": path, "before": before.decode(), "after": after.decode()}
    consent.require_consent("policy", f"Change your policy ({path})?", plan=plan, assurance="person")
    try:
        policy_edit.write(path, after)
    except files.Unsafe as error:
        stop.usage_error(f"policy set: {error}")
    if output.wants_json(arguments):
        return output.print_outcome({"file": path, "policy": after.decode()}, changed=True)
    output.print_text(f"Wrote {_plain(path)}.")
    if b"#" in before:
        output.print_text("Its comments were not kept.")
    return 0


def _plain(text: str) -> str:
    from ..runtime.visible import visible

    return visible(text)
