"""The ladder of bots in the web app: its list, and games against bots that are locked up."""

from pathlib import Path

import pytest
from guest import Guest

import mbegu
from mbegu.arena.ladder import Ladder
from mbegu.arena.referee import Conditions
from mbegu.arena.runner import missing_layers

KALAH = mbegu.game("kalah(pits=3,seeds=3)")
LAST = "class Last:\n    def choose(self, position, clock):\n        return position.legal_moves()[-1]\n"
BROKEN = "class Broken:\n    def choose(self, position, clock):\n        raise RuntimeError\n"


@pytest.fixture
def ladder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ladder with bots of ours, of a stranger, one that fails and one that is gone."""
    path = tmp_path / "ladder.db"
    monkeypatch.setenv("MBEGU_LADDER", str(path))
    for name, text in (("last", LAST), ("broken", BROKEN), ("gone", LAST)):
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    with Ladder(str(path)) as kept:
        for bot in ("random", "greedy"):
            kept.add(KALAH, bot)
        kept.run(KALAH, 6, Conditions())
        for name in ("last", "broken", "gone"):
            kept.add(KALAH, str(tmp_path / f"{name}.py"))
    (tmp_path / "gone.py").unlink()
    return path


def seats(name: str) -> list[dict[str, object]]:
    return [{"kind": "human", "name": ""}, {"kind": "computer", "level": 0, "name": name}]


def test_the_list(guest: Guest, ladder: Path) -> None:
    told = guest.get(f"/api/v1/ladder/{KALAH}")
    assert (told["game"], told["title"]) == (str(KALAH), KALAH.title)
    bots = {bot["name"]: bot for bot in told["bots"]}
    assert set(bots) == {"random", "greedy", "last", "broken", "gone"}
    assert [bot["rank"] for bot in told["bots"]] == [1, 2, 3, 4, 5]
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


def test_who_is_not_there(guest: Guest, ladder: Path) -> None:
    refused = guest.post("/api/v1/rooms", {"game": str(KALAH), "seats": seats("nobody")})
    assert refused.status == 400
    assert "nobody" in refused.json()["error"]
