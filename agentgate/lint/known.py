"""What the linter knows beside the prompts: `lint_rules/known-*.toml` as frozen records.

Programs that ask, calls that start them, effects, agents' variables, and what the code around a question is
called. The files explain their fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple, TypeVar

from agentgate.catalog import KINDS, CatalogError
from agentgate.lint.compiled import documents

__all__ = ["Effect", "Known", "Program", "Questions", "Start", "known", "record"]

OPENS = ("stdin", "terminal", "screen")

# what the linter itself looks for, whatever the files say
ENVIRONMENT = ("os.environ", "os.environ.get", "os.getenv", "os.environb")
EXECUTABLE = "sys.executable"
WHICH = "shutil.which"
CONSENT = ("agentgate.require_consent",)
DECLARATION = "agentgate.effects"
STDIN = "sys.stdin"
OTHER = (*ENVIRONMENT, EXECUTABLE, WHICH, *CONSENT, DECLARATION, STDIN)


class Start(NamedTuple):
    """A call that starts a child process."""

    call: str
    args: tuple[str, ...] = ()
    argv: str | None = None
    words: int | None = None
    pipe: bool = False


class Program(NamedTuple):
    """A program that can wait for a person, and what keeps it from doing so."""

    names: tuple[str, ...]
    commands: tuple[str, ...] = ()
    valued: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    operands: bool | None = None
    unless: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    opens: str = "stdin"
    kind: str = "text"
    wraps: bool = False
    shell: bool = False
    does: str = ""
    safe: str = ""


class Effect(NamedTuple):
    """A call that changes the world outside the program."""

    calls: tuple[str, ...]
    destroys: bool = False
    idempotent: tuple[str, ...] = ()
    modes: str = ""


class Questions(NamedTuple):
    """What the code around a question is called."""

    bypass: frozenset[str]
    asking: frozenset[str]
    terminals: frozenset[str]
    waits: frozenset[str]
    waits_bare: frozenset[str]
    sleeps: frozenset[str]
    servers: frozenset[str]
    handed_on: frozenset[str]
    vague: frozenset[str]


class Known(NamedTuple):
    """All of it. The dictionaries are by qualified name, `programs` by a program's name."""

    starts: dict[str, Start]
    programs: dict[str, list[Program]]
    effects: dict[str, Effect]
    decorators: frozenset[str]
    decorators_bare: frozenset[str]
    methods: frozenset[str]
    variables: frozenset[str]
    questions: Questions

    def extended(self, effects: Iterable[Effect]) -> Known:
        """The same with more effects; what they say of a call counts."""
        return self._replace(effects={**self.effects, **_by_call(effects)})

    def names(self) -> Iterator[str]:
        """The qualified names that have to be followed through a file."""
        yield from (*OTHER, *self.starts, *self.effects, *self.questions.sleeps)

    def owners(self) -> Iterator[str]:
        """The classes whose objects' methods are among them."""
        for name in (*self.starts, *self.effects):
            owner = name.rpartition(".")[0]
            if owner.rpartition(".")[2][:1].isupper():
                yield owner


@cache
def known() -> Known:
    """Read the files. Raises CatalogError when one does not keep to its schema."""
    programs, effects = _document("programs"), _document("effects")
    agents, questions = _document("agents"), _document("questions")
    by_program: dict[str, list[Program]] = {}
    for program in _records(programs, "program", Program):
        if program.kind not in KINDS or program.opens not in OPENS:
            raise CatalogError(f"known-programs.toml: {program.names}: {program.kind!r} on {program.opens!r}")
        for name in program.names:
            by_program.setdefault(name, []).append(program)
    handlers = effects.pop("handlers")
    return Known(
        {start.call: start for start in _records(programs, "start", Start)},
        by_program,
        _by_call(_records(effects, "effect", Effect)),
        frozenset(handlers["decorators"]),
        frozenset(handlers["decorators_bare"]),
        frozenset(handlers["methods"]),
        frozenset(agents["variables"]),
        record(Questions, {key: frozenset(value) for key, value in questions.items()}, "known-questions.toml"),
    )


def _by_call(effects: Iterable[Effect]) -> dict[str, Effect]:
    return {call: effect for effect in effects for call in effect.calls}


def _document(facts: str) -> dict[str, Any]:
    document = dict(documents()[f"known-{facts}"])
    if (document.pop("schema", None), document.pop("facts", None)) != (1, facts):
        raise CatalogError(f'known-{facts}.toml: needs schema = 1 and facts = "{facts}"')
    return document


Record = TypeVar("Record", bound=tuple[Any, ...])


def _records(document: dict[str, Any], key: str, kind: type[Record]) -> list[Record]:
    return [record(kind, table, f"[[{key}]]") for table in document[key]]


def record(kind: type[Record], table: dict[str, Any], where: str) -> Record:
    """A table of a file, frozen. Raises CatalogError, which begins with where the table stands."""
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
    try:
        return kind(**values)
    except TypeError as error:
        raise CatalogError(f"{where}: {error}") from None
