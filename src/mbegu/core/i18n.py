"""Every sentence that a person reads goes through `_`.

The language belongs to the task at hand (a context variable), because one server speaks to several
people at once. English is the source: without a catalogue every message is its own translation.

    >>> with speaking("en"):
    ...     print(_("South"))
    South
"""

import os
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path

__all__ = [
    "LANGUAGES",
    "N_",
    "_",
    "add_words",
    "current_language",
    "p_",
    "preferred_language",
    "set_language",
    "speaking",
]

# Each language by its own name.
LANGUAGES = {"en": "English", "fr": "Français", "rn": "Ikirundi", "sw": "Kiswahili"}

_LOCALE = Path(__file__).parent.parent / "locale"
_language: ContextVar[str | None] = ContextVar("mbegu_language", default=None)


def N_(message: str) -> str:  # noqa: N802 (the name that gettext tools look for)
    """Marks a message for translation where it is defined; `_` translates it where it is shown."""
    return message


def _(message: str) -> str:
    """The message in the language of the moment."""
    return _gettext(_language.get() or preferred_language())(message)


def p_(context: str, message: str) -> str:
    """The message in the language of the moment, where one English word has several meanings."""
    return _catalogue(current_language()).pgettext(context, message)


class speaking:  # noqa: N801 (used like a function; a generator would take three times as long)
    """Inside this block messages are in `language`; a language we lack falls back to English."""

    __slots__ = ("_language", "_token")

    def __init__(self, language: str) -> None:
        self._language = language if language in LANGUAGES else "en"

    def __enter__(self) -> None:
        self._token = _language.set(self._language)

    def __exit__(self, *_error: object) -> None:
        _language.reset(self._token)


def set_language(language: str) -> None:
    """From now on messages are in `language`, in this task."""
    _language.set(language if language in LANGUAGES else "en")


def current_language() -> str:
    """The language that `_` speaks now."""
    return _language.get() or preferred_language()


@cache
def preferred_language() -> str:
    """What the user's environment asks for: MBEGU_LANG, then the usual locale variables."""
    for name in ("MBEGU_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        for choice in os.environ.get(name, "").split(":"):
            code = choice.split("_")[0].split(".")[0].lower()
            if code in LANGUAGES:
                return code
            if code in ("c", "posix"):
                return "en"
    return "en"


class _Words(NullTranslations):
    """What a stranger's package says in one language."""

    def __init__(self, words: Mapping[str, str]) -> None:
        super().__init__()
        self._words = words

    def gettext(self, message: str) -> str:
        """The word of this package, or whoever comes after it."""
        return self._words.get(message) or super().gettext(message)


def add_words(language: str, words: Mapping[str, str]) -> None:
    """Teaches `_` what a game from another package says, in one of our languages.

    Where our own catalogue has a message, that is what `_` gives.
    """
    if language not in LANGUAGES:
        raise ValueError(f"{language!r} is not one of {', '.join(LANGUAGES)}")
    _catalogue(language).add_fallback(_Words(dict(words)))


@cache
def _gettext(language: str) -> Callable[[str], str]:
    return _catalogue(language).gettext


@cache
def _catalogue(language: str) -> NullTranslations:
    return translation("mbegu", _LOCALE, [language], fallback=True)
