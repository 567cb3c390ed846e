"""Moves told in words."""

import random
from dataclasses import dataclass, replace

import pytest
from rows_of_three import Rows

import mbegu
from mbegu.core import events as ev
from mbegu.core.board import Board
from mbegu.core.events import Capture, Event, Lift, Sow, Untold
from mbegu.core.i18n import speaking
from mbegu.core.outcome import Outcome, Reason
from mbegu.core.story import gist, tell, tell_event, tell_gist, tell_outcome


@pytest.mark.parametrize(
    ("game", "text", "move", "story"),
    [
        (
            "oware",
            "0-3-0-6-1-2-0-0-2-1-0-3-0-0-S",
            3,
            "South sows D (6), last seed in d. Captured: d (2), c (3).",
        ),
        (
            "oware",
            "1-2-3-4-5-6-1-1-1-2-2-1-0-0-S",
            5,
            "South sows F (6), last seed in f. A grand slam: f, e, d, c, b, a would leave the "
            "opponent nothing, so nothing is captured.",
        ),
        (
            "kalah",
            "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S",
            2,
            "South sows C (4), last stone in South's store. South moves again.",
        ),
        (
            "kalah",
            "<6,0,0,1,0,0,0,0,1,0,0,0,0,5,1> S",
            0,
            "South sows A (1), last stone in B. Captured: B (1), e (5).",
        ),
        (
            "urubugu",
            f"{','.join('2' * 16)}/{','.join('2' * 16)} 0",
            1,
            "South sows 1 (2), laps: 9, last bead in South's 6. Captured: 12, from 6 cells.",
        ),
        ("morabaraba", "12/12 - - x 0/0 - - 0 0", "ADD a1", "Dark places a cow on a1."),
        (
            "morabaraba",
            "10/10 a1,d1 a4,b4 x 0/0 - - 4 0",
            "ADD g1",
            "Dark places a cow on g1. A mill: a1, d1, g1.",
        ),
    ],
)
def test_stories(game: str, text: str, move: mbegu.Move, story: str) -> None:
    assert tell(mbegu.game(game).position(text), move) == story


@pytest.mark.parametrize("name", mbegu.game_names())
def test_every_event_has_a_sentence(name: str) -> None:
    lot = random.Random(7)
    for _ in range(5):
        position = mbegu.game(name).start()
        while position.turn is not None:
            move = lot.choice(position.legal_moves())
            for event in position.events(move):
                sentence = tell_event(position.game, event, position.turn)
                assert sentence.endswith(".")
                assert "{" not in sentence
            assert tell(position, move)
            position = position.play(move)


@pytest.mark.parametrize(
    ("reason", "winner", "told"),
    [
        (Reason.RESIGNATION, 0, "South wins: North has resigned."),
        (Reason.TIMEOUT, 1, "North wins: South has run out of time."),
        (Reason.FORFEIT, 0, "South wins: North has broken the rules of the match."),
        (Reason.ABANDONED, 1, "North wins: South has left the game."),
        (Reason.AGREEMENT, None, "A draw by agreement."),
        (Reason.FORFEIT, None, "A draw. A player broke the rules of the match."),
        (Reason.MAJORITY, 0, "South wins: South 3, North 1. A player holds more than half of the seeds."),
    ],
)  # fmt: skip
def test_an_end_outside_the_board_has_no_score(
    reason: Reason, winner: int | None, told: str
) -> None:
    assert tell_outcome(mbegu.game("oware"), Outcome(winner, (3, 1), reason)) == told


@dataclass(frozen=True)
class Worded(Rows):
    """Rows of three with another word for what is placed."""

    word: str = "pebble"

    @property
    def board(self) -> Board:
        return replace(super().board, piece=self.word, pieces=self.word + "s")


@pytest.mark.parametrize(
    ("word", "language", "placed", "shot"),
    [
        ("pebble", "en", "Dark places a pebble on a1.", "Dark takes the pebble on a1."),
        ("pebble", "fr", "Dark pose une pièce en a1.", "Dark prend la pièce en a1."),
        ("seed", "en", "Dark places a piece on a1.", "Dark takes the piece on a1."),
        ("cow", "en", "Dark places a cow on a1.", "Dark shoots the cow on a1."),
    ],
)
def test_what_is_placed_bears_the_games_own_word(
    word: str, language: str, placed: str, shot: str
) -> None:
    game = Worded(word=word)
    with speaking(language):
        told = [tell_event(game, event, 0) for event in (ev.Place(0, "a1"), ev.Shoot(0, "a1"))]
    assert told == [
        placed.replace("Dark", told[0].split()[0]),
        shot.replace("Dark", told[1].split()[0]),
    ]


def test_a_capture_for_the_other_player_names_him() -> None:
    """In some games what lies in a house goes to its owner, whoever sows."""
    game = mbegu.game("kalah")
    story = [
        Lift("S1", 2),
        Sow("S2", 4),
        Sow("N1", 4),
        Capture("S2", 4, "S"),
        Capture("N1", 4, "N"),
    ]
    assert tell_gist(game, 0, gist(story)) == (
        "South sows A (2), last stone in a. Captured: B (4). North receives: a (4)."
    )
    assert tell_event(game, story[-1], 0) == "North receives: a (4)."
    assert tell_event(game, story[-1], 1) == "a is captured: 4."


def test_a_move_of_which_nothing_is_told() -> None:
    game = mbegu.game("kalah")
    assert tell_gist(game, 1, gist([Untold()])) == "North makes a move."
    assert tell_gist(game, 1, gist([Event()])) == "North makes a move."
    with speaking("fr"):
        assert tell_gist(game, 1, gist([Event()])) == "Nord joue un coup."
