"""Enums for people: each member is a word for programs and a sentence for readers."""

from enum import Enum
from typing import Self

from mbegu.core.i18n import _

__all__ = ["Worded"]


class Worded(Enum):
    """A member is written `NAME = "word", N_("Sentence.")`; its value is the word."""

    sentence: str

    def __new__(cls, word: str, sentence: str) -> Self:
        """Lets a member be its word and carry its sentence."""
        member = object.__new__(cls)
        member._value_ = word
        member.sentence = sentence
        return member

    def __str__(self) -> str:
        """The sentence, in the language of the moment."""
        return _(self.sentence)

    @classmethod
    def of(cls, word: str) -> Self:
        """The member of a word; KeyError if there is none."""
        return {member.value: member for member in cls}[word]
