"""Morabaraba, as the MAIC 2022 contest plays it.

Twenty-four points on three nested squares with their midpoints and diagonals joined: 40 edges and
20 mills (three points on a line). Twelve cows each; dark begins.

- ADD a cow to an empty point while you have one in hand; then MOVE a cow along a line; with three
  cows or fewer on the board, and none in hand, FLY to any empty point.
- A cow that completes a mill (or several) gives one shot, an action of its own: STEAL a cow of the
  opponent. Cows in a mill are safe unless all of his are in mills.
- Mills that your MOVE or FLY breaks may not be completed again by your next MOVE or FLY.
- The end: a score of 10 (the opponent is down to two cows); no legal action; ten moves without a
  shot while a player has three cows and both hands are empty; fifty actions without a shot. Never
  while a shot is due. In every case the higher score (cows shot) wins, equal is a draw.

`rules="classic"` is the game as generally played: a blocked player loses, ten quiet moves with three
cows are a draw, there is no fifty-move rule, and only the cow whose move broke a mill to form a new
one may not go straight back.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mbegu.core.board import Board, Lying
from mbegu.core.errors import InvalidPosition, shorten
from mbegu.core.events import End, Fly, Mill, MillBroken, Place, Shoot, Slide
from mbegu.core.game import Game, Move, Position, Story, over_message
from mbegu.core.i18n import N_, _
from mbegu.core.options import option
from mbegu.core.outcome import Outcome, Reason, by_score
from mbegu.core.symmetry import Symmetry
from mbegu.games.morabaraba.board import BOARD, INDEX, LYING, MILLS, NEIGHBOURS, POINTS, SYMMETRIES
from mbegu.games.morabaraba.notation import (
    COWS,
    MARKS,
    NAMES,
    action,
    drawn_board,
    fields_of_json,
    fields_of_text,
    read_action,
)
from mbegu.games.morabaraba.sentences import DUE, TO_DO

__all__ = ["Morabaraba", "MorabarabaPosition"]


@dataclass(frozen=True)
class Morabaraba(Game):
    """Morabaraba on the board with diagonals."""

    # ---- the card

    name = "morabaraba"
    id = "morabaraba@1"
    aliases = ("umlabalaba", "mlabalaba")
    title = N_("Morabaraba")
    summary = N_("Place, move and fly twelve cows; three in a row shoot one of the other herd.")
    people = N_(
        "Morabaraba is played in South Africa, Botswana and Lesotho; in isiZulu it is umlabalaba. "
        "Its pieces are cows, and herd boys have played it on boards scratched into stone."
    )
    sides = (N_("Dark"), N_("Light"))
    rulebook = N_("""\
The board has 24 points on three nested squares. Each player has twelve cows. Dark begins.

Placing. While you have cows in hand, place one on any empty point.

Moving. Then move a cow along a line to an empty neighbouring point.

Flying. With three cows left on the board and none in hand, your cows may fly to any empty point.

Mills. Three of your cows on a line are a mill. When you complete one, or several at once, you shoot
one cow of your opponent. Cows in a mill may be shot only when all of your opponent's cows are in
mills.

Broken mills. You may open a mill, but your next move may not close it again.

