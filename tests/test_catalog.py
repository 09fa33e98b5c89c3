"""The catalog against the real libraries: every entry is what its file says, and nothing else is."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import io
import re
import sys
import tomllib
import unittest.mock
from pathlib import Path
from typing import Any

import pytest

from agentgate import catalog, rulefiles
from agentgate.catalog import Library, Prompt
from agentgate.runtime import declaration, identity

LIBRARIES = catalog.load_all()
ENTRIES = [(library, entry) for library in LIBRARIES for entry in library.prompts]
IDS = [entry.call for _, entry in ENTRIES]
# not to be had at run time: the builtin of Python 2
ABSENT = {"builtins.raw_input"}
# a library that no current Python can import
UNCHECKED = {"PyInquirer"}
# the same object as another entry's, whose file answers for it at run time
ANSWERED_BY = {"six.moves.input": "builtins.input", "future.builtins.input": "builtins.input"}


def resolved(name: str) -> Any:
    """The object behind a qualified name, importing as many modules as it takes; an instance for a method of one."""
    parts = name.split(".")
    if parts[0] in UNCHECKED or (parts[0] == "msvcrt" and sys.platform != "win32"):
        pytest.skip(f"{parts[0]} cannot be imported here")
    try:
        pytest.importorskip(parts[0])
    except (io.UnsupportedOperation, OSError) as error:
        pytest.skip(f"{parts[0]} wants a terminal to be imported: {error}")
    for at in range(1, len(parts)):  # the shortest module: `questionary.form` is a function of the package
        try:
            value: Any = importlib.import_module(".".join(parts[:at]))
            for part in parts[at:]:
                value = getattr(value, part)
                value = value() if getattr(value, "__name__", "") == "get_console" else value
        except (AttributeError, ImportError):
            continue
        return value
    raise AttributeError(name)


def target_of(entry: Prompt) -> Any:
    if entry.call in ABSENT:
        pytest.skip("Python 2's builtin")
    if entry.call in ("pdb.set_trace", "sys.stdin.readline"):
        pytest.skip("pytest itself replaces it in this process; test_every_prompt runs the real one")
    if entry.bind == "instance":
        owner, _, method = entry.call.rpartition(".")
        cls = resolved(owner)
        try:
            return getattr(cls(), method)
        except (TypeError, ValueError):  # it takes arguments: a bare object will do for a method's code and signature
            return getattr(cls, method).__get__(object.__new__(cls))
    return resolved(entry.call)


@pytest.mark.parametrize(("library", "entry"), ENTRIES, ids=IDS)
def test_the_call_and_its_other_names_are_this_very_entry(library: Library, entry: Prompt) -> None:
    target = target_of(entry)
    assert callable(target)
    if entry.declares and entry.fix == "none":
        return  # only reported
    if entry.declares:
        assert declaration.declares(target)
        assert identity.origin_of(target) in library.declares
        return
    expected = ANSWERED_BY.get(entry.call, entry.call)
    found = identity.find(target)
    if found is None and entry.fix == "none":
        return  # only reported: nothing at run time has to know it
    assert found is not None, f"identity.find does not know {entry.call}"
    assert found.prompt.call == expected
    for other in entry.also:
        if importlib.util.find_spec(other.partition(".")[0]) and _exists(other):
            again = identity.find(resolved(other))
            assert again is not None, other
            assert entry.origin == again.prompt.origin or again.prompt.call == expected, other


def _importable(module: str) -> bool:
    try:
        importlib.import_module(module)
    except ImportError:
        return False
    return True


def _exists(name: str) -> bool:
    try:
        resolved(name)
    except (AttributeError, ImportError):
        return False
    return True


@pytest.mark.parametrize(("library", "entry"), ENTRIES, ids=IDS)
def test_parameters_are_the_real_ones(library: Library, entry: Prompt) -> None:
    target = target_of(entry)
    if ANSWERED_BY.get(entry.call, entry.call) in (
        "builtins.input",
        "builtins.breakpoint",
    ):  # no names in C, or none that count
        assert entry.args in (("prompt",), ())
        return
    if inspect.ismethoddescriptor(target) and target.__text_signature__ is None:
        assert entry.args == ()  # no names in C
        return
    parameters = inspect.signature(target).parameters
    positional = [one.name for one in parameters.values() if one.kind is one.POSITIONAL_OR_KEYWORD]
    assert list(entry.args) == positional[: len(entry.args)]
    open_ended = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    for field in (
        "label",
        "default",
        "choices",
        "secret",
        "repeat",
        "confirm",
        "file",
        "questions",
        "unless",
        "several",
        "render",
    ):
        path = getattr(entry, field)
        if path is not None and not (open_ended and (entry.declares or field != "label")):
            assert path.partition(".")[0] in parameters, (field, path)
    if entry.prompts_when is not None and not open_ended:
        assert entry.prompts_when.param in parameters


@pytest.mark.parametrize(("library", "entry"), ENTRIES, ids=IDS)
def test_readers_and_makers_exist_and_are_genuine(library: Library, entry: Prompt) -> None:
    if not (entry.readers or entry.maker):
        return
    pytest.importorskip(entry.call.partition(".")[0])
    for place in (*entry.readers, *filter(None, (entry.maker,))):
        module, _, attribute = place.partition(":")
        if not _importable(module):  # a release that vendors nothing has no such place
            continue
        imported = importlib.import_module(module)
        assert hasattr(imported, attribute) or hasattr(__import__("builtins"), attribute), place
        assert identity.is_genuine(place), place


@pytest.mark.parametrize("library", [one for one in LIBRARIES if one.option], ids=lambda one: one.name)
def test_option_hooks_exist(library: Library) -> None:
    pytest.importorskip(library.name)
    hook = library.option
    assert hook is not None
    if hook.hook_class:
        module, _, name = hook.hook_class.partition(":")
        cls = getattr(importlib.import_module(module), name)
    else:
        cls = resolved(f"{library.name}.Option")
    for method in (hook.ask, hook.consume):
        assert callable(getattr(cls, method))
    attributes = set(inspect.getsource(cls)) and _attributes_set(cls)
    for attribute in (hook.label, hook.flags, hook.secret, hook.repeat, hook.confirm, hook.default):
        assert attribute in attributes, attribute


def _attributes_set(cls: type) -> set[str]:
    return {name for base in cls.__mro__[:-1] for name in re.findall(r"self\.(\w+)", inspect.getsource(base))}


@pytest.mark.parametrize("library", rulefiles.libraries())
def test_the_header_reader_agrees_with_toml(library: str) -> None:
    document = tomllib.loads(Path(rulefiles.path_of(library)).read_text("utf-8"))
    wanted = {
        key: (document[key],) if isinstance(document[key], str) else tuple(document[key])
        for key in rulefiles.HEADER
        if key in document
    }
    assert rulefiles.header(library) == wanted


def test_an_unknown_library_has_no_file() -> None:
    assert catalog.load("no_such_library") is None
    assert rulefiles.header("no_such_library") == {}


WRONG = [
    ({"schema": 2, "library": "x"}, "schema"),
    ({"schema": 1, "library": "y"}, "library"),
    ({"schema": 1, "library": "x", "extra": 1}, "extra"),
    ({"schema": 1, "library": "x", "prompt": [{"kind": "text"}]}, "call"),
    ({"schema": 1, "library": "x", "prompt": [{"call": "x.y", "kind": "txt"}]}, "kind"),
    ({"schema": 1, "library": "x", "prompt": [{"call": "x.y", "kind": "text", "strategy": "magic"}]}, "strategy"),
    ({"schema": 1, "library": "x", "prompt": [{"call": "x.y", "kind": "text", "fix": "maybe"}]}, "fix"),
    ({"schema": 1, "library": "x", "prompt": [{"call": "x.y", "kind": "text", "bind": "both"}]}, "bind"),
    ({"schema": 1, "library": "x", "prompt": [{"call": "x.y", "kind": "text", "reads": "mail"}]}, "reads"),
    ({"schema": 1, "library": "x", "prompt": [{"call": "x.y", "kind": "text", "lable": "z"}]}, "lable"),
]


@pytest.mark.parametrize(("document", "says"), WRONG)
def test_the_schema_is_checked(document: dict[str, Any], says: str) -> None:
    with pytest.raises(catalog.CatalogError, match=says):
        catalog.parse(document, "x")


NOT_PROMPTS = [
    "print",
    "lambda: 0",
    "int",
    "object()",
    "unittest.mock.Mock()",
    "unittest.mock.Mock(spec=input)",
    "wrapped",
    "None",
]


@pytest.mark.parametrize("expression", NOT_PROMPTS)
def test_what_only_looks_like_a_prompt_is_none(expression: str) -> None:
    import functools

    @functools.wraps(input)
    def wrapped(prompt: str = "") -> str:
        return prompt

    wrapped.__module__ = "builtins"
    assert identity.find(eval(expression, {"unittest": unittest, "wrapped": wrapped})) is None


def test_partials_and_subclasses_are_found_with_what_is_bound() -> None:
    from functools import partial

    prompt = pytest.importorskip("rich.prompt")
    click = pytest.importorskip("click")

    class Mine(prompt.IntPrompt):  # type: ignore[misc, name-defined]
        pass

    class Sure(prompt.Confirm):  # type: ignore[misc, name-defined]
        pass

    assert [identity.find(cls.ask).prompt.call for cls in (Mine, Sure, prompt.PromptBase)] == [  # type: ignore[union-attr]
        "rich.prompt.IntPrompt.ask",
        "rich.prompt.Confirm.ask",
        "rich.prompt.Prompt.ask",
    ]
    found = identity.find(partial(partial(click.prompt, "Port"), type=int))
    assert found is not None
    assert (found.prompt.call, found.args, found.kwargs) == ("click.prompt", ("Port",), {"type": int})
