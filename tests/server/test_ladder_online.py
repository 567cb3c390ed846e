"""The ladder of bots in the web app: its list, and games against bots that are locked up."""

import asyncio
from pathlib import Path

import pytest
from guest import Guest

import mbegu
from mbegu.arena.ladder import Ladder
from mbegu.arena.referee import Conditions
from mbegu.arena.roster import BotSpec
from mbegu.arena.runner import missing_layers
from mbegu.core.game import Move, Position
from mbegu.core.match import Match
from mbegu.server.think.ladder_bots import MOST_SEATED, LadderBots

KALAH = mbegu.game("kalah(pits=3,seeds=3)")
LAST = "class Last:\n    def choose(self, position, clock):\n        return position.legal_moves()[-1]\n"
BROKEN = "class Broken:\n    def choose(self, position, clock):\n        raise RuntimeError\n"
COUNTING = """
class Counting:
    def __init__(self):
        self.asked = 0

    def choose(self, position, clock):
        self.asked += 1
        moves = position.legal_moves()
        return moves[(self.asked - 1) % len(moves)]
"""


@pytest.fixture
def ladder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ladder with bots of ours, of a stranger, one that fails and one that is gone."""
    path = tmp_path / "ladder.db"
    monkeypatch.setenv("MBEGU_LADDER", str(path))
    files = (("last", LAST), ("broken", BROKEN), ("gone", LAST), ("counting", COUNTING))
    for name, text in files:
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    with Ladder(str(path)) as kept:
        for bot in ("random", "greedy"):
            kept.add(KALAH, bot)
        kept.run(KALAH, 6, Conditions())
        for name in ("last", "broken", "gone", "counting"):
            kept.add(KALAH, str(tmp_path / f"{name}.py"))
    (tmp_path / "gone.py").unlink()
    return path


def seats(name: str) -> list[dict[str, object]]:
    return [{"kind": "human", "name": ""}, {"kind": "computer", "level": 0, "name": name}]


def test_the_list(guest: Guest, ladder: Path) -> None:
    told = guest.get(f"/api/v1/ladder/{KALAH}")
    assert (told["game"], told["title"]) == (str(KALAH), KALAH.title)
    bots = {bot["name"]: bot for bot in told["bots"]}
    assert set(bots) == {"random", "greedy", "last", "broken", "gone", "counting"}
    assert [bot["rank"] for bot in told["bots"]] == [1, 2, 3, 4, 5, 6]
    assert bots["greedy"]["played"] == 6
    assert not bots["gone"]["playable"]
    assert bots["random"]["playable"]
    assert "last.py" not in str(told)  # where the files lie is nobody's business
    assert guest.get("/api/v1/ladder/oware")["bots"] == []
    assert guest.ask("GET", "/api/v1/ladder/chess").status == 400


def test_no_ladder_yet(guest: Guest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MBEGU_LADDER", str(tmp_path / "none.db"))
    assert guest.get("/api/v1/ladder/oware")["bots"] == []
    assert not (tmp_path / "none.db").exists()


@pytest.mark.parametrize("name", ["last", "random", "broken"])
def test_a_game_against_a_bot(guest: Guest, ladder: Path, name: str) -> None:
    if missing_layers() and name != "random":
        pytest.skip(f"no cage here: {missing_layers()}")
    made = guest.post("/api/v1/rooms", {"game": str(KALAH), "seats": seats(name)})
    assert made.status == 201, made.body
    room = made.json()["room"]
    with guest.enter(room) as visit:
        while visit.view is not None and visit.view["outcome"] is None:
            if visit.view["turn"] == 0:
                assert visit.move(visit.view["legal"][0]["move"])["t"] == "ack"
            else:
                visit.event("moved")
    record = mbegu.parse_record(guest.ask("GET", f"/api/v1/rooms/{room}/record").body.decode())
    record.check()
    assert record.players[1] == name
    for position, move in zip(record.positions(), record.moves, strict=False):
        if position.turn == 1 and name == "last":
            assert move == position.legal_moves()[-1]


def test_a_bot_keeps_its_seat_from_move_to_move(guest: Guest, ladder: Path) -> None:
    if missing_layers():
        pytest.skip(f"no cage here: {missing_layers()}")
    room = guest.post("/api/v1/rooms", {"game": str(KALAH), "seats": seats("counting")}).json()[
        "room"
    ]
    with guest.enter(room) as visit:
        while visit.view is not None and visit.view["outcome"] is None:
            if visit.view["turn"] == 0:
                assert visit.move(visit.view["legal"][-1]["move"])["t"] == "ack"
            else:
                visit.event("moved")
    record = mbegu.parse_record(guest.ask("GET", f"/api/v1/rooms/{room}/record").body.decode())
    asked = 0
    for position, move in zip(record.positions(), record.moves, strict=False):
        if position.turn == 1:
            legal = position.legal_moves()
            assert move == legal[asked % len(legal)]
            asked += 1
    assert asked > 1


class PretendedBot:
    """Plays the first move, and remembers what it was told."""

    def __init__(self, spec: BotSpec) -> None:
        self.spec, self.begun, self.told = spec, 0, list[list[Move]]()

    def new_game(self, *_game: object) -> None:
        """A game begins."""
        self.begun += 1

    def choose(self, position: Position, moves: list[Move], _clock: object) -> Move:
        """A move."""
        self.told.append(list(moves))
        return position.legal_moves()[0]

    def close(self) -> None:
        """Ends."""


def test_moves_taken_back_begin_a_game_anew(ladder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bots: list[PretendedBot] = []

    def start(spec: BotSpec, **_more: object) -> PretendedBot:
        bots.append(PretendedBot(spec))
        return bots[-1]

    monkeypatch.setattr("mbegu.arena.pool.BotProcess", start)
    table, match = LadderBots(), Match(KALAH)

    async def play() -> None:
        match.play(await table.choose("random", match, match.turn or 0, "A"))

    async def main() -> None:
        await play()
        assert (bots[0].begun, bots[0].told) == (1, [[]])
        while match.turn != 0 and match.outcome is None:
            match.play(match.position.legal_moves()[0])
        await play()
        assert bots[0].begun == 1, "the same game goes on"
        assert [move for news in bots[0].told for move in news] == match.moves[:-1]
        match.undo()
        match.undo()
        await play()
        assert bots[0].begun == 2, "and another does not"
        assert bots[0].told[-1] == match.moves[:-1]
        for room in "BCDEFGHIJ":
            await table.choose("random", Match(KALAH), 0, room)
        assert len(table._seated) <= MOST_SEATED
        table.leave("J")
        assert "J" not in {room for room, _player in table._seated}

    asyncio.run(main())
    table.close()


def test_who_is_not_there(guest: Guest, ladder: Path) -> None:
    refused = guest.post("/api/v1/rooms", {"game": str(KALAH), "seats": seats("nobody")})
    assert refused.status == 400
    assert "nobody" in refused.json()["error"]
