"""The words of a command line, as far as the source tells them."""

from __future__ import annotations

import ast
import re
import shlex
from itertools import count
from string import Formatter
from typing import TypeAlias

from agentgate.lint.context import Context
from agentgate.lint.grown import Step, grown
from agentgate.lint.known import ENVIRONMENT, EXECUTABLE, WHICH
from agentgate.lint.results import results

__all__ = ["REST", "UNKNOWN", "Words", "commands", "key", "read", "variable", "words"]

# stands for a part of a word, or a whole word, that only the run can tell: no character that a shell knows
UNKNOWN = "\ue000"
# stands for any number of unknown words
REST = "\ue001"

# what stands below `<<END` is no command, up to the line that is that word
_HERE_DOCUMENT = re.compile(r"(<<-?[ \t]*(['\"]?)(\w+)\2[^\n]*\n).*?^[ \t]*\3[ \t]*$", re.DOTALL | re.MULTILINE)

_LOOPS = frozenset({"for", "until", "while"})

Words: TypeAlias = "list[str]"


def read(node: ast.expr, context: Context) -> list[Words]:
    """The command lines in an expression: one for a list of words, more for a shell's text or a choice of either.

    None where they are not known.
    """
    found: list[Words] = []
    for one in _choices(node, context):
        words = _listed(one, context)
        text = _text(one, context) if words is None else None
        found += [words] if words is not None else commands(text) if text is not None else []
    return found


def _choices(node: ast.expr, context: Context) -> list[ast.expr]:
    """What a command line, or the first word of a list, is either way: `["sudo", "ls"] if root else ["ls"]`."""
    choices = _either(node, context)
    if len(choices) > 1 or not isinstance(node, ast.List) or not node.elts:
        return choices
    first, *others = node.elts
    return [ast.List([choice, *others]) for choice in _either(first, context)]


def _either(node: ast.expr, context: Context) -> list[ast.expr]:
    choices = context.choices(node)
    return (results(context.value(node), context) or choices) if choices == [node] else choices


def words(nodes: list[ast.expr], context: Context, depth: int = 0) -> Words:
    """The command line whose words are written one by one."""
    found: Words = []
    for node in nodes:
        several = (
            _listed(node.value, context, depth) if isinstance(node, ast.Starred) else [_word(node, context, depth)]
        )
        found += several if several is not None else [REST]
    return found


def key(node: ast.expr, context: Context) -> ast.expr | None:
    """What names the environment variable that an expression reads: `os.environ.get(key, "vi")`, `environ[key]`."""
    if isinstance(node, ast.Call) and context.name(node.func) in ENVIRONMENT and node.args:
        return node.args[0]
    if isinstance(node, ast.Subscript) and context.name(node.value) in ENVIRONMENT:
        return node.slice
    return None


def variable(node: ast.expr, context: Context) -> str | None:
    """The environment variable that an expression reads by its literal name."""
    named = key(node, context)
    return named.value if isinstance(named, ast.Constant) and isinstance(named.value, str) else None


def _listed(node: ast.expr, context: Context, depth: int = 0) -> Words | None:
    """The words of a list or tuple, of a sum of such, and of a variable that holds one."""
    if isinstance(node, ast.List | ast.Tuple):
        return words(node.elts, context, depth)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts = [_listed(part, context, depth) for part in _summands(node)]
        if all(part is None for part in parts):
            return None
        return [word for part in parts for word in (part if part is not None else [REST])]
    if isinstance(node, ast.IfExp):
        # [] if root else ["sudo"]
        sides = [_listed(side, context, depth) for side in (node.body, node.orelse)]
        return next((side for side in sides if side), []) if [] in sides else None
    text = _split_up(node)
    if text is not None:
        known = _text(text, context, depth)
        return _split(known) if known is not None else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "list" and node.args:
        return _listed(node.args[0], context, depth)
    if isinstance(node, ast.Name) and depth < 3:
        value, added = grown(node, context)
        found = _listed(value, context, depth + 1) if value is not node else None
        if found is not None:
            for step in added:
                more = _step(step, context, depth + 1)
                found = [*more, *found] if step.front else [*found, *more]
            return found
    copied = _copied(node)
    if copied is not None:
        return _listed(copied, context, depth)
    given = results(node, context) if depth < 3 else []
    return _listed(given[0], context, depth + 1) if len(given) == 1 else None


def _split_up(node: ast.expr) -> ast.expr | None:
    """The text that is split at its spaces: `"git commit".split()`, `shlex.split("git commit")`."""
    match node:
        case ast.Call(func=ast.Name(id="split") | ast.Attribute(value=ast.Name(id="shlex"), attr="split"), args=[text]):
            return text
        case ast.Call(func=ast.Attribute(value=text, attr="split"), args=[] | [ast.Constant(value=" ")]):
            return text
        case _:
            return None


def _copied(node: ast.expr) -> ast.expr | None:
    """The list of which this is a copy: `command.copy()`, `command[:]`."""
    match node:
        case ast.Call(func=ast.Attribute(value=value, attr="copy"), args=[]):
            return value
        case ast.Subscript(value=value, slice=ast.Slice(lower=None, upper=None, step=None)):
            return value
        case _:
            return None


def _step(step: Step, context: Context, depth: int) -> Words:
    """The words that are added to a list."""
    if step.value is None:
        return [REST]
    several = [_word(step.value, context, depth)] if step.one else _listed(step.value, context, depth)
    return several if several is not None else [REST]


