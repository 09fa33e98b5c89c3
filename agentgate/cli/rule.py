"""`agentgate rule [CODE]`: what a rule finds, why, and what to do about it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ..runtime import stop
from ..surfaces.effects import effects
from . import output

if TYPE_CHECKING:
    from ..lint.messages import Rule

__all__ = ["SUMMARY", "add_arguments", "run"]

SUMMARY = "explain a rule: what it finds, why, an example, and what `agentgate fix` does"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("code", nargs="?", metavar="CODE", help="a rule, as AG102 or consent-required (default: all)")
    output.add_format_arguments(parser)


@effects("read_only")
def run(arguments: argparse.Namespace) -> int:
    """Print one rule, or the list of all. Exit code 2 for a rule that does not exist."""
    from ..lint.finding import UNUSED
    from ..lint.messages import RULES
    from ..lint.suppress import RULE

    rules = {**RULES, UNUSED: RULE}
    chosen = rules
    if arguments.code is not None:
        wanted = arguments.code.strip()
        code = next((code for code, rule in rules.items() if wanted.upper() == code or wanted == rule.name), None)
        if code is None:
            stop.usage_error(f"rule: there is no rule {wanted}; the rules are {', '.join(rules)}")
        chosen = {code: rules[code]}
    if output.wants_json(arguments):
        return output.print_outcome({"rules": [_data(code, rule) for code, rule in chosen.items()]})
    if arguments.code is None:
        output.print_text("\n".join(_line(code, rule) for code, rule in chosen.items()))
    else:
        output.print_text("\n\n".join(_explained(code, rule) for code, rule in chosen.items()))
    return 0


def _data(code: str, rule: Rule) -> dict[str, Any]:
    fields = rule._asdict()
    return {"code": code, "name": fields.pop("name"), "message": fields.pop("text"), **fields}


def _line(code: str, rule: Rule) -> str:
    return f"{code}  {rule.name:22}{rule.title}{'' if rule.default else ' (off by default)'}"


def _explained(code: str, rule: Rule) -> str:
    example = "\n".join("    " + line for line in rule.example.splitlines())
    switched = "" if rule.default else f"\n\nOff by default: switch it on with --extend-select {code}."
    return f"{code} {rule.name}: {rule.title}\n\n{rule.why}\n\nFor example:\n\n{example}\n\n{rule.fix}{switched}"
