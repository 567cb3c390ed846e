"""A window on a match that is played elsewhere."""

import json
import urllib.request
from pathlib import Path
from typing import Any

import mbegu
from mbegu.core.outcome import Outcome, Reason
from mbegu.server.window import Window


def seen(window: Window) -> dict[str, Any]:
    """What a browser would be told."""
    host, _play, room = window.url.rpartition("/play/")
    with urllib.request.urlopen(f"{host}/api/v1/rooms/{room}") as answer:
        told: dict[str, Any] = json.load(answer)
    return told


def test_a_match_is_seen_move_by_move_and_to_its_end() -> None:
    game = mbegu.game("morabaraba")
    with Window(game, ("Amina", "Bosco")) as window:
        folder = Path(window._folder.name)
        assert folder.exists()
        assert not window.wait_for_eyes(0)
        position = game.start()
        for _ply in range(3):
            move, player = position.legal_moves()[0], position.turn
            assert player is not None
            window.show(player, move)
            position = position.play(move)
        told = seen(window)
        assert [seat["name"] for seat in told["room"]["seats"]] == ["Amina", "Bosco"]
        assert told["room"]["status"] == "playing"
        assert str(position) in json.dumps(told)
        window.end(Outcome(1, position.scores(), Reason.FORFEIT))
        assert seen(window)["room"]["status"] == "over"
        window.end(Outcome(0, position.scores(), Reason.FORFEIT))  # it is over: nothing happens
    assert not folder.exists()