The end. The game ends when a player is down to two cows, when the player to act has no legal
action, after ten moves without a shot while a player has three cows, or after fifty actions
without a shot. Whoever has shot more cows wins; equal is a draw.""")

    rules: str = option(
        "contest",
        N_("Whose rules"),
        label=N_("Whose rules"),
        words={
            "contest": (
                N_("the contest's"),
                N_("As in the MAIC contest of 2022: whoever has shot more cows wins."),
            ),
            "classic": (
                N_("as generally played"),
                N_("A blocked player loses; ten quiet moves with three cows are a draw."),
            ),
        },
    )

    @property
    def board(self) -> Board:
        """The 24 points, and the cows beside the board."""
        return BOARD

    def symmetries(self) -> tuple[Symmetry, ...]:
        """The squares turned, mirrored and inside out; and the herds exchanged."""
        return SYMMETRIES

    # ---- start

    def start(self) -> "MorabarabaPosition":
        """An empty board and twelve cows in each hand; dark begins."""
        return MorabarabaPosition(self, "." * 24, 0)

    def from_json(self, obj: Any) -> "MorabarabaPosition":
        """The `state` object: board, turn -1 | 1, phase, in_hand, score, ban, quiet, three, over."""
        fields = fields_of_json(obj, self.rules == "classic")
        position = self._settled(MorabarabaPosition(self, **fields))
        for key, value in position.to_json().items():
            if key in ("phase", "over") and obj.get(key) != value:
                raise InvalidPosition(
                    _("{key} must be {right} in this position, not {value}").format(
                        key=key, right=value, value=shorten(obj.get(key))
                    )
                )
        return position

    def _settled(self, position: "MorabarabaPosition") -> "MorabarabaPosition":
        """A position set up by hand, checked; its end is found out if it is over."""
        board = position.board
        for player, mark in enumerate(MARKS):
            cows = board.count(mark) + position.hands[player] + position.score[1 - player]
            if cows != COWS:
                raise InvalidPosition(
                    _(
                        "{side} must have twelve cows on the board, in hand and shot together, "
                        "not {count}"
                    ).format(side=self.side(player), count=cows)
                )
        if position.shot and not (position.mills_of(position.side) and position.shootable()):
            raise InvalidPosition(_("a shot is due only after a mill, at a cow on the board"))
        return replace(position, reason=position.why_over())

    # ---- notation

    def position(self, text: str) -> "MorabarabaPosition":
        """`12/12 - - x 0/0 - - 0 0`.

        Cows in hand, dark's points, light's points, who acts (`x` or `o`, with `!` when a shot is
        due), cows shot, the banned mills of each, and the two counters.
        """
        fields = fields_of_text(text, self.rules == "classic")
        return self._settled(MorabarabaPosition(self, **fields))

    def read_move(self, text: str, position: Position) -> str:
        """`a1` place, `d1-d2` move or fly, `xa1` shoot; or the contest's `MOVE a1 (3, 0)`."""
        assert isinstance(position, MorabarabaPosition)
        return read_action(text, position.shot, position.flies(position.side))

    def format_move(self, move: Move, position: Position) -> str:
        """`a1`, `d1-d2` or `xa1`."""
        kind, points = action(move)
        return ("x" if kind == "STEAL" else "") + "-".join(points)

    def parse_turn(self, text: str, position: Position) -> tuple[Move, ...]:
        """`a1xf2` and `d1-d2xa1` tell a move and its shot."""
        before, cross, target = text.strip().partition("x")
        if not (before and cross):
            return (self.parse_move(text, position),)
        move = self.parse_move(before, position)
        return move, self.parse_move(f"x{target}", position.play(move))

    def format_turn(self, moves: Sequence[Move], position: Position) -> tuple[str, int]:
        """A move and the shot that follows are one word."""
        word = self.format_move(moves[0], position)
        if len(moves) > 1 and not word.startswith("x") and str(moves[1]).startswith("STEAL"):
            return word + self.format_move(moves[1], position), 2
        return word, 1


