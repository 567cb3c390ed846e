"""Is a bot fit to play? A few games and positions, and in plain words what is wrong if anything is."""

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mbegu.arena.referee import Conditions, Opening, Verdict, play_game
from mbegu.arena.roster import BotSpec, find_bot
from mbegu.arena.runner import BotFault, BotProcess, Fault
from mbegu.arena.series import check_bots
from mbegu.core.clock import Clock, TimeControl
from mbegu.core.errors import MbeguError
from mbegu.core.game import Game, Position
from mbegu.core.i18n import _
from mbegu.core.setups import SetUpGame
from mbegu.core.typography import Number, labelled

__all__ = ["Check", "advice", "examine"]


@dataclass(frozen=True)
class Check:
    """One thing that was looked at."""

    what: str
    trouble: str = ""  # what is wrong; empty when all is well
    remark: str = ""  # what is worth knowing all the same
    verdict: Verdict | None = None


def examine(
    text: str | BotSpec,
    game: Game,
    *,
    games: int = 4,
    control: str = "1/move",
    seed: int = 0,
    trust: bool = False,
    policy: str = "strict",
) -> Iterator[Check]:
    """Looks at one thing after the other, and stops where going on makes no sense."""
    what = _("It can be found, and is Python or a program.")
    try:
        spec = text if isinstance(text, BotSpec) else find_bot(text)
        check_bots(game, (spec,))
        yield Check(what)
    except MbeguError as error:
        yield Check(what, str(error))
        return
    with BotProcess(spec, trust=trust) as bot, BotProcess(find_bot("random")) as other:
        began = time.monotonic()
        found = _attempt(_("It starts."), bot.start, at_start=True)
        seconds = time.monotonic() - began
        slow = (
            _("That took {seconds:.1f} s.").format(seconds=Number(seconds)) if seconds > 3 else ""
        )
        yield Check(found.what, found.trouble, slow, found.verdict)
        if found.trouble:
            return
        if isinstance(game, SetUpGame):
            yield _set_up(bot, game, seed)
        conditions = Conditions(control, trust=trust, policy=policy)
        wins, slowest = 0.0, 0.0
        replaced = list[str]()
        for number in range(games):
            side = number % 2
            pair = (bot, other) if side == 0 else (other, bot)
            played = play_game(game, pair, conditions, seed=seed + number)
            slowest = max(slowest, played.slowest[side])
            what = _("It plays a whole game as {side}.").format(side=game.side(side))
            if played.verdict.player == side:
                yield Check(what, advice(played.verdict, game), verdict=played.verdict)
                return
            replaced += played.notes
            wins += 0.5 if played.winner is None else played.winner == side
            if number < 2:
                yield Check(what)
        if games:
            weak = wins < games / 2
            yield Check(
                _(
                    "It scores {points:g} of {games} against random; its slowest move took {seconds:.2f} s."
                ).format(points=Number(wins), games=games, seconds=Number(slowest)),
                remark=_("A bot that thinks should beat random.") if weak else "",
            )
        if replaced:
            told = _("Moves of it that were replaced by lot: {count}. The first: {note}")
            yield Check(
                _("Its games could be finished by the policy {policy}.").format(policy=policy),
                remark=told.format(count=len(replaced), note=replaced[0]),
            )
        if spec.kind != "contest":  # a contest AI lives with its own state, from the first move on
            yield _strange_positions(bot, game, seed, control)
            yield _repeatable(bot, game, seed, control)


def _attempt(what: str, action: Callable[[], None], *, at_start: bool = False) -> Check:
    try:
        action()
    except BotFault as fault:
        told = (fault.fault.value, 0, str(fault.fault), fault.detail, "", fault.stderr)
        verdict = Verdict(*told, at_start)
        return Check(what, advice(verdict), verdict=verdict)
    return Check(what)


def _set_up(bot: BotProcess, game: SetUpGame, seed: int) -> Check:
    def ask() -> None:
        bot.new_game(game, game.start(), 0, seed)
        laid = bot.setup()
        if laid is not None:
            try:
                game.setup(laid)
            except (MbeguError, TypeError, AttributeError) as error:
                raise BotFault(Fault.ILLEGAL, f"setup(): {error}") from None

    return _attempt(_("Its set-up is one that the rules allow."), ask)


def _strange_positions(bot: BotProcess, game: Game, seed: int, control: str) -> Check:
    """Positions out of the blue, as an opening or an analysis would give them."""
    lot = random.Random(seed)  # noqa: S311 (a game, not a secret)
    asked = list[Position]()
    for _game in range(3):
        position = game.start()
        plies = 0
        while position.turn is not None and plies < 200:
            if len(position.legal_moves()) == 1 or lot.random() < 0.03:
                asked.append(position)
            position = position.play(lot.choice(position.legal_moves()))
            plies += 1

    def ask() -> None:
        for position in asked[:12]:
            assert position.turn is not None
            clock = Clock(TimeControl.parse(control))
            bot.new_game(game, position, position.turn, seed)
            clock.start(position.turn)
            move = bot.choose(position, [], clock)
            if move not in position.legal_moves():
                words = _("it answered {move} where the legal moves are {legal}: {position}")
                legal = ", ".join(map(repr, position.legal_moves()))
                raise BotFault(
                    Fault.ILLEGAL, words.format(move=repr(move), legal=legal, position=position)
                )

    return _attempt(_("It plays on from positions that it has not seen."), ask)


def _repeatable(bot: BotProcess, game: Game, seed: int, control: str) -> Check:
    """The same seed twice: not a duty, but good for finding mistakes."""
    what = _("With the same seed it plays the same.")
    games = []
    try:
        for _again in range(2):
            with BotProcess(find_bot("random")) as other:
                opening = Opening()
                played = play_game(
                    game, (bot, other), Conditions(control), seed=seed, opening=opening
                )
            games.append(played.record)
    except BotFault as fault:
        return Check(what, str(fault))
    if games[0] != games[1]:
        remark = _("It does not, which is allowed; a repeatable bot is easier to mend.")
        return Check(what, remark=remark)
    return Check(what)


def advice(verdict: Verdict, game: Game | None = None) -> str:
    """A fault in words that help to mend it."""
    lines = [labelled(verdict.name, verdict.sentence)]
    if verdict.detail:
        lines.append(verdict.detail.strip())
    if verdict.position:
        lines.append(_("The position was {position}").format(position=verdict.position))
    if verdict.stderr:
        lines.append(_("It wrote to stderr:") + "\n" + verdict.stderr.strip())
    hints = {
        "timeout": _(
            "Look at clock.remaining(position.turn) while you think, and answer before it is 0."
        ),
        "illegal": _("Answer with one of position.legal_moves(), as it stands there."),
        "protocol": _("choose must return a move: a whole number or a text, as in legal_moves()."),
        "memory": _("Keep less, or give it more: mbegu match … --memory 2048."),
        "output": _("Print less; what you print is only kept for you to look at."),
        "cage": _(
            "A bot may read its own files and write in the current folder. It has no network and "
            "starts no programs."
        ),
    }
    if verdict.at_start:
        hints["timeout"] = _(
            "It must be ready in time, within 20 seconds if the host says nothing else: a class when its file is read, a program when it "
            "is told ugi (or uci) and answers ugiok (uciok)."
        )
    if verdict.word in hints:
        lines.append(hints[verdict.word])
    return "\n".join(lines)
