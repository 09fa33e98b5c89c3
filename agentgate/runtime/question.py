"""What one call of a prompt asks: the catalog's fields, filled from the call's own arguments."""

from __future__ import annotations

from .. import label as labels

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..catalog import OptionHook, Prompt
    from .identity import Found

__all__ = ["Question", "choices_of", "index_of", "of_call", "of_option", "plain", "text_of"]

CONSENTS = {"confirm": "confirm", "pause": "proceed"}  # kinds that a consent answers → its usual reason
DEFAULT_NAMES = {"confirm": "confirm", "secret": "secret", "pause": "go_ahead", "editor": "text", "key": "key"}


class Question:
    """One question: how it is named, what it says, what would answer it.

    reason: of the consent that it takes; None for a question that takes none.
    """

    def __init__(
        self,
        kind: str,
        label: str,
        *,
        name: str | None = None,
        default: object = None,
        choices: list[str] | None = None,
        flag: str | None = None,
        yes: str | None = None,
        no: str | None = None,
        reason: str | None = None,
        repeat: bool = False,
        required: bool = True,
    ) -> None:
        self.kind, self.label = kind, label
        self.name = name or labels.slug(label) or DEFAULT_NAMES.get(kind, "answer")
        self.default, self.choices, self.flag = default, choices, flag
        self.yes, self.no = yes or "y", no or "n"
        self.reason = (reason or CONSENTS[kind]) if kind in CONSENTS else None
        self.repeat, self.required = repeat, required

    @property
    def secret(self) -> bool:
        return self.kind == "secret"

    @property
    def code(self) -> str:
        """The error code of a run that stops at this question."""
        if self.reason is not None:
            return "consent_required"
        return "auth_required" if self.secret else "missing_input"


