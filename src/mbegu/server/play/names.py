"""Names of people: what may be one, and which two are the same."""

import re
import unicodedata

from mbegu.core.errors import MbeguError
from mbegu.core.i18n import _

__all__ = [
    "OFFICIAL",
    "AccountError",
    "at_a_glance",
    "check_script",
    "clean_name",
    "folded",
    "skeleton",
]

SHORTEST_NAME, LONGEST_NAME = 2, 24
RESERVED = {"admin", "administrator", "anonymous", "computer", "deleted", "guest", "mbegu", "me"}
_SIGNS = "-_."  # that a name may hold between letters
# Letters and marks that are not seen: joiners, fillers, variation selectors.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_STRETCHED = "\u0640"  # makes an Arabic word longer, and no other one
_TOGETHER = {"CJK", "HIRAGANA", "KATAKANA", "HANGUL"}  # scripts that one name may mix


# Letters, small capitals and figures that look like a Latin letter, by the letter.
_LOOKS = {
    "a": "аα@4ɑᴀ",
    "b": "вβʙ",
    "c": "сϲᴄ",
    "d": "ԁᴅ",
    "e": "еε3ёᴇ",
    "g": "ɡɢ",
    "h": "һнʜ",
    "i": "іιı1|!lјӏɪ",
    "j": "јᴊ",
    "k": "кκᴋ",
    "m": "мᴍ",
    "n": "ηпɴ",
    "o": "оο0өᴏ०੦૦௦൦๐໐၀",
    "p": "рρᴘ",
    "q": "ԛ",
    "r": "гʀ",
    "s": "ѕ5$ꜱ",
    "t": "тτᴛ",
    "u": "υцᴜ",
    "v": "νᴠ",
    "w": "ԝωᴡ",
    "x": "хχ",
    "y": "уγў",
    "z": "ζ2ᴢ",
}
_LIKE = str.maketrans({sign: letter for letter, signs in _LOOKS.items() for sign in signs})


class AccountError(MbeguError):
    """Something about an account that cannot be; `status` says what sort of answer it is."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


def clean_name(text: str) -> str:
    """A name in its normal form, if it can be one.

    >>> clean_name(" Ｊuma ")
    'Juma'
    """
    name = unicodedata.normalize("NFKC", text).strip()
    if not SHORTEST_NAME <= len(name) <= LONGEST_NAME:
        raise AccountError(
            _("a name has from {least} to {most} letters").format(
                least=SHORTEST_NAME, most=LONGEST_NAME
            )
        )
    plain = all(sign in _SIGNS or _is_letter(sign) for sign in name)
    if not plain or name[0] in _SIGNS or _UNSEEN.search(name):
        raise AccountError(
            _("a name has letters and digits, and between them - _ or . but no blanks")
        )
    check_script(name)
    if folded(name) in RESERVED:
        raise AccountError(_("this name is taken"), 409)
    return name


def check_script(name: str) -> None:
    """Refuses a word that mixes the letters of several scripts."""
    if len(_scripts(name)) > 1:
        raise AccountError(_("a name is written in one script: letters that look alike mislead"))


def folded(name: str) -> str:
    """The name without what two names may not differ in alone.

    >>> folded("Jean-Paul") == folded("JEAN_paul")
    True
    """
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return re.sub(f"[{re.escape(_SIGNS)}]", "", plain) or plain


def skeleton(name: str) -> str:
    """The name as it looks at a glance: two that look alike have the same.

    >>> {skeleton(name) for name in ("Amina", "A m í n a", "АMINA", "Arnina", "4m1na")}
    {'amina'}
    """
    return _plainly(name, "MZPC")


def at_a_glance(name: str) -> str:
    """The same with its accents, which members' names may differ in.

    >>> at_a_glance("Zoe") == at_a_glance("Zoé"), at_a_glance("Zoe") == at_a_glance("Z0e")
    (False, True)
    """
    return _plainly(name, "ZPC")


def _plainly(name: str, left_out: str) -> str:
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    seen = _UNSEEN.sub("", plain).replace(_STRETCHED, "")
    letters = "".join(sign for sign in seen if unicodedata.category(sign)[0] not in left_out)
    letters = "".join(
        sign for sign in letters.translate(_LIKE) if unicodedata.category(sign)[0] != "S"
    )
    return letters.replace("rn", "m").replace("vv", "w") or plain


def _is_letter(sign: str) -> bool:
    return unicodedata.category(sign) in ("Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd")


def _scripts(name: str) -> set[str]:
    found = {
        unicodedata.name(sign, "?").split()[0]
        for sign in name
        if unicodedata.category(sign)[0] == "L"
    }
    return found - _TOGETHER | ({"CJK"} if found & _TOGETHER else set())


OFFICIAL = frozenset(skeleton(name) for name in ("admin", "administrator", "moderator", "mbegu"))
"""How nobody is called who speaks for the server."""
