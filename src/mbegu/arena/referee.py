"""The referee: one game between two bots, its clock, and the verdict.

    with BotProcess(find_bot("greedy")) as a, BotProcess(find_bot("my_bot.py")) as b:
        played = play_game(game, (a, b), Conditions(control="10+0.1"), seed=7)
    print(played.result, played.verdict.word)

Two policies. The strict one: who answers too late, or with a move that the rules forbid, has lost. The
one of the MAIC contest: an illegal move is replaced by one that is drawn by lot, and so are all moves
of a player whose bank is empty.
"""

import dataclasses
import random
import time
from dataclasses import dataclass, field
from typing import Any, Self

from mbegu.arena.runner import BotFault, BotProcess, Fault
from mbegu.arena.seeds import player_seed
from mbegu.core.clock import Clock, TimeControl
from mbegu.core.errors import IllegalMove, MbeguError, shorten
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _, p_
from mbegu.core.match import Match
from mbegu.core.outcome import Outcome, Reason
from mbegu.core.printable import printable
from mbegu.core.record import Record
from mbegu.core.registry import is_ours
from mbegu.core.setups import SetUpGame
from mbegu.core.typography import labelled

__all__ = ["POLICIES", "VERDICTS", "Conditions", "Opening", "Played", "Verdict", "play_game"]

POLICIES = ("strict", "maic")
VERDICTS = ("win", "draw", *(fault.value for fault in Fault))
HANGING = 10.0  # seconds after the end of its bank until a bot of the contest is given up
STDERR_LINES = 12


@dataclass(frozen=True)
class Conditions:
    """What is the same for all games of a match."""

    control: str = "-"  # or two of them, "0.5/move,5/move", the first side's first
    nodes: int | None = None
    policy: str = "strict"
    trust: bool = False
    memory: int | None = None  # bytes
    fresh: bool = False  # a new process for each game
    start: float | None = None  # seconds to be imported and to begin a game
    engine: bool = True  # whether a bot may use Mbegu's own engine

    def __post_init__(self) -> None:
        """Refuses what cannot be."""
        self.controls()
        if self.policy not in POLICIES:
            raise MbeguError(
                _("{policy} is not a policy; there are: {policies}").format(
                    policy=shorten(self.policy), policies=", ".join(POLICIES)
                )
            )

    def controls(self) -> tuple[TimeControl, TimeControl]:
        """The time of each side."""
        first, comma, second = self.control.partition(",")
        control = TimeControl.parse(first.strip())
        return control, TimeControl.parse(second.strip()) if comma else control

    def turned(self) -> Self:
        """The same for a game in which the bots have changed sides."""
        first, comma, second = self.control.partition(",")
        return dataclasses.replace(self, control=f"{second},{first}") if comma else self


@dataclass(frozen=True)
class Opening:
    """Where a game begins: a position (empty: the usual one) and the first moves."""

    position: str = ""
    moves: tuple[Move, ...] = ()
    bots_set_up: bool = False  # Urubugu: each bot lays its own beads

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return dataclasses.asdict(self)


def verdict_name(word: str) -> str:
    """A word of VERDICTS in the language of the moment."""
    names = {
        "win": p_("verdict", "win"),
        "draw": p_("verdict", "draw"),
        "timeout": p_("verdict", "timeout"),
        "illegal": p_("verdict", "illegal"),
        "crash": p_("verdict", "crash"),
        "memory": p_("verdict", "memory"),
        "output": p_("verdict", "output"),
        "protocol": p_("verdict", "protocol"),
        "cage": p_("verdict", "cage"),
    }
    return names.get(word, word)


@dataclass(frozen=True)
class Verdict:
    """How a game ended, and whose fault that was if it was a fault."""

    word: str  # one of VERDICTS
    player: int | None = None  # who failed
    sentence: str = ""  # what it means, in words
    detail: str = ""  # the rule, the error
    position: str = ""
    stderr: str = ""  # the last lines
    at_start: bool = False  # before it was asked for a move

    @property
    def name(self) -> str:
        """The word, as people read it."""
        return verdict_name(self.word)

    def __str__(self) -> str:
        """On one line."""
        return " ".join(part for part in (self.sentence, _last_line(self.detail)) if part)


