"""Which language to speak to a visitor: `?lang=`, then the cookie `lang`, then what the browser says.

>>> accepted("rn;q=0.5, fr-BI, en;q=0.8")
'fr'
"""

from starlette.requests import HTTPConnection

from mbegu.core.i18n import LANGUAGES, preferred_language

__all__ = ["accepted", "language_of"]


def language_of(connection: HTTPConnection) -> str:
    """The language for a request or a socket."""
    for choice in (connection.query_params.get("lang"), connection.cookies.get("lang")):
        if choice in LANGUAGES:
            return choice
    return accepted(connection.headers.get("accept-language", "")) or preferred_language()


def accepted(header: str) -> str | None:
    """The language of ours that an Accept-Language header likes best; None when it names none."""
    best, liking = None, 0.0
    for part in header[:500].split(","):
        tag, _semicolon, quality = part.strip().partition(";")
        code = tag.split("-")[0].strip().lower()
        try:
            weight = float(quality.partition("=")[2]) if quality else 1.0
        except ValueError:
            continue
        if code in LANGUAGES and weight > liking:
            best, liking = code, weight
    return best
