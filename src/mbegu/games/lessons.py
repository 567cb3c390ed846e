"""A lesson for each game: short steps in which the learner makes the move.

Each step shows a position and asks for a move; `accept` holds the moves that answer it, and `after`
says what has happened. A step without moves is only read. A test plays every step by the rules.

>>> lesson("oware")[0].accept
(2,)
"""

from dataclasses import dataclass

from mbegu.core.game import Move, Position
from mbegu.core.i18n import N_
from mbegu.core.registry import game as find_game
from mbegu.games.morabaraba import POINTS

__all__ = ["LessonStep", "lesson"]


@dataclass(frozen=True)
class LessonStep:
    """One thing to learn. Texts are in English; whoever shows them translates them."""

    game: str
    title: str
    text: str
    position: str  # "" is the start of the game
    accept: tuple[Move, ...]
    hint: str
    after: str

    def start(self) -> Position:
        """The position that the learner sees first."""
        game = find_game(self.game)
        return game.position(self.position) if self.position else game.start()


def lesson(name: str) -> tuple[LessonStep, ...]:
    """The steps for a game, by its name; empty for a game without a lesson."""
    return _LESSONS.get(name, ())


_OWARE = (
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

_KALAH = (
    LessonStep(
        "kalah",
        N_("Sowing"),
        N_(
            "Sowing goes round the board towards your store. Take all stones of pit f, the one "
            "farthest from your store, and sow them one by one."
        ),
        "",
        (0,),
        N_("Choose your pit f."),
        N_("Four stones, four pits. Then it is your opponent's turn."),
    ),
    LessonStep(
        "kalah",
        N_("Your store, not his"),
        N_(
            "When you pass your own store you drop a stone there too. Your opponent's store is "
            "passed over. Sow the ten stones of pit a and watch both stores."
        ),
        "<6,3,2,2,1,1,4,0,10,3,2,5,6,5,5> S",
        (5,),
        N_("Choose pit a, next to your store."),
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
        N_("Count back from the store: pit d is four steps away."),
        N_("The last stone fell into the store, and it is still your turn."),
    ),
    LessonStep(
        "kalah",
        N_("One after the other"),
        N_(
            "You may move again as often as that happens. The one stone of pit a ends in the store, "
            "and so do the four of pit d. Begin with the pit that does not spoil the other."
        ),
        "<6,5,6,3,0,4,6,0,1,4,2,5,6,3,3> S",
        (5,),
        N_("Sow the pit next to the store first: pit a."),
        N_("You move again, and pit d still reaches the store with its four stones."),
    ),
    LessonStep(
        "kalah",
        N_("Capturing"),
        N_(
            "If your last stone falls into an empty pit of your own and the pit across holds stones, "
            "you take them together with your stone. Pit e is empty, and five stones lie across."
        ),
        "<6,8,7,1,0,3,2,0,4,4,3,6,2,5,3> S",
        (0,),
        N_("Pit f holds one stone, and it falls into e."),
        N_("Five stones from across and your own one: six for your store."),
    ),
    LessonStep(
        "kalah",
        N_("Nothing across"),
        N_("The same move once more. This time the pit across is empty."),
        "<6,10,11,1,0,3,2,0,4,4,3,5,2,0,3> S",
        (0,),
        N_("Sow pit f again."),
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
        N_("Sow the thirteen stones of pit f."),
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


def _ring(holes: dict[int, str], scores: str, turn: str) -> str:
    """A position of two-colour Awale from its holes that are not empty."""
    return "-".join([*(holes.get(hole, "0R0B") for hole in range(1, 17)), scores, turn])


_AWALE2 = (
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


def _rows(south: dict[int, int], north: dict[int, int]) -> str:
    """A position of Urubugu, South to move, from the cells that are not empty."""
    halves = [",".join(str(half.get(cell, 0)) for cell in range(1, 17)) for half in (south, north)]
    return f"{'/'.join(halves)} 0"


_USUAL = ",".join(["2"] * 16)

_URUBUGU = (
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

_MORABARABA = (
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

_LESSONS = {
    "oware": _OWARE,
    "kalah": _KALAH,
    "awale2": _AWALE2,
    "urubugu": _URUBUGU,
    "morabaraba": _MORABARABA,
}
