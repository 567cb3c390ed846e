"""The lesson of Oware."""

from mbegu.core.i18n import N_
from mbegu.core.lesson import LessonStep

__all__ = ["STEPS"]


STEPS = (
    LessonStep(
        "oware",
        N_("Sowing"),
        N_(
            "The lower row, A to F, is yours. Take all seeds of house C: they are sown one by one "
            "into the houses that follow, counter-clockwise."
        ),
        "",
        (2,),
        N_("Choose house C, the third from the left in the lower row."),
        N_(
            "The four seeds fell into D, E, F and a. Seeds go on to the other side; nobody owns them."
        ),
    ),
    LessonStep(
        "oware",
        N_("All the way round"),
        N_(
            "House A holds twelve seeds, enough to go all the way round. The house from which you "
            "sow stays empty, even then. Sow A."
        ),
        "12-2-1-0-3-1-1-4-2-1-0-3-9-9-S",
        (0,),
        N_("Choose house A and watch the seeds pass over it."),
        N_(
            "Every other house received a seed, A was passed over, and the twelfth seed fell into B."
        ),
    ),
    LessonStep(
        "oware",
        N_("Capturing two"),
        N_(
            "If your last seed makes two or three in a house of your opponent, you capture them. "
            "House c holds one seed. Find the house whose last seed reaches it."
        ),
        "1-0-2-0-1-3-4-0-1-5-2-3-12-14-S",
        (5,),
        N_("House F holds three seeds: a, b, c."),
        N_("Your last seed made two in c, and both are yours."),
    ),
    LessonStep(
        "oware",
        N_("A chain of captures"),
        N_(
            "When you capture, look at the house just before: if it holds two or three as well, you "
            "capture it too, and so on in an unbroken chain. Capture two houses at once."
        ),
        "0-3-0-6-1-2-0-0-2-1-0-3-14-16-S",
        (3,),
        N_("House D holds six seeds, and its last one falls into d."),
        N_("Two in d and three in c: five seeds. House b holds one, so the chain ended there."),
    ),
    LessonStep(
        "oware",
        N_("Only on the other side"),
        N_(
            "In your own row nothing is captured, whatever it holds. Sow B: its last seed makes two "
            "in D."
        ),
        "2-2-1-1-0-5-6-5-4-3-5-2-6-6-S",
        (1,),
        N_("Choose house B."),
        N_("D now holds two seeds and keeps them: it is yours already."),
    ),
    LessonStep(
        "oware",
        N_("Feeding"),
        N_(
            "Your opponent has no seeds left. You may not let him starve: you must play a move that "
            "gives him some, if you have one."
        ),
        "3-0-0-0-1-2-0-0-0-0-0-0-20-22-S",
        (5,),
        N_("Only one house has enough seeds to reach the upper row: F."),
        N_("North has two seeds and the game goes on. A and E would not have reached him."),
    ),
    LessonStep(
        "oware",
        N_("The grand slam"),
        N_(
            "A move that would capture everything your opponent has may be played, but it captures "
            "nothing. Try it: sow F, which makes two in b and two in a."
        ),
        "4-1-2-3-0-2-1-1-0-0-0-0-17-17-S",
        (5,),
        N_("Choose house F."),
        N_("Both houses would have been yours, but that was all North had: the seeds stay there."),
    ),
    LessonStep(
        "oware",
        N_("Winning"),
        N_("There are 48 seeds, so 25 win. You have 23. Capture two more, and the game is yours."),
        "0-2-0-1-0-3-4-0-1-1-2-1-23-10-S",
        (5,),
        N_("The last seed of F falls into c."),
        N_(
            "25 seeds: the game is over. The seeds that are left count for the side on which they lie."
        ),
    ),
)
