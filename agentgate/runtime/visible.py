"""Text that a person is asked to agree to, with everything visible that could make it look like other text.

Sources: Unicode 15 UAX #9 (bidirectional controls), UTS #39 (mixed scripts and confusables), CVE-2021-42574.
"""

from __future__ import annotations

import unicodedata

__all__ = ["oddities", "visible"]

# what does not show, or changes how its neighbours show: controls, formats (bidi), unpaired surrogates, private
# use, unassigned, line and paragraph separators
_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
# fillers that are letters or symbols by their category and blank on the screen
_BLANK = "\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5"
_MARKS_ON_ONE = 4  # combining marks above which they hide what they stand on
_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU")


def visible(text: str) -> str:
    """The text in one line; each character that hides or deceives is written as its number, `<U+202E>`.

    Letters that are not Latin are shown as they are, but where they stand in one word with Latin ones, or imitate
    them altogether (`раураl`), their number is put beside them.
    """
    return "".join(_word(word) for word in _words(text))


def oddities(text: str) -> list[str]:
    """What a reader should know about a text that was made visible, in short sentences."""
    found = []
    if any(_is_hidden(character) and character not in "\n\t" for character in text):
        found.append("contains characters that do not show")
    if any(_imitates(word) for word in _words(text)):
        found.append("contains letters that look like others")
    return found


def _words(text: str) -> list[str]:
    words, current = [], ""
    for character in text:
        if character.isalpha() or unicodedata.category(character) in ("Mn", "Me", "Cf"):
            current += character
            continue
        if current:
            words.append(current)
            current = ""
        words.append(character)
    return [*words, current] if current else words


def _word(word: str) -> str:
    imitates = _imitates(word)
    marks, shown = 0, []
    for character in word:
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if _is_hidden(character) or marks > _MARKS_ON_ONE:
            shown.append(_number(character))
        elif imitates and not character.isascii():
            shown.append(character + _number(character))
        else:
            shown.append(character)
    return "".join(shown)


def _is_hidden(character: str) -> bool:
    category = unicodedata.category(character)
    return category in _HIDDEN or character in _BLANK or (category == "Zs" and character != " ")


def _imitates(word: str) -> bool:
    """Whether a word mixes scripts that look alike, or is made of letters that normalise to plain ones."""
    if word.isascii() or not word[0].isalpha():
        return False
    scripts = {script for character in word if character.isalpha() and (script := _script(character))}
    if len(scripts) > 1:
        return True
    if any(unicodedata.normalize("NFKC", character).isascii() for character in word if not character.isascii()):
        return True
    return bool(scripts - {"LATIN"}) and all(character in _LOOKS_LATIN for character in word if character.isalpha())


def _script(character: str) -> str | None:
    name = unicodedata.name(character, "")
    return next((script for script in _SCRIPTS if name.startswith(script)), None)


def _number(character: str) -> str:
    return f"<U+{ord(character):04X}>"


# letters that a Latin one can be mistaken for, from the confusables of UTS #39
_LOOKS_LATIN = frozenset(
    "абсԁеѕіјорԛгԝхуһӏһкмнтвАВСЕНІЈКМОРЅТХУԌԚԜ"  # Cyrillic
    "αβγεικνορτυχϲΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"  # Greek
    "օսոհցԱՕՍ"  # Armenian
)
