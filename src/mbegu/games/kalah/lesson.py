"""The lesson of Kalah."""

from mbegu.core.i18n import N_
from mbegu.core.lesson import LessonStep

__all__ = ["STEPS"]


STEPS = (
    LessonStep(
        "kalah",
        N_("Sowing"),
        N_(
            "Sowing goes round the board towards your store. Take all stones of pit A, the one "
            "farthest from your store, and sow them one by one."
        ),
        "",
        (0,),
        N_("Choose your pit A."),
        N_("Four stones, four pits. Then it is your opponent's turn."),
    ),
    LessonStep(
        "kalah",
        N_("Your store, not his"),
        N_(
            "When you pass your own store you drop a stone there too. Your opponent's store is "
            "passed over. Sow the ten stones of pit F and watch both stores."
        ),
        "<6,3,2,2,1,1,4,0,10,3,2,5,6,5,5> S",
        (5,),
        N_("Choose pit F, next to your store."),
        N_(
            "One stone for your store, six for your opponent's pits, and the rest in your own row again."
        ),
    ),
    LessonStep(
        "kalah",
        N_("Moving again"),
        N_(
            "If your last stone falls into your own store, you move again. From which pit do exactly "
            "four stones end there?"
        ),
        "",
        (2,),
        N_("Count back from the store: pit C is four steps away."),
        N_("The last stone fell into the store, and it is still your turn."),
    ),
    LessonStep(
        "kalah",
        N_("One after the other"),
        N_(
            "You may move again as often as that happens. The one stone of pit F ends in the store, "
            "and so do the four of pit C. Begin with the pit that does not spoil the other."
        ),
        "<6,5,6,3,0,4,6,0,1,4,2,5,6,3,3> S",
        (5,),
        N_("Sow the pit next to the store first: pit F."),
        N_("You move again, and pit C still reaches the store with its four stones."),
    ),
    LessonStep(
        "kalah",
        N_("Capturing"),
        N_(
            "If your last stone falls into an empty pit of your own and the pit across holds stones, "
            "you take them together with your stone. Pit B is empty, and five stones lie across."
        ),
        "<6,8,7,1,0,3,2,0,4,4,3,6,2,5,3> S",
        (0,),
        N_("Pit A holds one stone, and it falls into B."),
        N_("Five stones from across and your own one: six for your store."),
    ),
    LessonStep(
        "kalah",
        N_("Nothing across"),
        N_("The same move once more. This time the pit across is empty."),
        "<6,10,11,1,0,3,2,0,4,4,3,5,2,0,3> S",
        (0,),
        N_("Sow pit A again."),
        N_("Nothing across, nothing captured: your stone stays where it fell."),
    ),
    LessonStep(
        "kalah",
        N_("All the way round"),
        N_(
            "Thirteen stones go exactly round the board, and the pit they came from receives the last "
            "one. It was empty by then."
        ),
        "<6,6,7,13,1,2,0,3,0,1,2,4,3,2,4> S",
        (0,),
        N_("Sow the thirteen stones of pit A."),
        N_("The last stone fell into its own empty pit, and captured what lay across."),
    ),
    LessonStep(
        "kalah",
        N_("The end"),
        N_(
            "The game ends as soon as one row is empty, even if a player was to move again. What lies "
            "in the other row goes to its owner. You have 25 stones: play your last one."
        ),
        "<6,25,18,0,0,0,0,0,1,0,2,0,1,0,1> S",
        (5,),
        N_("There is only one stone left to sow."),
        N_("Your row is empty. North keeps four stones, and you win by 26 to 22."),
    ),
)
