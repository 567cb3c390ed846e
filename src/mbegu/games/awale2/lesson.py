"""The lesson of two-colour Awale."""

from mbegu.core.i18n import N_
from mbegu.core.lesson import LessonStep

__all__ = ["STEPS"]


def _ring(holes: dict[int, str], scores: str, turn: str) -> str:
    """A position of two-colour Awale from its holes that are not empty."""
    return "-".join([*(holes.get(hole, "0R0B") for hole in range(1, 17)), scores, turn])


STEPS = (
    LessonStep(
        "awale2",
        N_("Red seeds go everywhere"),
        N_(
            "The holes with odd numbers are yours. A move takes one colour only. Sow the red seeds of "
            "hole 3: they fall into every hole that follows."
        ),
        "",
        ("3R",),
        N_("Choose hole 3 and then red."),
        N_(
            "One red seed fell into 4, your opponent's hole, and one into 5, your own. The blue ones stayed."
        ),
    ),
    LessonStep(
        "awale2",
        N_("Blue seeds visit your opponent"),
        N_(
            "Blue seeds fall into your opponent's holes only and pass over yours. Sow the blue seeds "
            "of hole 3."
        ),
        "",
        ("3B",),
        N_("Choose hole 3 and then blue."),
        N_("They fell into 4 and 6; hole 5 is yours and was passed over."),
    ),
    LessonStep(
        "awale2",
        N_("Capturing"),
        N_(
            "If the last hole you sowed now holds two or three seeds, you capture them, even if the "
            "hole is your own. Make two in hole 3."
        ),
        _ring(
            {
                1: "2R0B",
                2: "1R3B",
                3: "1R0B",
                4: "3R2B",
                8: "2R2B",
                9: "1R1B",
                12: "4R1B",
                15: "2R3B",
            },
            "16-20",
            "O",
        ),
        ("1R",),
        N_("The two red seeds of hole 1 fall into 2 and 3."),
        N_("Two seeds in hole 3: captured, though the hole is yours."),
    ),
    LessonStep(
        "awale2",
        N_("Colours count together"),
        N_(
            "For a capture it does not matter which colours lie in a hole. Hole 8 holds one red and "
            "one blue seed: make it three."
        ),
        _ring(
            {
                2: "2R2B",
                5: "0R2B",
                6: "1R0B",
                7: "2R2B",
                8: "1R1B",
                9: "4R0B",
                12: "3R1B",
                15: "1R4B",
            },
            "18-19",
            "O",
        ),
        ("5B",),
        N_("The blue seeds of hole 5 fall into 6 and 8."),
        N_("One red and two blue seeds make three, and you captured them."),
    ),
    LessonStep(
        "awale2",
        N_("A chain backwards"),
        N_(
            "After a capture look at the hole just before it on the ring, sown or not: if it holds two "
            "or three seeds you capture it as well, and so on. You play Even now. Find the move that "
            "takes ten seeds."
        ),
        _ring(
            {
                1: "2R0B",
                5: "1R4B",
                8: "3R3B",
                13: "2R2B",
                14: "2R2B",
                15: "0R2B",
                16: "2R0B",
            },
            "20-19",
            "E",
        ),
        ("14B",),
        N_("Sow the blue seeds of hole 14: they end in hole 1."),
        N_(
            "Holes 1, 16, 15 and 14, even the one you sowed from: ten seeds. Hole 13 holds four and stopped you."
        ),
    ),
    LessonStep(
        "awale2",
        N_("All the way round"),
        N_(
            "The hole you sow from never receives. Sow the sixteen red seeds of hole 1 and watch them "
            "pass over it."
        ),
        _ring(
            {
                1: "16R1B",
                4: "1R3B",
                6: "0R4B",
                8: "2R2B",
                10: "1R3B",
                13: "2R4B",
                16: "1R4B",
            },
            "10-10",
            "O",
        ),
        ("1R",),
        N_("Choose hole 1 and then red."),
        N_(
            "Fifteen holes received a seed, hole 1 was passed over, and hole 2 received a second one."
        ),
    ),
    LessonStep(
        "awale2",
        N_("Starving is allowed"),
        N_(
            "Your opponent has one seed, in hole 4. If a move leaves him without any, you take all "
            "the seeds on the board and the game ends."
        ),
        _ring({3: "1R0B", 4: "1R0B", 9: "2R3B", 13: "4R1B"}, "28-22", "O"),
        ("3R",),
        N_("The red seed of hole 3 makes two in hole 4."),
        N_("Even has no seed left: the ten seeds on the board are yours too."),
    ),
    LessonStep(
        "awale2",
        N_("Winning"),
        N_(
            "There are 64 seeds, so 33 win. You have 31. Capture at least two more. The game would "
            "also end with fewer than eight seeds on the board."
        ),
        _ring({1: "1R0B", 2: "1R1B", 6: "2R3B", 7: "4R1B", 12: "0R4B", 15: "1R3B"}, "31-11", "O"),
        ("1R",),
        N_("Hole 2 holds two seeds: one more makes three."),
        N_("34 seeds: you win."),
    ),
)
