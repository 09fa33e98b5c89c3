"""The options that settings come from, for every command that reads a code base."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..lint.config import Config

__all__ = ["add_arguments", "config"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the configuration and of the choice of rules and files."""
    group = parser.add_argument_group("what to look at")
    group.add_argument(
        "--select", action="append", metavar="CODES", help="only these rules, as AG101,AG2 (a prefix is all below it)"
    )
    group.add_argument("--extend-select", action="append", metavar="CODES", help="these rules too")
    group.add_argument("--ignore", action="append", metavar="CODES", help="not these rules")
    group.add_argument("--exclude", action="append", metavar="PATTERN", help="not these files and folders (added)")
    group.add_argument("--force-exclude", action="store_true", help="leave excluded files out also when they are named")
    group.add_argument("--no-gitignore", action="store_true", help="look at what git ignores too")
    where = group.add_mutually_exclusive_group()
    where.add_argument("--config", metavar="FILE", help="read this pyproject.toml or agentgate.toml, and no other")
    where.add_argument("--isolated", action="store_true", help="read no configuration file")


def config(arguments: argparse.Namespace) -> Config:
    """The settings of this run: the file's, then the command line's. Raises UsageError."""
    from ..lint import config as settings

    path = arguments.config
    if path is None and not arguments.isolated:
        path = settings.find([one for one in arguments.paths if one != "-"])
    chosen = settings.read(path) if path is not None else settings.Config()
    if arguments.select is not None:
        chosen = chosen._replace(select=settings.codes_of(_words(arguments.select), "--select"), extend_select=())
    if arguments.extend_select is not None:
        more = settings.codes_of(_words(arguments.extend_select), "--extend-select")
        chosen = chosen._replace(extend_select=chosen.extend_select + more)
    if arguments.ignore is not None:
        chosen = chosen._replace(ignore=chosen.ignore + settings.codes_of(_words(arguments.ignore), "--ignore"))
    return chosen._replace(
        exclude=(*chosen.exclude, *(arguments.exclude or ())),
        force_exclude=arguments.force_exclude,
        respect_gitignore=chosen.respect_gitignore and not arguments.no_gitignore,
    )


def _words(given: list[str]) -> list[str]:
    return [word for text in given for word in text.replace(",", " ").split()]
