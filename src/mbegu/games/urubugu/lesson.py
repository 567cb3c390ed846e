"""The lesson of Urubugu."""

from mbegu.core.i18n import N_
from mbegu.core.lesson import LessonStep

__all__ = ["STEPS"]


def _rows(south: dict[int, int], north: dict[int, int]) -> str:
    """A position of Urubugu, South to move, from the cells that are not empty."""
    halves = [",".join(str(half.get(cell, 0)) for cell in range(1, 17)) for half in (south, north)]
    return f"{'/'.join(halves)} 0"


_USUAL = ",".join(["2"] * 16)

STEPS = (
    LessonStep(
        "urubugu",
        N_("Your two rows"),
        N_(
            "The two lower rows are your base. Cells 1 to 8 are the back row, the cemetery, from left "
            "to right; 9 to 16 are the front row, the active zone, from right to left. Beads stay in "
            "your own rows, round and round. Sow cell 1."
        ),
        _rows({1: 3, 6: 4, 11: 5, 14: 2}, {3: 6, 9: 5, 12: 4}),
        (1,),
        N_("Choose cell 1, at the left end of the lowest row."),
        N_(
            "Three beads for cells 2, 3 and 4. The last one fell into an empty cell, so the turn ended."
        ),
    ),
    LessonStep(
        "urubugu",
        N_("Relay"),
        N_(
            "If the last bead falls into a cell that was not empty, you take up all its beads and sow "
            "on from there. Sow cell 3: its last bead falls into cell 5."
        ),
        _rows({3: 2, 5: 1, 12: 4}, {4: 5, 10: 3, 15: 2}),
        (3,),
        N_("Choose cell 3."),
        N_(
            "Cell 5 held one bead and then two: both were sown on, to 6 and 7. Cell 7 was empty, and the turn ended."
        ),
    ),
    LessonStep(
        "urubugu",
        N_("Capturing"),
        N_(
            "If the last bead falls into your front row and your opponent has beads in that column, you "
            "take all beads of both his cells there. You sow them at once, beginning again after the "
            "cell you started from. Sow cell 5: its last bead falls into 9."
        ),
        _rows({5: 4, 12: 6}, {1: 2, 4: 5, 11: 4, 13: 2, 16: 3}),
        (5,),
        N_("Choose cell 5."),
        N_(
            "Three beads and two: five were captured and sown from cell 6 on. The last one fell into the empty cell 10."
        ),
    ),
    LessonStep(
        "urubugu",
        N_("A capture comes before a relay"),
        N_(
            "Cell 10 holds beads, and in its column your opponent has some too. What happens when the "
            "last bead falls there? Sow cell 5."
        ),
        _rows({5: 5, 10: 2, 14: 3}, {2: 3, 5: 2, 7: 6, 15: 4}),
        (5,),
        N_("Choose cell 5: its five beads end in cell 10."),
        N_("Seven beads were captured and sown. The beads of cell 10 stayed: there was no relay."),
    ),
    LessonStep(
        "urubugu",
        N_("One thing leads to another"),
        N_(
            "Captures and relays may follow each other in one turn, lap after lap. Sow cell 14 and "
            "follow the beads."
        ),
        _rows({2: 3, 8: 1, 14: 2}, {6: 3, 9: 4}),
        (14,),
        N_("Choose cell 14: its two beads end in cell 16."),
        N_("A capture first, then a relay from cell 2: three laps in one turn."),
    ),
    LessonStep(
        "urubugu",
        N_("Laying the beads"),
        N_(
            "Before the game each player lays 32 beads on his sixteen cells as he likes; neither sees "
            "the other's until both are ready. Two in each cell is usual. Begin with any cell."
        ),
        "",
        tuple(range(1, 17)),
        N_("Every cell holds beads: choose any."),
        N_("How you lay your beads is half of the game."),
    ),
    LessonStep(
        "urubugu",
        N_("Winning"),
        N_(
            "You win when your opponent has no beads left. He has four, all in one cell. Reach its "
            "column with your last bead."
        ),
        _rows({3: 4, 7: 3, 12: 2}, {2: 4}),
        (7,),
        N_("Cell 10 faces his cell 2. Three beads from cell 7 end there."),
        N_("His last beads were captured and sown in one final lap: every bead is in your base."),
    ),
    LessonStep(
        "urubugu",
        N_("IMPAGA"),
        N_(
            "To win in one single turn, before the opponent has moved, is called IMPAGA. These beads "
            "are laid against the usual setting for just that. Sow cell 8, and see how far one turn "
            "can go."
        ),
        f"2,2,2,2,1,1,2,1,2,2,2,6,2,2,3,0/{_USUAL} 0",
        (8,),
        N_("Choose cell 8, at the right end of the lowest row."),
        N_("All 64 beads are yours after a single turn: IMPAGA."),
    ),
)
