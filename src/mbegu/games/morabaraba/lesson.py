"""The lesson of Morabaraba."""

from mbegu.core.i18n import N_
from mbegu.core.lesson import LessonStep
from mbegu.games.morabaraba.board import POINTS

__all__ = ["STEPS"]


STEPS = (
    LessonStep(
        "morabaraba",
        N_("Placing"),
        N_(
            "Each player has twelve cows in hand. While you have some, you place one on any empty "
            "point. You are Dark and begin."
        ),
        "",
        tuple(f"ADD {point}" for point in sorted(POINTS)),
        N_("Choose any point."),
        N_("Now Light places a cow, and so on until all are on the board."),
    ),
    LessonStep(
        "morabaraba",
        N_("A mill"),
        N_("Three of your cows on a line are a mill. Complete the one at the bottom of the board."),
        "10/10 a1,d1 b4,f6 x 0/0 - - 4 0",
        ("ADD g1",),
        N_("You have a1 and d1; place a cow on g1."),
        N_("A mill. It gives you a shot, which is still your turn."),
    ),
    LessonStep(
        "morabaraba",
        N_("The shot"),
        N_(
            "Shoot one cow of your opponent: it leaves the board for good. Cows in a mill are safe as "
            "long as he has others."
        ),
        "6/5 a1,d1,g1,d3,f4,c5 b2,d2,f2,b4,e4,d5,g7 x! 0/0 - - 9 0",
        ("STEAL b4", "STEAL d5", "STEAL e4", "STEAL g7"),
        N_("b2, d2 and f2 are a mill and safe. Choose any other light cow."),
        N_("One cow less. However many mills you complete at once, you shoot once."),
    ),
    LessonStep(
        "morabaraba",
        N_("All in mills"),
        N_("When all his cows stand in mills, none of them is safe. A shot is due: choose a cow."),
        "0/0 a1,d1,g1,f6,a7 b2,d2,f2,e3,e4,e5 x! 6/7 - - 3 0",
        ("STEAL b2", "STEAL d2", "STEAL e3", "STEAL e4", "STEAL e5", "STEAL f2"),
        N_("Both of Light's mills are complete, so any light cow may be shot."),
        N_("That mill is broken, and the cows that are left of it are safe no more."),
    ),
    LessonStep(
        "morabaraba",
        N_("Moving"),
        N_(
            "When your hand is empty you move: one cow along a line to an empty neighbouring point. "
            "Move so that you complete a mill."
        ),
        "0/0 a1,d1,d3,f4,g4,c5 b2,f2,e4,b6,g7 x 7/6 - - 3 0",
        ("MOVE g4 g1",),
        N_("Move the cow on g4 down to g1."),
        N_("a1, d1 and g1: a mill, and a shot is due."),
    ),
    LessonStep(
        "morabaraba",
        N_("Opening a mill"),
        N_(
            "You may open a mill to close it again later and shoot once more. Move the cow on g1 up "
            "the line."
        ),
        "0/0 a1,d1,g1,d3,c5,f6 b2,f2,e4,b6,d7 x 7/6 - - 3 0",
        ("MOVE g1 g4",),
        N_("Move from g1 to g4."),
        N_("The mill is open. It is marked now, because your next move may not close it."),
    ),
    LessonStep(
        "morabaraba",
        N_("Not at once"),
        N_(
            "The mill that you have just opened may not be closed by your next move. Move the cow on "
            "f6 instead."
        ),
        "0/0 a1,d1,d3,g4,c5,f6 b2,f2,e4,b6,g7 x 7/6 a1-d1-g1 - 5 0",
        ("MOVE f6 d6", "MOVE f6 e5", "MOVE f6 f4"),
        N_("The cow on g4 may not go back to g1 yet. Move the cow on f6 along one of its lines."),
        N_("One move has passed: next time you may close the mill again."),
    ),
    LessonStep(
        "morabaraba",
        N_("Flying"),
        N_(
            "With three cows left, yours may fly: to any empty point, however far. Fly to complete a "
            "mill."
        ),
        "0/0 a1,d1,g7 b2,f2,e4,c5,b6,d7 x 6/9 - - 3 1",
        ("FLY g7 g1",),
        N_("Fly from g7 to g1."),
        N_("A mill from the far corner. Only the player with three cows may fly."),
    ),
    LessonStep(
        "morabaraba",
        N_("The end"),
        N_(
            "A player who is down to two cows can make no mill: the game is over. Shoot the cow that "
            "decides it. The game also ends when a player cannot move, and after many moves without a "
            "shot; then whoever has shot more cows wins."
        ),
        "0/0 d1,a4,b4,c4,f6 b2,e5,g7 x! 9/7 - - 3 0",
        ("STEAL b2", "STEAL e5", "STEAL g7"),
        N_("Choose any light cow."),
        N_("Ten cows shot, two left: you win."),
    ),
)
