"""Toguz Kumalak, a game for Mbegu."""

from mbegu_toguz import words as _words  # so that the sentences are known in every language

__all__: list[str] = []
del _words