def _summands(node: ast.expr) -> list[ast.expr]:
    """The parts of a sum, in order; one may have hundreds, each nested in the next."""
    found: list[ast.expr] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        found.append(node.right)
        node = node.left
    return [node, *reversed(found)]


def _word(node: ast.expr, context: Context, depth: int) -> str:
    """One word; UNKNOWN for what only the run can tell."""
    return _text(node, context, depth) or UNKNOWN


def _text(node: ast.expr, context: Context, depth: int = 0) -> str | None:
    """The text of an expression; None when no part of it is known."""
    name = variable(node, context)
    if name is not None:
        return f"${name}"
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(_text(part, context, depth) or UNKNOWN for part in values)
        case ast.FormattedValue(value=value):
            return _text(value, context, depth)
        case ast.BinOp(op=ast.Add()):
            parts = [_text(part, context, depth) for part in _summands(node)]
            return "".join(part or UNKNOWN for part in parts) if any(parts) else None
        case ast.BinOp(left=left, op=ast.Mod(), right=right):
            return _filled(left, right, context, depth)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
            return _formatted(text, node, context, depth)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(between)), attr="join"), args=[parts]):
            known = _listed(parts, context, depth)
            return between.join(known) if known is not None else None
        case ast.Call(func=ast.Attribute(value=ast.Name(id="shlex"), attr="join"), args=[parts]):
            known = _listed(parts, context, depth)
            return shlex.join(known) if known is not None else None
        case ast.Call(func=ast.Attribute(attr="join"), args=[_, *_, last]) | ast.BinOp(op=ast.Div(), right=last):
            # os.path.join(folder, "git"), folder / "git"
            part = _text(last, context, depth)
            return f"{UNKNOWN}/{part}" if part is not None else None
        case ast.Call(func=ast.Name(id="str"), args=[value]):
            return _text(value, context, depth)
        case ast.BoolOp(values=values):
            # $VISUAL or $EDITOR or "vi"
            return next(filter(None, (_text(value, context, depth) for value in values)), None)
        case ast.Call(args=[ast.Constant(value=str(text)), *_]) if context.name(node.func) == WHICH:
            return text
        case ast.Name() if depth < 3:
            value, added = grown(node, context)
            value = value if added else context.preferred(node)
            begun = _text(value, context, depth + 1) if value is not node else _first(node, context, depth)
            if not begun:
                return None
            for step in added:
                part = (_text(step.value, context, depth + 1) if step.value is not None else None) or UNKNOWN
                begun = part + begun if step.front else begun + part
            return begun
        case ast.Attribute() if context.name(node) == EXECUTABLE:
            return "python"
        case ast.Call() | ast.Attribute() | ast.Subscript() if depth < 3:
            return _first(node, context, depth)
        case _:
            return None


def _first(node: ast.expr, context: Context, depth: int) -> str | None:
    """The first text that an expression can be of which a part is known."""
    return next(filter(None, (_text(one, context, depth + 1) for one in results(node, context))), None)


def _filled(left: ast.expr, right: ast.expr, context: Context, depth: int) -> str | None:
    """`"%s %s" % (editor, path)`, with what is known put in."""
    if not isinstance(left, ast.Constant) or not isinstance(left.value, str):
        return None
    values = right.elts if isinstance(right, ast.Tuple) else [right]
    pieces = left.value.split("%s")
    if len(pieces) != len(values) + 1:
        return None
    known = [_word(value, context, depth) for value in values]
    return "".join(part for pair in zip(pieces, [*known, ""], strict=True) for part in pair)


def _formatted(text: str, call: ast.Call, context: Context, depth: int) -> str | None:
    """`"{} {path}".format(editor, path=path)`, with what is known put in."""
    given: dict[str, ast.expr] = {str(at): value for at, value in enumerate(call.args)}
    given |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}
    found, unnamed = "", count()
    try:
        for literal, field, _, _ in Formatter().parse(text):
            found += literal
            if field is not None:
                value = given.get(field or str(next(unnamed)))
                found += _word(value, context, depth) if value is not None else UNKNOWN
    except ValueError:
        return None  # it is no format
    return found


def _split(text: str) -> Words | None:
    try:
        return shlex.split(text)
    except ValueError:
        return None


def commands(text: str) -> list[Words]:
    """The commands of a shell's text. Redirections stay in as words; a `|` opens the next command as its first word."""
    text = _HERE_DOCUMENT.sub(r"\1", text).replace("\n", " ; ")
    lexer = shlex.shlex(text, posix=True, punctuation_chars=";&|<>()")
    lexer.whitespace_split = True
    lexer.commenters = ""  # a comment would end with the text and not with its line; its words are no command
    commands: list[Words] = [[]]
    try:
        for token in lexer:
            if token and set(token) <= set(";&|()"):
                commands.append(["|"] if token == "|" else [])
            else:
                commands[-1].append(token)
    except ValueError:
        return []
    return _looped([command for command in commands if command and command != ["|"]])


def _looped(commands: list[Words]) -> list[Words]:
    """The same; in `while read line; do …; done < file` all that is in the loop reads the file."""
    begins = 0
    for at, command in enumerate(commands):
        if command[0] in _LOOPS:
            begins = at
        elif command[0] == "done" and "<" in command:
            commands[begins:at] = [["|", *inside] for inside in commands[begins:at]]
    return commands
