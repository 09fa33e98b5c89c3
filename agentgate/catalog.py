"""The catalog: `lint_rules/*.toml`, one declarative file a library, as frozen records.

It lies below both sides: the linter and the codemod read all of it, the runtime reads the one file
of the library that a prompt comes from, and only on an agent's run. No code here names a library.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .rulefiles import HEADER, data_of, libraries

__all__ = ["CatalogError", "Library", "OptionHook", "Prompt", "PromptsWhen", "load", "load_all", "parse"]

KINDS = ("text", "confirm", "secret", "choice", "choices", "pause", "editor", "key", "pager", "debugger", "stdin")
STRATEGIES = (
    *("value", "line", "truth", "replay", "choose", "prompt_toolkit", "typed", "dialog", "rendered"),
    *("option", "form", "questions", "commands", "skip", "print", "stop"),
)
FIXES = ("safe", "unsafe", "none")
GIVES = (None, "item", "index", "pair", "value")


class CatalogError(ValueError):
    """A catalog file says something that the schema does not know."""


class PromptsWhen(NamedTuple):
    """A declaration prompts only when this parameter is true; `default` is what leaving it out means."""

    param: str
    default: bool


class Prompt(NamedTuple):
    """One known prompt.

    call: the qualified name that users write.
    kind: what it asks for (DESIGN section 1).
    also: other qualified names of the same object.
    origin: module and qualified name of the code itself, which no wrapper or test double can share.
    bind: `class` or `instance` when `call` is a method of a class.
    args: its positional parameters, in order; the fields below name parameters.
    label, default, choices, secret, repeat, confirm, file, questions: the parameter that holds it
        (`type.choices`: an attribute of that parameter's value).
    label_default: the label when the parameter is left out.
    flag_default: the flag of an option that is declared without one.
    unless: a parameter that, when given, means that nobody is asked (another stream to read).
    prompts_when: set for a declaration that prompts only with a certain parameter.
    after_question: it prompts only right after the program has printed a question.
    wraps_owner: the codemod gates what the method belongs to, which may not be there.
    of_stdin: it prompts only where an argument is stdin, or comes from it.
    waits: it prompts only where the same function then waits for what it started.
    markup: the label is written in the library's own markup.
    asks: the methods of the returned object that wait, when the call itself does not.
    skipped: the attribute of that object which says that it will not ask.
    strategy: how an answer is given to it; one of the runtime's named strategies.
    readers: the `module:attribute` places it reads through: swapped in a replay, and proof that a
        test has taken them over when one is not the real thing.
    reads: `stdin` or `terminal`.
    maker: the `module:attribute` that turns a question's type into a prompt.
    gives: what a menu returns for a choice: the `item`, its `index`, the `pair` of both, or its `value`
        where a choice is a tuple of what is shown and what it stands for.
    shown: which part of such a tuple is shown.
    several: the parameter that, when true, makes a choice of one a choice of several.
    render: the parameter that takes a renderer, through which the library asks.
    kinds: from the library's word for a question's type to our kind.
    pointer, selected: attributes of the control that shows a question's choices: which one the cursor
        is on, and which are ticked.
    yes, no: the literals that answer a yes/no question.
    fix: whether the codemod may wrap it: `safe`, `unsafe` or `none`.
    """

    call: str
    kind: str
    also: tuple[str, ...] = ()
    origin: tuple[str, ...] = ()
    bind: str | None = None
    args: tuple[str, ...] = ()
    label: str | None = None
    label_default: str | None = None
    flag_default: str | None = None
    default: str | None = None
    choices: str | None = None
    secret: str | None = None
    repeat: str | None = None
    confirm: str | None = None
    file: str | None = None
    questions: str | None = None
    unless: str | None = None
    prompts_when: PromptsWhen | None = None
    after_question: bool = False
    wraps_owner: bool = False
    of_stdin: bool = False
    waits: bool = False
    markup: bool = False
    asks: tuple[str, ...] = ()
    skipped: str | None = None
    strategy: str = "value"
    readers: tuple[str, ...] = ()
    reads: str = "stdin"
    maker: str | None = None
    gives: str | None = None
    shown: int | None = None
    several: str | None = None
    render: str | None = None
    kinds: tuple[tuple[str, str], ...] = ()
    pointer: str | None = None
    selected: str | None = None
    yes: str | None = None
    no: str | None = None
    fix: str = "safe"

    @property
    def declares(self) -> bool:
        """It only declares a prompt; the framework asks later."""
        return self.strategy == "option"

    @property
    def told_by_code(self) -> bool:
        """Only the code around a call tells whether it asks: the linter looks there, the runtime cannot."""
        return self.after_question or self.of_stdin or self.waits

    @property
    def owner(self) -> str | None:
        """The class that a method belongs to."""
        return self.call.rpartition(".")[0] if self.bind else None


class OptionHook(NamedTuple):
    """How a framework's option object prompts, and under which attributes it keeps what it asks.

    created: the attributes of a decorated function or command that list its options (the last one is new).
    hook_class: the `module:Class` of the options, where the declaration itself does not build one.
    classes: all the `module:Class`es of its options. ask, consume: the methods that ask, and that decide
    whether to ask. siblings: from the context to all parameters of the command. anywhere: from the context to
    whether an option may stand behind the command's arguments, as one of a group with commands may not.
    choices: where they may be kept. member: the attribute of an enum's member that is typed for it.
    """

    ask: str
    consume: str
    siblings: str
    label: str
    flags: str
    secret: str
    repeat: str
    confirm: str
    choices: tuple[str, ...]
    default: str
    readers: tuple[str, ...]
    yes: str = "y"
    no: str = "n"
    created: tuple[str, ...] = ()
    anywhere: str | None = None
    member: str = "name"
    hook_class: str | None = None
    classes: tuple[str, ...] = ()


class Library(NamedTuple):
    """One file of the catalog."""

    name: str
    prompts: tuple[Prompt, ...]
    option: OptionHook | None = None
    declares: tuple[str, ...] = ()


def load(library: str) -> Library | None:
    """Read one library's file; None when the catalog does not know the library.

    Raises CatalogError when the file does not keep to the schema.
    """
    import tomllib  # the linter has the catalog without it

    data = data_of(library)
    if data is None:
        return None
    try:
        document = tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CatalogError(f"{library}.toml: {error}") from None
    return parse(document, library)


def load_all() -> tuple[Library, ...]:
    """Read the whole catalog."""
    return tuple(found for found in map(load, libraries()) if found is not None)


def parse(document: dict[str, Any], library: str) -> Library:
    """Check a catalog document against the schema and freeze it."""
    unknown = set(document) - {"schema", "library", "prompt", "option", *HEADER}
    if document.get("schema") != 1 or document.get("library") != library or unknown:
        raise CatalogError(f"{library}.toml: needs schema = 1 and library = {library!r}, knows no {sorted(unknown)}")
    where = f"{library}.toml"
    prompts = tuple(_prompt(table, where) for table in document.get("prompt", ()))
    option = None
    if "option" in document:
        table = {**document["option"], **{key: document[key] for key in HEADER[1:] if key in document}}
        option = OptionHook(**_frozen(table, OptionHook._fields, f"{where}: option"))
    return Library(library, prompts, option, tuple(document.get("declares", ())))


def _prompt(table: dict[str, Any], where: str) -> Prompt:
    where = f"{where}: {table.get('call', 'a prompt without a call')}"
    values = _frozen(table, Prompt._fields, where)
    if "kinds" in values:
        values["kinds"] = tuple(values["kinds"].items())
    values.setdefault("origin", (table.get("call"),))
    try:
        if isinstance(values.get("prompts_when"), dict):
            values["prompts_when"] = PromptsWhen(**values["prompts_when"])
        prompt = Prompt(**values)
    except TypeError as error:
        raise CatalogError(f"{where}: {error}") from None
    for field, value, known in (
        ("kind", prompt.kind, KINDS),
        ("strategy", prompt.strategy, STRATEGIES),
        ("fix", prompt.fix, FIXES),
        ("gives", prompt.gives, GIVES),
        ("bind", prompt.bind, (None, "class", "instance")),
        ("reads", prompt.reads, ("stdin", "terminal")),
    ):
        if value not in known:
            raise CatalogError(f"{where}: {field} = {value!r} is not one of {known}")
    return prompt


def _frozen(table: dict[str, Any], fields: tuple[str, ...], where: str) -> dict[str, Any]:
    unknown = set(table) - set(fields)
    if unknown:
        raise CatalogError(f"{where}: unknown key {min(unknown)!r}")
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
