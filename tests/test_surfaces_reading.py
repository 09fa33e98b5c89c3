"""Reading parsers: whatever a parser is made of, its tree is made, its schemas are valid and the same each time."""

from __future__ import annotations

import argparse
import itertools
import json
import pathlib
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any, Literal

import click
import hypothesis.strategies as st
import jsonschema
import pytest
import typer
from hypothesis import given, settings

from agentgate.integrations import origins_argparse, read_argparse, read_click, subparsers
from agentgate.surfaces import commands, completion, manual, overview, schema
from agentgate.surfaces.tree import Command, Parameter, Program

EXAMPLES = settings(max_examples=60, deadline=None)


class Colour(Enum):
    red = "r"
    green = "g"


class Broken:
    """An object none of whose answers can be had."""

    def __str__(self) -> str:
        raise RuntimeError("no text")

    __repr__ = __str__

    def __iter__(self) -> Iterator[Any]:
        raise RuntimeError("no values")

    def __contains__(self, value: object) -> bool:
        return True

    def __call__(self, value: str) -> str:
        return value

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no equal")

    __hash__ = None  # type: ignore[assignment]


class Later:
    """A text that is translated when it is shown."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __mod__(self, values: Any) -> str:
        return self.text % values


class Prints(argparse.Action):
    """An action that must never be called."""

    def __call__(self, *_: Any, **__: Any) -> None:
        raise AssertionError("an action was called")


class NoFormat(argparse.HelpFormatter):
    def add_usage(self, *_: Any, **__: Any) -> None:
        raise RuntimeError("no usage")

    def _expand_help(self, action: argparse.Action) -> str:
        raise RuntimeError("no help")


class NoFormatter(argparse.HelpFormatter):
    def __init__(self, *_: Any, **__: Any) -> None:
        raise RuntimeError("no formatter")


def never(*_: Any, **__: Any) -> Any:
    raise AssertionError("it was run")


def described(root: Command) -> dict[str, Any]:
    """Every document of a program, as JSON says it; each schema is valid."""
    program = Program(root=root)
    documents = {
        "schema": schema.document(program, ()),
        "commands": commands.document(program, ("--all",)),
        "overview": overview.document(program),
        "completion": [completion.script(program, shell) for shell in completion.SHELLS],
    }
    for one in root.walk():
        jsonschema.Draft202012Validator.check_schema(schema.input_schema(one))
    # not NaN, which is no JSON
    return dict(json.loads(json.dumps(documents, allow_nan=False)))


def parameters(root: Command) -> dict[str, Parameter]:
    return {one.name: one for one in root.own}


# --- argparse

WORDS = st.text(alphabet="abcdeé", min_size=1, max_size=4)
HELP = st.sampled_from(
    [None, "", "plain", "%(default)s", "100% bad", "%(nothing)s", "ünïcode …", Later("later"), Broken()]
)
ODD = st.sampled_from(
    [None, 0, 1.5, float("nan"), float("inf"), "text", b"bytes", Broken(), object(), Colour.red, never]
)
ODD_CHOICES = st.sampled_from(
    [
        None,
        range(1, 10),
        range(10**9),
        range(0),
        [1, 2],
        ["a", None, 1.5, Colour.red, pathlib.Path("x")],
        {"red", "green"},
        {"key": "value"},
        "abc",
        Broken(),
        itertools.count(),
        (one for one in "ab"),
        [[1], [2]],
    ]
)
TYPES = st.sampled_from([None, str, int, float, bool, Colour, pathlib.Path, argparse.FileType("w"), Broken(), never])


@st.composite
def arguments(draw: Callable[[st.SearchStrategy[Any]], Any]) -> Callable[[Any], None]:
    """Something to add to a parser."""
    flags = draw(st.lists(st.one_of(WORDS.map("-{}".format), WORDS.map("--{}-x".format)), max_size=2, unique=True))
    about: dict[str, Any] = {"help": draw(HELP), "default": draw(ODD)}
    if flags:
        about["dest"] = draw(st.sampled_from(["shared", "other", None]))
    kind = draw(
        st.sampled_from(["value", "flag", "const", "count", "pair", "custom"] if flags else ["value", "custom"])
    )
    if kind in ("value", "custom"):
        about["type"] = draw(TYPES)
        about["nargs"] = draw(st.sampled_from([None, 1, 2, "?", "*", "+", argparse.REMAINDER]))
        about["metavar"] = draw(st.sampled_from([None, "M"]))
        about["action"] = draw(st.sampled_from(["store", "append", "extend"])) if kind == "value" and flags else "store"
        if kind == "custom":
            about["action"] = Prints
        if about["action"] == "extend" and about["nargs"] is None:
            about["nargs"] = "+"
    else:
        about["action"] = {
            "flag": "store_true",
            "const": "store_const",
            "count": "count",
            "pair": argparse.BooleanOptionalAction,
        }[kind]
        if kind == "const":
            about["const"] = draw(ODD)
    choices = draw(ODD_CHOICES) if kind in ("value", "custom") else None

    def add(parser: Any) -> None:
        action = parser.add_argument(
            *(flags or ["word"]), **{key: one for key, one in about.items() if one is not None}
        )
        action.choices = choices  # after it was added, where argparse itself no longer looks at it

    return add


@st.composite
def parsers(draw: Callable[[st.SearchStrategy[Any]], Any]) -> argparse.ArgumentParser:
    """A parser with up to two levels of commands."""
    kinds = st.sampled_from([argparse.HelpFormatter, argparse.RawTextHelpFormatter, NoFormat, NoFormatter])

    def fill(parser: argparse.ArgumentParser, levels: int) -> None:
        parser.description, parser.epilog = draw(HELP), draw(HELP)
        for add in draw(st.lists(arguments(), max_size=4)):
            where = draw(st.sampled_from([parser, parser.add_argument_group("g")]))
            try:
                add(where)
            except (ValueError, TypeError, AttributeError, KeyError, RuntimeError, argparse.ArgumentError):
                pass  # what argparse does not take, no program has
        if levels and draw(st.booleans()):
            dest = draw(st.sampled_from([None, "cmd"]))
            under = parser.add_subparsers(prog="app", required=draw(st.booleans()), dest=dest)
            for name in draw(st.lists(WORDS, max_size=3, unique=True)):
                about = {"help": "how"} if draw(st.booleans()) else {}
                fill(under.add_parser(name, aliases=[f"{name}2"] if draw(st.booleans()) else [], **about), levels - 1)
        exclusive = parser.add_mutually_exclusive_group(required=draw(st.booleans()))
        for flag in ("--either", "--or"):
            exclusive.add_argument(flag, action="store_true")
        # where argparse is done with its own checks
        parser.formatter_class = draw(kinds)
        parser.usage = draw(st.sampled_from([None, "%(prog)s ...", "100% bad", "plain"]))

    made = argparse.ArgumentParser(prog=draw(st.sampled_from(["app", "pro%g"])), conflict_handler="resolve")
    made.fromfile_prefix_chars = "@"
    fill(made, 2)
    made.prog = draw(st.sampled_from([made.prog, None]))  # type: ignore[assignment]
    return made


LINES = st.lists(
    st.one_of(WORDS, WORDS.map("-{}".format), WORDS.map("--{}-x".format), st.just("--"), st.just("-h")), max_size=5
)


@EXAMPLES
@given(parsers(), LINES)
def test_any_argparse_parser_is_read(parser: argparse.ArgumentParser, line: list[str]) -> None:
    assert described(read_argparse.read(parser)) == described(read_argparse.read(parser))
    origins = origins_argparse.origins(parser, line)
    assert set(parameters(read_argparse.read(parser))) <= set(origins)


# --- click


class NoType(click.ParamType):
    name = "odd"

    @property
    def choices(self) -> Any:
        raise RuntimeError("no choices")

    min = never
    max = object()


CLICK_TYPES = st.sampled_from(
    [
        None,
        str,
        int,
        float,
        bool,
        click.Choice(["a", "b"]),
        click.IntRange(1, 5),
        click.FloatRange(max=float("inf")),
        click.Path(),
        click.File("w"),
        click.DateTime(),
        click.Tuple([str, int]),
        click.Tuple([int, int]),
        click.UUID,
        NoType(),
    ]
)


@st.composite
def click_parameters(draw: Callable[[st.SearchStrategy[Any]], Any]) -> click.Parameter:
    kind = draw(
        st.sampled_from(["option", "flag", "pair", "value of a flag", "count", "prompt", "argument", "several"])
    )
    name = draw(st.sampled_from(["shared", "one", "two", "three"]))
    about: dict[str, Any] = {"callback": never}
    if kind == "argument":
        chosen = draw(CLICK_TYPES)
        return click.Argument([name], type=chosen, required=draw(st.booleans()), **about)
    if kind == "several":
        return click.Argument([name], nargs=-1, **about)
    about |= {"help": draw(st.sampled_from([None, "plain", "\b\nraw", "ünïcode"])), "hidden": draw(st.booleans())}
    flag = f"--{draw(WORDS)}"
    if kind == "pair":
        return click.Option([f"{flag}/--no{flag[1:]}", name], default=draw(st.booleans()), **about)
    if kind == "count":
        return click.Option([flag, name], count=True, **about)
    if kind == "flag":
        return click.Option([flag, name], is_flag=True, **about)
    if kind == "value of a flag":
        return click.Option([flag, name], flag_value="it", default=draw(st.sampled_from([None, "it"])), **about)
    if kind == "prompt":
        return click.Option([flag, name], prompt="What?", hide_input=draw(st.booleans()), **{**about, "hidden": False})
    variable = draw(st.sampled_from([None, "VAR", ["VAR", "OTHER"]]))
    default = draw(st.sampled_from([None, never]))
    return click.Option([flag, name], type=draw(CLICK_TYPES), default=default, envvar=variable, **about)


class Lazy(click.Group):
    """A group that loads its commands when they are asked for, or fails to."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*super().list_commands(ctx), "broken", "nothing", "odd"]

    def get_command(self, ctx: click.Context, name: str) -> Any:
        if name == "broken":
            raise ImportError("a plugin that is not installed")
        return 7 if name == "odd" else super().get_command(ctx, name)


