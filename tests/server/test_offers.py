"""What needs the other's consent: a move taken back, a draw, a rematch; and phrases."""

from typing import Any

from online_table import error, event_of


def test_a_move_is_taken_back_by_agreement(people: Any) -> None:
    table = people()
    table.play(2, 8)
    south, north = table.south, table.north
    assert south.command("undo")["t"] == "ack"
    assert north.event("undo_offered") == {"player": 0, "plies": 2}
    assert "answered yet" in error(south.command("undo"))
    assert "answer that first" in error(north.command("undo"))
    assert "nobody has asked you" in error(south.command("accept_undo"))
    assert north.command("decline_undo")["t"] == "ack"
    assert "nobody has asked" in error(north.command("accept_undo"))
    assert "after the next move" in error(south.command("undo"))
    assert north.command("undo")["t"] == "ack"
    south.event("undo_offered")
    assert south.command("accept_undo")["t"] == "ack"
    assert north.event("undone")["ply"] == 1
    assert table.watcher.event("undone")["view"]["turn"] == 1


def test_an_offer_lapses_with_a_move(people: Any) -> None:
    table = people()
    table.play(2)
    table.south.command("undo")
    table.play(8)
    assert "nobody has asked" in error(table.north.command("accept_undo"))
    table.south.command("offer_draw")
    table.north.command("decline_draw")
    assert "nobody has offered" in error(table.south.command("decline_draw"))
    assert "after the next move" in error(table.south.command("offer_draw"))
    table.play(3)
    assert table.south.command("offer_draw")["t"] == "ack"
    assert table.south.command("decline_draw")["t"] == "ack"  # withdrawn
    table.north.command("offer_draw")
    table.south.command("offer_draw")
    assert table.watcher.event("ended")["outcome"]["reason"] == "agreement"
    assert "no move to take back" in error(table.south.command("undo"))  # what is finished stays so


def test_watchers_and_strangers_decide_nothing(people: Any) -> None:
    table = people()
    for kind in ("resign", "offer_draw", "undo", "accept_undo", "claim", "say", "offer_rematch"):
        assert "you have no seat" in error(table.watcher.command(kind))
    assert "no hints" in error(table.south.command("hint"))
    assert "not yours" in error(table.south.command("resign", seat=1))


def test_a_rematch_swaps_the_sides(people: Any) -> None:
    table = people("kalah", clock="60+1")
    south, north = table.south, table.north
    assert "not over" in error(south.command("offer_rematch"))
    south.command("resign")
    assert "nobody has offered" in error(south.command("decline_rematch"))
    south.command("offer_rematch")
    assert "answered yet" in error(south.command("offer_rematch"))
    north.command("decline_rematch")
    north.command("offer_rematch")
    assert south.command("offer_rematch")["t"] == "ack"
    rooms = {event_of(visit, "rematch")["room"] for visit in table.all}
    assert len(rooms) == 1
    again = table.host.get(f"/api/v1/rooms/{rooms.pop()}")["room"]
    assert [seat["name"] for seat in again["seats"]] == ["Juma", "Amina"]
    assert [seat["yours"] for seat in again["seats"]] == [False, True]
    assert (again["status"], again["control"], again["game"]) == (
        "playing",
        "60+1",
        "kalah(pits=6,seeds=4)",
    )


def test_phrases_are_few_and_not_too_many(people: Any) -> None:
    table = people()
    assert "is not a phrase" in error(table.south.command("say", phrase="<script>"))
    answers = [table.south.command("say", phrase="hello")["t"] for _time in range(6)]
    assert answers[0] == "ack"
    assert answers[-1] == "refused"
    assert table.north.event("said") == {"player": 0, "phrase": "hello"}
