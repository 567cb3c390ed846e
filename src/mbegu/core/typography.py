"""Numbers, quotes and labels as the language of the moment writes them.

>>> from mbegu.core.i18n import speaking
>>> numeral(1234.5, ",.1f")
'1,234.5'
>>> with speaking("fr"):
...     print(numeral(-0.5, "+.1f"), ascii(labelled("Sud", quoted("moi"))))
-0,5 'Sud\\xa0: \\xab\\xa0moi\\xa0\\xbb'

French (and Kirundi, whose schools write numbers as French does) has a comma before decimals and narrow
spaces between thousands. What programs read — JSON, CSV, records, UGI — never comes through here.
"""

from mbegu.core.i18n import _, current_language

__all__ = ["Number", "labelled", "numeral", "quoted"]

COMMA_LANGUAGES = {"fr", "rn"}
_SIGNS = str.maketrans({",": "\u202f", ".": ",", "%": "\u00a0%"})


def numeral(value: float, spec: str = "") -> str:
    """A number as `format` writes it, with the signs of the language."""
    text = format(value, spec)
    return text.translate(_SIGNS) if current_language() in COMMA_LANGUAGES else text


class Number:
    """A number for a sentence with a blank like `{seconds:.1f}`."""

    __slots__ = ("value",)

    def __init__(self, value: float) -> None:
        self.value = value

    def __format__(self, spec: str) -> str:
        return numeral(self.value, spec)

    def __str__(self) -> str:
        return numeral(self.value)


def quoted(text: str) -> str:
    """A text between quotation marks."""
    return _("“{text}”").format(text=text)


def labelled(name: object, text: object) -> str:
    """Something and what is said of it."""
    return _("{name}: {text}").format(name=name, text=text)