def of_call(found: Found | None, hints: dict[str, Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Question:
    """The question that a call asks. found: its prompt, None for a callable that only a hint makes one."""
    entry = found.prompt if found else None
    given = found.given(args, kwargs) if found else kwargs
    first = args[0] if args else None

    def of(path: str | None) -> Any:
        return _follow(given, path)

    raw = hints.get("label")
    if raw is None:
        raw = of(entry.label) if entry else first
        raw = entry.label_default if raw is None and entry else raw
    words = labels.visible(text_of(raw), markup=bool(entry and entry.markup and isinstance(raw, str)))
    yes_no = labels.yes_no(words)
    choices = hints.get("choices") or (choices_of(of(entry.choices), entry.shown) if entry else None)
    secret = hints.get("secret")
    several = bool(of(entry.several)) if entry else False
    kind = hints.get("kind") or _kind(entry, words, choices, bool(of(entry.secret)) if entry else False, hints, several)
    if secret is not None:
        kind = "secret" if secret else ("text" if kind == "secret" else kind)
    return Question(
        kind,
        labels.clean(words),
        name=hints.get("name") or labels.slug(words),
        default=None if kind == "secret" else plain(of(entry.default) if entry else None),
        choices=choices,
        flag=hints.get("flag"),
        yes=hints.get("yes") or (entry.yes if entry else None) or (yes_no.yes if yes_no else None),
        no=(entry.no if entry else None) or (yes_no.no if yes_no else None),
        reason=hints.get("reason"),
        repeat=bool(of(entry.repeat)) if entry else False,
    )


def of_option(option: Any, hook: OptionHook, context: Any, hints: dict[str, Any]) -> Question:
    """The question that a declared option asks, read from the option object itself."""
    flags = [flag for flag in getattr(option, hook.flags, ()) if flag.startswith("-")]
    flag = hints.get("flag") or max(flags, key=len, default=None)
    if hook.anywhere and not _follow_attributes(context, hook.anywhere):
        flag = None  # at the end of the command line, the flag would be another command's
    confirm = bool(getattr(option, hook.confirm, False))
    secret = bool(getattr(option, hook.secret, False))
    kept = next(filter(None, (_follow_attributes(option, path) for path in hook.choices)), None)
    choices = choices_of([getattr(one, hook.member, one) for one in kept] if isinstance(kept, (list, tuple)) else kept)
    default = getattr(option, hook.default, None)
    return Question(
        hints.get("kind") or ("confirm" if confirm else "secret" if secret else "choice" if choices else "text"),
        labels.clean(text_of(getattr(option, hook.label, ""))),
        name=hints.get("name") or getattr(option, "name", None),
        default=None if secret or callable(default) else plain(default),
        choices=choices,
        flag=flag,
        yes=hints.get("yes") or hook.yes,
        no=hook.no,
        reason=hints.get("reason"),
        repeat=bool(getattr(option, hook.repeat, False)),
    )


def _kind(entry: Prompt | None, words: str, choices: object, secret: bool, hints: dict[str, Any], several: bool) -> str:
    kind = entry.kind if entry else "text"
    if secret:
        return "secret"
    if kind == "choice" and entry is not None and several:
        return "choices"
    if kind not in ("text", "stdin"):
        return kind
    if hints.get("yes") or labels.yes_no(words):
        return "confirm"
    if choices:
        return "choice"
    if entry is not None and entry.strategy in ("value", "line") and labels.is_pause(words):
        return "pause"
    return kind


def text_of(value: Any) -> str:
    """A label as text: a string, a rich text, formatted text of (style, text) pairs, or a callable of these."""
    if value is None or value is False or value is True or value is ...:
        return ""
    if isinstance(value, str):
        return value
    if callable(value) and not isinstance(value, type):
        try:
            return text_of(value())
        except Exception:
            return ""
    if isinstance(getattr(value, "plain", None), str):
        return str(value.plain)
    if isinstance(value, (list, tuple)):
        return "".join(str(part[1]) if isinstance(part, tuple) and len(part) > 1 else str(part) for part in value)
    return str(value)


def choices_of(value: Any, shown: int | None = None) -> list[str] | None:
    """The choices as a person sees them: strings, mappings with a name, objects with a title, or tuples.

    shown: which part of a tuple is shown.
    """
    if value is None or isinstance(value, str) or not hasattr(value, "__iter__"):
        return None
    return [text for text in (_choice(one, shown) for one in value) if text is not None] or None


def index_of(choices: list[Any], text: str, shown: int | None = None) -> int | None:
    """Which choice a person would call by this text: by what is shown, or by what it stands for."""
    usable = [(at, one) for at, one in enumerate(choices) if _choice(one, shown) is not None]
    for names in ([_choice(one, shown) for _, one in usable], [str(_stands_for(one, shown)) for _, one in usable]):
        if text in names:
            return usable[names.index(text)][0]
    return None


def _stands_for(value: Any, shown: int | None) -> Any:
    if shown is not None and isinstance(value, tuple) and len(value) == 2:
        return value[1 - shown]
    return value.get("value") if isinstance(value, dict) else getattr(value, "value", value)


def _choice(value: Any, shown: int | None = None) -> str | None:
    if shown is not None and isinstance(value, tuple) and len(value) > shown:
        return text_of(value[shown])
    if isinstance(value, dict):
        if value.get("disabled"):
            return None
        return str(value.get("name", value.get("value", "")))
    if hasattr(value, "title") and hasattr(value, "disabled"):  # a choice object; a separator has no value to give
        if value.disabled or getattr(value, "value", None) is None:
            return None
        return text_of(value.title)
    if hasattr(value, "name") and hasattr(value, "value"):  # an enum's member, as click lists it
        return str(value.name)
    if isinstance(getattr(value, "label", None), str):
        return str(value.label)
    return str(value)


def plain(value: Any) -> object:
    """A default as JSON can say it; None when there is none to tell."""
    if value is None or value is ... or (callable(value) and not isinstance(value, type)):
        return None
    if isinstance(value, (str, int, float, bool)):
        return value
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):  # a choice, as some libraries write it
        return plain(value.get("name", value.get("value")))
    if hasattr(value, "title") and hasattr(value, "disabled"):
        return _choice(value)
    if hasattr(value, "name") and hasattr(value, "value"):  # an enum's member
        return plain(value.value) if isinstance(value.value, (str, int, float, bool)) else None
    return str(value)


def _follow(given: dict[str, Any], path: str | None) -> Any:
    if path is None:
        return None
    head, _, rest = path.partition(".")
    return _follow_attributes(given.get(head), rest) if rest else given.get(head)


def _follow_attributes(value: Any, path: str) -> Any:
    for name in path.split("."):
        value = getattr(value, name, None)
    return value
