"""All games of a device in one file: nothing is lost, doubled or believed."""

import asyncio
import json
from typing import Any

import pytest
from test_tab import Keeper, Tab


async def play(tab: Tab, room: str, *choices: int) -> None:
    """Both sides choose from what is legal."""
    line, shot = await tab.enter(room)
    view = shot["view"]
    for ply, choice in enumerate(choices, 1):
        move = view["legal"][choice]["move"]
        tab.say(line, {"t": "move", "id": f"command-{ply}", "ply": ply, "move": move})
        view = (await tab.heard(line, "moved"))["data"]["view"]
        await tab.heard(line, "ack")


async def saved(tab: Tab) -> str:
    status, told = await tab.ask("GET", "/records")
    assert status == 200
    return json.dumps(told)


def run(work: Any) -> Any:
    return asyncio.run(work)


def test_a_file_brings_every_game_to_another_device() -> None:
    async def both() -> None:
        here, there = Tab(), Tab()
        first, second = await here.game(), await here.game(level=3, name="kalah")
        await play(here, first, 2, 1)
        text = await saved(here)
        status, told = await there.ask("POST", "/records", {"text": text})
        assert (status, sorted(told["rooms"]), told["known"]) == (201, sorted([first, second]), 0)
        assert there.keeper.rooms == here.keeper.rooms  # a game that is not over goes on
        status, told = await there.ask("POST", "/records", {"text": text})
        assert told == {"rooms": [], "known": 2}  # nothing is doubled
        assert len(there.keeper.rooms) == 2

    run(both())


def test_a_damaged_game_does_not_spoil_the_file_for_the_others() -> None:
    async def both() -> None:
        here, there = Tab(), Tab()
        whole, damaged = await here.game(), await here.game()
        here.keeper.rooms[damaged]["start"] = "nonsense"
        status, told = await there.ask("POST", "/records", {"text": await saved(here)})
        assert (status, told["rooms"]) == (201, [whole])

    run(both())


def test_whoever_is_further_wins_and_what_went_on_otherwise_is_kept_beside() -> None:
    async def both() -> None:
        here, there = Tab(), Tab()
        room = await here.game()
        text = await saved(here)
        await there.ask("POST", "/records", {"text": text})
        await play(here, room, 2)
        assert (await here.ask("POST", "/records", {"text": text}))[1] == {"rooms": [], "known": 1}
        further = await saved(here)
        assert (await there.ask("POST", "/records", {"text": further}))[1]["rooms"] == [room]
        assert there.keeper.rooms[room]["plies"] == 1
        other = Tab()
        await other.ask("POST", "/records", {"text": text})
        await play(other, room, 3)
        _status, told = await other.ask("POST", "/records", {"text": further})
        assert room not in told["rooms"]
        assert len(other.keeper.rooms) == 2

    run(both())


def spoilt(text: str, **fields: Any) -> str:
    told = json.loads(text)
    told["games"][0].update(fields)
    return json.dumps(told)


MOVED = {"version": 1, "at": 0, "kind": "moved", "command": None}


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"game": "chess"}, "game 1 of the file cannot be read"),
        ({"game": 3}, "should be a text"),
        ({"rules": "oware-abapa@9"}, "other rules"),
        ({"id": "../../etc"}, "its name"),
        ({"start": "4-4"}, "game 1"),
        ({"seats": [{"kind": "human", "name": ""}]}, "not as games are kept"),
        ({"seats": [{"kind": "computer", "name": "", "level": 99}] * 2}, "level 1 to 10"),
        ({"created": float("inf")}, "should be a number"),
        ({"log": [{**MOVED, "data": {"ply": 1, "player": 0, "move": 9}}]}, "game 1"),
        ({"log": [{**MOVED, "data": {}}]}, "not as games are kept"),
        ({"log": [{**MOVED, "kind": "won", "data": {}}]}, "not as games are kept"),
        ({"log": 7}, "not as games are kept"),
        ({"source": "[]"}, "game 1"),
    ],
)
def test_a_hostile_file_is_refused_whole(fields: dict[str, Any], why: str) -> None:
    async def refused() -> None:
        here, there = Tab(), Tab(Keeper())
        await here.game()
        await here.game(name="kalah")
        text = spoilt(await saved(here), **fields)
        status, told = await there.ask("POST", "/records", {"text": text})
        assert status == 400
        assert why in told["error"], told
        assert there.keeper.rooms == {}

    run(refused())


def test_what_lists_show_is_not_believed() -> None:
    async def both() -> None:
        here, there = Tab(), Tab()
        room = await here.game()
        text = spoilt(await saved(here), plies=99, status="over", version=42, position="nonsense")
        assert (await there.ask("POST", "/records", {"text": text}))[0] == 201
        assert there.keeper.rooms[room] == here.keeper.rooms[room]

    run(both())


def test_half_a_file_and_a_file_of_tomorrow() -> None:
    async def refused() -> None:
        here = Tab()
        await here.game()
        text = await saved(here)
        _status, told = await here.ask("POST", "/records", {"text": text[:-9]})
        assert "not whole" in told["error"]
        _status, told = await here.ask(
            "POST", "/records", {"text": text.replace('"version": 1', '"version": 2', 1)}
        )
        assert "version “2”" in told["error"]

    run(refused())