@dataclass(frozen=True, slots=True, repr=False)
class MorabarabaPosition(Position):
    """The 24 points, whose action it is, and all that the rules remember."""

    game: Morabaraba
    board: str  # x, o or a full stop at each of POINTS
    side: int  # who acts, or would act if the game were not over
    shot: bool = False  # a shot is due
    hands: tuple[int, int] = (COWS, COWS)
    score: tuple[int, int] = (0, 0)  # cows shot by each
    bans: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    quiet: int = 0  # actions since the last shot
    three: int = 0  # moves since the last shot while a player has three cows
    reason: Reason | None = None

    @property
    def turn(self) -> int | None:
        """Who acts; None when the game is over."""
        return None if self.reason else self.side

    # ---- moves

    def legal_moves(self) -> list[Move]:
        """ADD, MOVE, FLY or STEAL, sorted by text."""
        return [] if self.reason else self.actions()

    def actions(self) -> list[Move]:
        """What the rules of moving and shooting allow, sorted by text."""
        if self.shot:
            return [f"STEAL {point}" for point in sorted(self.shootable())]
        empty = [point for point, mark in zip(POINTS, self.board, strict=True) if mark == "."]
        if self.hands[self.side]:
            return [f"ADD {point}" for point in sorted(empty)]
        flies = self.flies(self.side)
        kind = "FLY" if flies else "MOVE"
        return sorted(
            f"{kind} {start} {end}"
            for start in self.cows(self.side)
            for end in (empty if flies else NEIGHBOURS[start])
            if self.board[INDEX[end]] == "." and not self._banned(start, end)
        )

    def forbids(self, move: Move) -> str | None:
        """The phase first, then the points, then the mill that may not be closed yet."""
        kind, points = action(move)
        if self.reason:
            return over_message()
        due = self.phase()
        if kind != due:
            return DUE[due]()
        if kind == "STEAL":
            return self._forbids_shot(points[0])
        *start, end = points
        mine = MARKS[self.side]
        if start and self.board[INDEX[start[0]]] != mine:
            return _("{point} is not your cow").format(point=start[0])
        if self.board[INDEX[end]] != ".":
            return _("{point} is not empty").format(point=end)
        if kind == "MOVE" and end not in NEIGHBOURS[start[0]]:
            return _("no line joins {start} and {end}").format(start=start[0], end=end)
        if start and self._banned(start[0], end):
            return _("a mill that you have just broken may not be closed by your next move")
        return None

    def _forbids_shot(self, point: str) -> str | None:
        if self.board[INDEX[point]] != MARKS[1 - self.side]:
            return _("{point} is not a cow of your opponent").format(point=point)
        if point not in self.shootable():
            return _("{point} is in a mill, and not all cows of your opponent are").format(
                point=point
            )
        return None

    def phase(self) -> str:
        """What is due: ADD, MOVE, FLY, STEAL, or OVER."""
        if self.reason:
            return "OVER"
        if self.shot:
            return "STEAL"
        if self.hands[self.side]:
            return "ADD"
        return "FLY" if self.flies(self.side) else "MOVE"

    def cows(self, player: int) -> list[str]:
        """The points on which a player has cows."""
        mark = MARKS[player]
        return [point for point, held in zip(POINTS, self.board, strict=True) if held == mark]

    def flies(self, player: int) -> bool:
        """Whether a player's cows may fly."""
        return not self.hands[player] and self.board.count(MARKS[player]) <= 3

    def mills_of(self, player: int) -> list[tuple[str, ...]]:
        """The complete mills of a player."""
        cows = set(self.cows(player))
        return [mill for mill in MILLS if cows.issuperset(mill)]

    def shootable(self) -> list[str]:
        """The opponent's cows that may be shot."""
        theirs = self.cows(1 - self.side)
        safe = {point for mill in self.mills_of(1 - self.side) for point in mill}
        return [point for point in theirs if point not in safe] or theirs

    def _banned(self, start: str, end: str) -> bool:
        """Whether this move would close a mill that the player has just broken."""
        bans = self.bans[self.side]
        if not bans:
            return False
        if self.game.rules == "classic":
            return f"{start}-{end}" in bans
        cows = {*self.cows(self.side), end} - {start}
        return any(end in NAMES[name] and cows.issuperset(NAMES[name]) for name in bans)

    # ---- play

    def _story(self, move: Move) -> Story:
        kind, points = action(move)
        player, board = self.side, list(self.board)
        if kind == "STEAL":
            yield Shoot(player, points[0])
            board[INDEX[points[0]]] = "."
            score = list(self.score)
            score[player] += 1
            after = replace(
                self,
                board="".join(board),
                side=1 - player,
                shot=False,
                score=(score[0], score[1]),
                quiet=0,
                three=0,
            )
        else:
            *start, end = points
            broken: list[tuple[str, ...]] = []
            hands, bans = list(self.hands), list(self.bans)
            if kind == "ADD":
                yield Place(player, end)
                hands[player] -= 1
            else:
                yield (Fly if kind == "FLY" else Slide)(player, start[0], end)
                broken = [mill for mill in self.mills_of(player) if start[0] in mill]
                board[INDEX[start[0]]] = "."
            board[INDEX[end]] = MARKS[player]
            after = replace(self, board="".join(board), hands=(hands[0], hands[1]))
            made = [mill for mill in after.mills_of(player) if end in mill]
            for mill in made:
                yield Mill(player, mill)
            if kind != "ADD":
                bans[player] = self._bans_after(start[0], end, broken, bool(made))
                for mill in broken if bans[player] else []:
                    yield MillBroken(player, mill)
            few = not any(hands) and min(after.board.count(mark) for mark in MARKS) <= 3
            after = replace(
                after,
                side=player if made else 1 - player,
                shot=bool(made),
                bans=(bans[0], bans[1]),
                quiet=self.quiet + 1,
                three=self.three + (few and not made),
            )
        after = replace(after, reason=after.why_over())
        outcome = after.outcome()
        if outcome is not None:
            yield End(outcome)
        return after

    def _bans_after(
        self, start: str, end: str, broken: list[tuple[str, ...]], made: bool
    ) -> tuple[str, ...]:
        """What the player's next move may not do: close the broken mills (classic: go back)."""
        if self.game.rules == "classic":
            return (f"{end}-{start}",) if broken and made else ()
        return tuple("-".join(mill) for mill in broken)

    # ---- end

    def why_over(self) -> Reason | None:
        """Why the game is over; None while it goes on, and always while a shot is due."""
        if self.shot:
            return None
        if max(self.score) >= COWS - 2:
            return Reason.TWO_COWS
        if not self.actions():
            return Reason.NO_MOVES
        if self.three >= 10:
            return Reason.TEN_MOVES
        if self.quiet >= 50 and self.game.rules != "classic":
            return Reason.FIFTY_MOVES
        return None

    def outcome(self) -> Outcome | None:
        """The higher score wins; by the classic rules a blocked player loses and ten moves draw."""
        if self.reason is None:
            return None
        if self.game.rules == "classic":
            if self.reason is Reason.NO_MOVES:
                return Outcome(1 - self.side, self.score, self.reason)
            if self.reason is Reason.TEN_MOVES:
                return Outcome(None, self.score, self.reason)
        return by_score(self.score, self.reason)

    def scores(self) -> tuple[int, int]:
        """Cows shot by each player."""
        return self.score

    def as_if(self, player: int) -> "MorabarabaPosition | None":
        """With this player to act, and no shot due."""
        if self.turn in (player, None):
            return self if self.turn == player else None
        return replace(self, side=player, shot=False)

    # ---- the board

    def places(self) -> dict[str, Lying]:
        """The cows on the points, in the hands and shot."""
        lying = {point: LYING[mark] for point, mark in zip(POINTS, self.board, strict=True)}
        dark, light = self.hands
        lying |= {"hand-0": Lying((dark, 0)), "hand-1": Lying((0, light))}
        lying |= {"score-0": Lying((0, self.score[0])), "score-1": Lying((self.score[1], 0))}
        return lying

    def barred(self, starts: Collection[str]) -> dict[str, str]:
        """Why a cow cannot be placed, moved or shot here."""
        phase, mine = self.phase(), set(self.cows(self.side))
        banned = {move["from"]: move["why"] for move in self._barred_moves()}
        found = {}
        for point in POINTS:
            if point in starts:
                continue
            if phase in ("ADD", "STEAL"):
                found[point] = self.forbids(f"{phase} {point}") or ""
            elif point not in mine:
                found[point] = _("{point} is not your cow").format(point=point)
            else:
                nowhere = _("the cow on {point} has nowhere to go").format(point=point)
                found[point] = banned.get(point) or nowhere
        return found

    def _barred_moves(self) -> Iterator[dict[str, str]]:
        """Moves to an empty point in reach that would close a mill too soon."""
        phase, player = self.phase(), self.side
        if phase not in ("MOVE", "FLY") or not self.bans[player]:
            return
        for start in self.cows(player):
            for end in POINTS if phase == "FLY" else NEIGHBOURS[start]:
                if self.board[INDEX[end]] == ".":
                    rule = self.forbids(f"{phase} {start} {end}")
                    if rule:
                        yield {"from": start, "to": end, "why": rule}

    def marks(self) -> dict[str, Any]:
        """What is due, the herds, the mills, and what may not be closed yet."""
        phase = self.phase()
        return {
            "phase": phase,
            "due": "" if phase == "OVER" else TO_DO[phase](),
            "hands": list(self.hands),
            "cows": [len(self.cows(player)) for player in (0, 1)],
            "mills": [[list(mill) for mill in self.mills_of(player)] for player in (0, 1)],
            "banned": [[name.split("-") for name in names] for names in self.bans],
            "barred_moves": list(self._barred_moves()),
            "flies": [self.flies(player) for player in (0, 1)],
            "quiet": self.quiet,
            "three": self.three,
        }

    # ---- notation

    def __str__(self) -> str:
        """`12/12 - - x 0/0 - - 0 0`."""
        return " ".join(
            [
                "/".join(map(str, self.hands)),
                *(",".join(self.cows(player)) or "-" for player in (0, 1)),
                MARKS[self.side] + "!" * self.shot,
                "/".join(map(str, self.score)),
                *(",".join(ban) or "-" for ban in self.bans),
                str(self.quiet),
                str(self.three),
            ]
        )

    def to_json(self) -> dict[str, Any]:
        """The `state` object, in which dark is -1 and light is 1."""
        outcome = self.outcome()
        winner = None if outcome is None or outcome.winner is None else outcome.winner * 2 - 1
        return {
            "board": self.board,
            "turn": self.side * 2 - 1,
            "phase": self.phase(),
            "in_hand": list(self.hands),
            "score": list(self.score),
            "ban": [list(ban) for ban in self.bans],
            "quiet": self.quiet,
            "three": self.three,
            "over": outcome and {"reason": outcome.reason.value, "winner": winner or 0},
        }

    def diagram(self, *, colour: bool = False) -> str:
        """The board with its lines, row 7 on top; x is dark, o is light."""
        herds = [
            _("{side} ({mark}): in hand {hand}, shot {score}").format(
                side=self.game.side(player),
                mark=MARKS[player],
                hand=self.hands[player],
                score=self.score[player],
            )
            for player in (0, 1)
        ]
        return "\n".join([*drawn_board(self.board, self.turn, colour), *herds])
