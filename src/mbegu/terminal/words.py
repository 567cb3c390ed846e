"""The words that a player may type, in English and in the player's own language.

>>> from mbegu.core.i18n import speaking
>>> with speaking("fr"):
...     print(command_of("annuler"), command_of("UNDO"), command_of("sauver!"), spoken("undo"))
undo undo save! annuler
"""

import unicodedata

from mbegu.core.i18n import p_

__all__ = ["command_of", "plain", "spoken"]

ALSO = {"help": "?", "quit": "q", "exit": "q", "open": "load", "evaluation": "eval"}


def spoken(name: str) -> str:
    """What a command is called in the language of the moment."""
    words = {
        "moves": p_("command", "moves"),
        "board": p_("command", "board"),
        "rules": p_("command", "rules"),
        "hint": p_("command", "hint"),
        "undo": p_("command", "undo"),
        "save": p_("command", "save"),
        "load": p_("command", "load"),
        "resign": p_("command", "resign"),
        "new": p_("command", "new"),
        "theme": p_("command", "theme"),
        "speed": p_("command", "speed"),
        "eval": p_("command", "eval"),
        "slow": p_("command", "slow"),
        "help": p_("command", "help"),
        "quit": p_("command", "quit"),
    }
    bang = "!" if name.endswith("!") else ""
    return words.get(name.removesuffix("!"), name.removesuffix("!")) + bang


def command_of(word: str) -> str:
    """The command that a word names, in English or in the language of the moment; "" if none."""
    word = plain(word)
    if word in ("?", "q"):
        return word
    for name in COMMAND_NAMES:
        if word in (name, plain(spoken(name))):
            return ALSO.get(name, name)
    return ALSO.get(word, "")


def plain(word: str) -> str:
    """Without capitals and accents: nobody should have to look for them on a keyboard."""
    apart = unicodedata.normalize("NFKD", word.casefold())
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


COMMAND_NAMES = (
    *("moves", "board", "rules", "hint", "undo", "save", "save!", "load", "resign", "new"),
    *("theme", "speed", "eval", "slow", "help", "quit"),
)