class NoList(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        raise SystemExit(1)

    def get_short_help_str(self, limit: int = 45) -> str:
        raise RuntimeError("no help")

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        raise RuntimeError("no usage")


@st.composite
def click_commands(draw: Callable[[st.SearchStrategy[Any]], Any], levels: int = 2) -> click.Command:
    made = draw(st.lists(click_parameters(), max_size=4))
    about: dict[str, Any] = {
        "epilog": draw(st.sampled_from([None, "Examples:\n  app x"])),
        "deprecated": draw(st.booleans()),
        "hidden": draw(st.booleans()),
        "context_settings": draw(st.sampled_from([None, {"auto_envvar_prefix": "APP"}, {"obj": 1}, {"nothing": 1}])),
        "callback": print,  # which has no source to look for questions in
        "params": made,
    }
    text = draw(st.sampled_from([None, "", "It does.\n\n\b\nraw\f hidden", Later("later")]))
    if not levels or draw(st.booleans()):
        command = click.Command("cmd", **about)
        command.help = text  # which older click wants to be a plain text at first
        return command
    kind = draw(st.sampled_from([click.Group, Lazy, NoList]))
    group = kind("grp", invoke_without_command=draw(st.booleans()), **about)
    group.help = text
    for name in draw(st.lists(WORDS, max_size=3, unique=True)):
        group.add_command(draw(click_commands(levels - 1)), name)
    if draw(st.booleans()):
        group.add_command(group, "itself")
    return group  # type: ignore[no-any-return]


@pytest.mark.filterwarnings("ignore::UserWarning")  # click warns of names that are used twice
@EXAMPLES
@given(click_commands(), LINES)
def test_any_click_command_is_read(command: click.Command, line: list[str]) -> None:
    assert described(read_click.read(command, "app")) == described(read_click.read(command, "app"))
    read_click.origins(command, "app", line)


# --- single kinds


def test_flags_that_set_one_value_are_told_apart() -> None:
    parser = argparse.ArgumentParser()
    for flag in ("--json", "--form"):
        parser.add_argument(flag, dest="kind", action="store_const", const=flag[2:], default="json")
    root = read_argparse.read(parser)
    assert list(schema.input_schema(root)["properties"]) == ["kind", "form"]
    assert origins_argparse.origins(parser, ["--form"])["kind"] == ("form", "flag", "--form")
    options: list[click.Parameter] = [click.Option([f"--{name}", "kind"], flag_value=name) for name in ("json", "kind")]
    properties = schema.input_schema(read_click.read(click.Command("app", params=options)))["properties"]
    assert {name: one["flag"] for name, one in properties.items()} == {"kind": "--json", "kind_2": "--kind"}


def test_a_flag_has_no_default_but_a_pair_and_a_count_have() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cached", action="store_true", default=True)
    parser.add_argument("--colour", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("-v", dest="verbose", action="count", default=1)
    assert {name: one.default for name, one in parameters(read_argparse.read(parser)).items()} == {
        "cached": None,
        "colour": True,
        "verbose": 1,
    }


@pytest.mark.parametrize(
    ("choices", "kind", "expected"),
    [
        (range(1, 5), int, {"type": "integer", "minimum": 1, "maximum": 4}),
        (range(1, 5), None, {"enum": [1, 2, 3, 4]}),
        (range(10**9), None, {"type": "string"}),
        (list(Colour), Colour, {"type": "string", "enum": ["r", "g"]}),
        ({"b", "a"}, None, {"type": "string", "enum": ["a", "b"]}),
        (Broken(), None, {"type": "string"}),
        (itertools.count(), None, {"type": "string"}),
    ],
)
def test_choices_of_argparse(choices: Any, kind: Any, expected: dict[str, Any]) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--x", type=kind, choices=choices, metavar="X")
    (value,) = schema.input_schema(read_argparse.read(parser))["properties"].values()
    assert value == {**expected, "flag": "--x"}


def test_a_manual_whose_formatter_fails_has_no_text() -> None:
    for formatter in (NoFormat, NoFormatter):
        parser = argparse.ArgumentParser(prog="app")
        parser.formatter_class = formatter
        found = manual.document(read_argparse.read(parser))
        assert (found["name"], found["usage"], "text" in found) == ("app", "app [-h]", False)


def test_an_argument_that_may_be_left_out_is_not_required() -> None:
    parser = argparse.ArgumentParser()
    for name, nargs in (("one", None), ("maybe", "?"), ("any", "*"), ("rest", argparse.REMAINDER)):
        parser.add_argument(name, nargs=nargs)
    assert schema.input_schema(read_argparse.read(parser))["required"] == ["one"]


def test_a_parser_may_be_under_itself_and_come_from_a_lazy_mapping() -> None:
    class Found(dict[str, Any]):
        def __getitem__(self, name: str) -> Any:
            if name == "broken":
                raise ImportError(name)
            return super().__getitem__(name)

    parser = argparse.ArgumentParser(prog="app")
    under = parser.add_subparsers()
    under.add_parser("good", help="It does.")
    found = Found(under.choices, broken=None, odd=7)  # type: ignore[arg-type]
    under.choices = found  # type: ignore[assignment]
    assert [one.name for one in read_argparse.read(parser).commands] == ["good"]
    found["again"] = parser
    assert len(list(subparsers.tree(parser))) == 2
    assert read_argparse.read(parser).commands[1].commands[1].path == ("again", "again")


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (int, {"type": "integer"}),
        (int | None, {"type": "integer"}),
        (Colour, {"type": "string", "enum": ["r", "g"]}),
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
        (list[int], {"type": "array", "items": {"type": "integer"}}),
        (tuple[int, int], {"type": "array", "items": {"type": "integer"}}),
        (tuple[int, str], {"type": "array", "items": {"type": "string"}}),
        (pathlib.Path, {"type": "string", "format": "path"}),
        (bool, {"type": "boolean"}),
    ],
)
def test_types_of_typer(annotation: Any, expected: dict[str, Any]) -> None:
    app = typer.Typer(add_completion=False)

    def main(x: Any = typer.Option(None, "--x")) -> None: ...  # noqa: B008

    main.__annotations__["x"] = annotation
    app.command()(main)
    (value,) = schema.input_schema(read_click.read(typer.main.get_command(app), "app"))["properties"].values()
    assert value == {**expected, "flag": "--x"}


def test_nothing_of_a_command_line_is_opened_or_converted_to_tell_its_origins(tmp_path: pathlib.Path) -> None:
    written = tmp_path / "written"
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=argparse.FileType("w"), default=str(written))
    parser.add_argument("--version", action="version", version="1")
    parser.add_argument("--print", action=Prints)
    found = origins_argparse.origins(parser, ["--version", "--print", "x", "--out", str(written)])
    assert found["out"].value == str(written)
    assert found["print"] == ("x", "flag", "--print")
    assert not written.exists()
