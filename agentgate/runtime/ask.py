"""A gated prompt on an agent's run: pass a test double through, else answer, or stop."""

from __future__ import annotations

import sys

from . import action, identity, question, replay, replies, stdin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["gated"]


def gated(prompt: Any, hints: dict[str, Any]) -> Any:
    """The prompt as an agent meets it; the callable itself when it is not one (and no hint says so)."""
    if prompt is sys.stdin:
        return stdin.GatedStdin(hints)
    found = identity.find(prompt)
    if found is None and hints.get("kind") is None:
        return prompt
    if found is not None and not all(map(identity.is_genuine, found.prompt.readers)):
        return prompt  # a test answers in its place

    def ask(*args: Any, **kwargs: Any) -> Any:
        if found is None:
            return _value(None, question.of_call(None, hints, args, kwargs))
        if replay.serves(found.library.name, found.prompt.strategy):
            return prompt(*args, **kwargs)
        asked = question.of_call(found, hints, args, kwargs)
        unless = found.prompt.unless
        if unless is not None and found.given(args, kwargs).get(unless) is not None:
            return prompt(*args, **kwargs)
        if found.prompt.reads == "stdin" and not asked.secret and replay.stdin_in_memory():
            return prompt(*args, **kwargs)
        return STRATEGIES[found.prompt.strategy](prompt, found, asked, args, kwargs)

    ask.__name__ = getattr(prompt, "__name__", "prompt")
    ask.__wrapped__ = prompt  # type: ignore[attr-defined]
    return ask


def _value(found: identity.Found | None, asked: question.Question) -> Any:
    """The answer as it was given: for a prompt that returns what was typed."""
    reply = replies.reply(asked)
    if found is None and asked.kind in ("confirm", "pause"):
        return reply.text() == asked.yes
    if found is None and not isinstance(reply.value, str):
        return reply.value
    return reply.text()


def _by_value(_prompt: Any, found: identity.Found, asked: question.Question, args: Any, kwargs: Any) -> Any:
    opened = found.given(args, kwargs).get(found.prompt.file or "")
    if opened is None:
        return _value(found, asked)
    # an editor on files: an answer is what one of them shall hold, and none is written before all are there
    paths = [opened] if isinstance(opened, (str, bytes)) or hasattr(opened, "__fspath__") else list(opened)
    for path, text in [(path, _value(found, asked)) for path in paths]:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return None


def _by_replay(prompt: Any, found: identity.Found, asked: question.Question, args: Any, kwargs: Any) -> Any:
    return replay.replay(lambda: prompt(*args, **kwargs), asked, found.prompt.readers)


def _by_prompt_toolkit(prompt: Any, found: identity.Found, asked: question.Question, args: Any, kwargs: Any) -> Any:
    from . import prompt_toolkit

    return prompt_toolkit.deferred(prompt, found, asked, args, kwargs)


def _by_line(_prompt: Any, _found: identity.Found, asked: question.Question, *_: Any) -> str:
    return stdin.line(asked)


def _by_truth(_prompt: Any, _found: identity.Found, asked: question.Question, *_: Any) -> bool:
    return replies.reply(asked).text() == asked.yes


def _by_choice(prompt: Any, found: identity.Found, asked: question.Question, args: Any, kwargs: Any) -> Any:
    from . import choose

    return choose.choose(prompt, found, asked, args, kwargs)


def _by_typing(prompt: Any, found: identity.Found, asked: question.Question, args: Any, kwargs: Any) -> Any:
    from . import typed

    return typed.typed(prompt, found, asked, args, kwargs)


def _by_dialog(prompt: Any, found: identity.Found, asked: question.Question, args: Any, kwargs: Any) -> Any:
    from . import dialog

    return dialog.deferred(prompt, found, asked, args, kwargs)


def _by_renderer(prompt: Any, found: identity.Found, asked: question.Question, args: Any, kwargs: Any) -> Any:
    from . import rendered

    return rendered.rendered(prompt, found, asked, args, kwargs)


def _by_commands(prompt: Any, found: identity.Found, asked: question.Question, args: Any, kwargs: Any) -> Any:
    from . import shell

    return shell.commands(prompt, found, asked, args, kwargs)


def _by_form(prompt: Any, found: identity.Found, asked: question.Question, args: Any, kwargs: Any) -> Any:
    from . import form

    return form.of_questions(prompt, found, args, kwargs)


def _by_questions(_prompt: Any, found: identity.Found, asked: question.Question, args: Any, kwargs: Any) -> Any:
    from . import form

    return form.of_descriptions(found, args, kwargs)


def _skip(*_: Any) -> None:
    """The library itself goes on when nobody is there."""


def _print(_prompt: Any, _found: Any, _asked: Any, args: Any, kwargs: Any) -> None:
    """A pager's text, in plain."""
    text = args[0] if args else next(iter(kwargs.values()), "")
    text = text() if callable(text) else text
    sys.stdout.write(text if isinstance(text, str) else "".join(text))
    sys.stdout.write("\n")


def _stop(_prompt: Any, found: identity.Found, *_: Any) -> None:
    call = found.prompt.call.removeprefix("builtins.")
    action.stop_for(
        found.prompt.kind,
        f"The program stops in {call}(), which waits for a person.",
        next=[],
        when="once it is taken out",
    )


STRATEGIES: dict[str, Callable[..., Any]] = {
    "value": _by_value,
    "line": _by_line,
    "truth": _by_truth,
    "choose": _by_choice,
    "typed": _by_typing,
    "dialog": _by_dialog,
    "rendered": _by_renderer,
    "replay": _by_replay,
    "prompt_toolkit": _by_prompt_toolkit,
    "form": _by_form,
    "questions": _by_questions,
    "commands": _by_commands,
    "skip": _skip,
    "print": _print,
    "stop": _stop,
}
