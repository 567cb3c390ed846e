"""The lesson of Toguz Kumalak."""

from mbegu.core.lesson import LessonStep

__all__ = ["STEPS"]

STEPS = (
    LessonStep(
        game="toguz",
        title="Sowing",
        text="The lower row is yours. Sow house 1: the first ball stays where it came from.",
        position="",
        accept=(1,),
        hint="Choose house 1, the first on the left.",
        after="One ball stayed in house 1, the others fell into 2 to 9.",
    ),
    LessonStep(
        game="toguz",
        title="Even numbers",
        text="A last ball that makes an even number in a house of your opponent captures them. Sow house 9.",
        position="0,2,0,0,0,0,0,0,2/3,5,1,0,0,0,0,0,4 70/75 -/- S",
        accept=(9,),
        hint="Two balls: the second one falls into the first house of North.",
        after="North's first house held three; now it is even, and the four balls are yours.",
    ),
    LessonStep(
        game="toguz",
        title="Tuzdyk",
        text="A last ball that makes three there makes the house your tuzdyk, once in a game. Sow house 8.",
        position="1,0,0,0,0,0,0,4,0/5,2,3,0,0,0,0,0,4 70/73 -/- S",
        accept=(8,),
        hint="Four balls: the last one falls into the second house of North.",
        after="North's second house is your tuzdyk: every ball that falls there is yours.",
    ),
)