@dataclass(frozen=True)
class Played:
    """A game that has been played, as plain data."""

    players: tuple[str, str]
    result: str  # 1-0, 0-1, 1/2-1/2
    verdict: Verdict
    record: str
    plies: int
    seconds: tuple[float, float]  # of thought
    slowest: tuple[float, float]  # the longest thought
    notes: tuple[str, ...] = field(default=())  # moves that were replaced, and the like
    moves: tuple[int, int] = (0, 0)  # that each was asked for and made

    @property
    def winner(self) -> int | None:
        """0, 1, or None for a draw."""
        return {"1-0": 0, "0-1": 1}.get(self.result)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> Self:
        """The game of such data."""
        pairs = ("players", "seconds", "slowest", "notes", "moves")
        told = {key: tuple(value) if key in pairs else value for key, value in told.items()}
        if "moves" not in told:  # of a store from before they were counted
            told["moves"] = ((told["plies"] + 1) // 2, told["plies"] // 2)
        return cls(**{**told, "verdict": Verdict(**told["verdict"])})


def play_game(
    game: Game,
    bots: tuple[BotProcess, BotProcess],
    conditions: Conditions | None = None,
    *,
    seed: int = 0,
    opening: Opening | None = None,
    spectator: "Spectator | None" = None,
) -> Played:
    """Plays one game; the first bot has the first side."""
    refereed = RefereedGame(
        game, bots, conditions or Conditions(), seed, opening or Opening(), spectator
    )
    try:
        return refereed.play()
    finally:
        if refereed.conditions.fresh:
            for bot in bots:
                bot.close()


class Spectator:
    """Somebody who looks on; each method may be left as it is."""

    def before(self, match: Match) -> None:
        """A bot is about to be asked."""

    def after(self, match: Match, move: Move, seconds: float, left: float | None) -> None:
        """A move was played."""

    def noted(self, note: str) -> None:
        """A move was replaced, or the like."""


class RefereedGame:
    """One game that the referee holds, from the greeting to the verdict."""

    def __init__(
        self,
        game: Game,
        bots: tuple[BotProcess, BotProcess],
        conditions: Conditions,
        seed: int,
        opening: Opening,
        spectator: Spectator | None,
    ) -> None:
        self.game, self.bots, self.conditions = game, bots, conditions
        self.opening, self.seed, self.spectator = opening, seed, spectator
        self.names = (bots[0].spec.name, bots[1].spec.name)
        first, second = conditions.controls()
        self.clock = Clock(first, second=second)
        self.lot = random.Random(f"referee {seed}")  # noqa: S311 (a game, not a secret)
        self.seconds, self.slowest, self.made = [0.0, 0.0], [0.0, 0.0], [0, 0]
        self.told = [0, 0]  # how many moves each bot has been told
        self.spent = [False, False]  # whose bank is empty (the contest's policy)
        self.notes: list[str] = []
        self.match = Match(game, self._start(opening.position), self.names)
        self.faults: dict[int, BotFault] = {}
        self.began = False

    def _start(self, text: str) -> Position:
        return self.game.position(text) if text else self.game.start()

    # ---- the game

    def play(self) -> Played:
        """From the first greeting to the verdict."""
        self._set_up()
        if not self.faults:
            for move in self.opening.moves:
                self.match.play(move)
            self._greet()
            self.began = not self.faults
        while not self.faults and (turn := self.match.turn) is not None:
            self._turn(turn)
        return self._close()

    def _greet(self, *, only: int | None = None) -> None:
        """Tells each bot that a game begins."""
        for player, bot in enumerate(self.bots):
            if only in (None, player):
                try:
                    bot.new_game(
                        self.game,
                        self.match.positions[0],
                        player,
                        player_seed(self.seed, player),
                        self.conditions.nodes,
                        self.clock.controls[player].per_move,
                    )
                except BotFault as fault:
                    self.faults[player] = fault

    def _set_up(self) -> None:
        """Urubugu: each bot lays its beads, and learns of the other's only afterwards."""
        if not (self.opening.bots_set_up and isinstance(self.game, SetUpGame)):
            return
        self._greet()
        laid = []
        for player, bot in enumerate(self.bots):
            if player in self.faults:
                continue
            try:
                laid.append(self._laid(bot))
            except BotFault as fault:
                self.faults[player] = fault
        if not self.faults:
            self.match = Match(self.game, self.game.start(*laid), self.names)

    def _laid(self, bot: BotProcess) -> tuple[int, ...]:
        answer = bot.setup()
        assert isinstance(self.game, SetUpGame)
        try:
            return self.game.setup(answer)
        except (MbeguError, TypeError, AttributeError) as error:
            raise BotFault(Fault.ILLEGAL, f"setup(): {error}", bot.stderr()) from None

    def _turn(self, player: int) -> None:
        """One move of one player."""
        match = self.match
        if self.spectator is not None:
            self.spectator.before(match)
        if not is_ours(type(match.game)):
            match.position.legal_moves()  # where the rules fail, the game is to blame and no bot
        began = time.monotonic()
        try:
            move = self._drawn() if self.spent[player] else self._asked(player)
        except BotFault as fault:
            self.faults[player] = fault
            return
        finally:
            used = time.monotonic() - began
            self.seconds[player] += used
            self.slowest[player] = max(used, self.slowest[player])
        match.play(move)
        self.made[player] += 1
        if self.spectator is not None:
            self.spectator.after(match, move, used, self.clock.remaining(player))

    def _asked(self, player: int) -> Move:
        """The bot's move, checked; by the contest's policy another one in its place."""
        match, bot, contest = self.match, self.bots[player], self.conditions.policy == "maic"
        news = match.moves[self.told[player] :]
        self.told[player] = len(match.moves)
        self.clock.start(player)
        try:
            move = bot.choose(match.position, news, self.clock, HANGING if contest else 0.0)
        except BotFault as fault:
            self.clock.stop()
            if contest and fault.fault is Fault.TIMEOUT:
                return self._bank_is_empty(player)
            raise
        self._charge(player, bot.thought - bot.forgiven)
        if self.clock.flagged(player):
            if contest:
                self.spent[player] = True  # the late move still stands
                self._note(player, _("its time is used up; its moves are drawn by lot from now on"))
            else:
                # It answered in time, as the runner saw; we only read the answer a moment later.
                left = [self.clock.remaining(0), self.clock.remaining(1)]
                left[player] = self.clock.controls[player].increment
                self.clock.set(left)
        if move in match.position.legal_moves():
            return move
        rule = _why_illegal(match.position, move, words=bot.spec.kind == "program")
        if not contest:
            raise BotFault(Fault.ILLEGAL, rule, bot.stderr())
        self._note(player, _("illegal, a move is drawn by lot: {rule}").format(rule=rule))
        return self._drawn()

    def _charge(self, player: int, thought: float) -> None:
        """Takes a thought off the clock, but not what it waited for a processor of a busy host.

        Nor what we ourselves waited before the question and after the answer.
        """
        used = self.clock.stop()
        left = [self.clock.remaining(0), self.clock.remaining(1)]
        mine = left[player]
        if mine is not None:
            left[player] = mine + used - min(used, max(0.0, thought))
            self.clock.set(left)
        self.clock.moved(player)

    def _bank_is_empty(self, player: int) -> Move:
        self.spent[player] = True
        self._note(player, _("its time is used up; its moves are drawn by lot from now on"))
        return self._drawn()

    def _drawn(self) -> Move:
        return self.lot.choice(self.match.position.legal_moves())

    def _note(self, player: int, text: str) -> None:
        number = len(self.match.moves) + 1
        self.notes.append(f"{number}. {self.names[player]}: {text}")
        if self.spectator is not None:
            self.spectator.noted(self.notes[-1])

    # ---- the end

    def _close(self) -> Played:
        record, verdict = self._ended()
        told = list(dict.fromkeys(str(control) for control in self.clock.controls))
        record = dataclasses.replace(record, time_control="" if told == ["-"] else ",".join(told))
        return Played(
            self.names,
            record.result,
            verdict,
            str(_remarked(record, verdict, self.names)),
            len(self.match.moves),
            (self.seconds[0], self.seconds[1]),
            (self.slowest[0], self.slowest[1]),
            tuple(self.notes),
            (self.made[0], self.made[1]),
        )

    def _ended(self) -> tuple[Record, Verdict]:
        match = self.match
        if not self.faults:
            outcome = match.outcome
            assert outcome is not None
            word = "draw" if outcome.winner is None else "win"
            place = str(match.position)
            return match.record(), Verdict(word, None, str(outcome.reason), position=place)
        player, fault = next(iter(self.faults.items()))
        if len(self.faults) == 2:  # neither could even begin
            outcome = Outcome(None, match.position.scores(), Reason.FORFEIT)
            record = match.record().ended(outcome)
        elif fault.fault is Fault.TIMEOUT:
            match.flag(player)
            record = match.record()
        else:
            match.forfeit(player)
            record = match.record()
        last_lines = _ends(fault.stderr)
        verdict = Verdict(
            fault.fault.value,
            player,
            str(fault.fault),
            fault.detail,
            str(match.position),
            last_lines,
            not self.began,
        )
        return record, verdict


def _remarked(record: Record, verdict: Verdict, names: tuple[str, str]) -> Record:
    """The record, in which the end is told after the last move."""
    if verdict.player is None:
        return record
    said = printable(labelled(names[verdict.player], f"{verdict.name}. {verdict}"))[:500]
    if not record.steps:
        return dataclasses.replace(record, comment=said)
    *before, last = record.steps
    return dataclasses.replace(record, steps=(*before, dataclasses.replace(last, comment=said)))


def _ends(text: str) -> str:
    """The first lines, which tell why a program cannot start, and the last ones."""
    lines = text.splitlines()
    if len(lines) > STDERR_LINES:
        half = STDERR_LINES // 2
        lines = [*lines[:half], "…", *lines[-half:]]
    return "\n".join(lines)


def _last_line(text: str) -> str:
    """Of a long story (a traceback) the line that says it."""
    lines = text.strip().splitlines()
    return lines[-1].strip() if lines else ""


def _why_illegal(position: Position, move: Move, *, words: bool = False) -> str:
    """The rule that forbids an answer, or why it is no move at all; who speaks in words is given a word."""
    game, legal = position.game, position.legal_moves()
    example = game.format_move(legal[0], position) if words else repr(legal[0])
    try:
        position.check(move)
    except IllegalMove as error:
        return str(error)
    except Exception:  # noqa: S110 (it is no move of this game at all)
        pass
    if isinstance(move, str):
        try:
            meant = game.parse_move(move, position)
        except IllegalMove as error:
            return str(error)
        except Exception:  # noqa: S110
            pass
        else:
            return _("it answered the text {text}; the move itself is {move}").format(
                text=repr(move), move=repr(meant)
            )
    return _("{move} is not a move of {game}; a legal one was {example}").format(
        move=shorten(move), game=game.name, example=example
    )
