"""Enums of words."""

from enum import StrEnum

__all__ = ["Word"]


class Word(StrEnum):
    """A word of a small vocabulary; as a key it is the same as its text."""

    __hash__ = str.__hash__
