"""The kinds of events, and what they say: as it is typed, so it is kept."""

import json
from typing import Any

import pytest
import sqlalchemy as sa
from guest import Guest
from serving import Running

from mbegu.server.keep.tables import events
from mbegu.server.play.events import PAYLOADS, EventKind
from mbegu.server.play.forms import new_room
from mbegu.server.play.game_state import Course
from mbegu.server.play.rows import Happening, Status


def check_payload(kind: str, data: dict[str, Any]) -> None:
    """All that must be there is, and nothing that is not known."""
    payload = PAYLOADS[EventKind(kind)]
    assert payload.__required_keys__ <= set(data), (kind, data)
    assert set(data) <= payload.__required_keys__ | payload.__optional_keys__, (kind, data)


def kept(served: Running) -> list[tuple[str, dict[str, Any]]]:
    """All events in the database."""
    with served.app.state.people.store.engine.connect() as connection:
        lines = connection.execute(sa.select(events.c.kind, events.c.data)).all()
    return [(kind, json.loads(data)) for kind, data in lines]


def test_what_happens_is_kept_as_it_is_typed(served: Running, guest: Guest) -> None:
    room = guest.new_room("oware", "human", "human", clock="60+1", help="none")
    with guest.enter(room) as visit:
        visit.move(0)
        visit.command("undo")
        visit.move(1)
        for word in ("offer_draw", "decline_draw", "resign"):
            assert visit.command(word)["t"] == "ack", word
    with guest.enter(guest.new_room("urubugu", "human", "human", setups="ask")) as visit:
        for _seat in range(2):
            assert visit.command("setup", beads=[2] * 16)["t"] == "ack"
    found = kept(served)
    for kind, data in found:
        check_payload(kind, data)
    seen = {kind for kind, _data in found}
    assert {"help", "moved", "undone", "draw_offered", "resigned", "ended", "started"} <= seen


def test_every_kind_has_its_payload() -> None:
    assert set(PAYLOADS) == set(EventKind)


def test_the_same_log_leads_to_the_same_state() -> None:
    seats = [{"kind": "human"}, {"kind": "human"}]
    row = new_room({"game": "oware", "seats": seats}, "me")
    course = Course(row)
    log = [
        Happening(1, 1.0, EventKind.MOVED, {"ply": 1, "player": 0, "move": 0}),
        Happening(2, 2.0, EventKind.RESIGNED, {"player": 1}),
    ]
    for line in log:
        course.keep(course.apply(line))
    again = Course(row)
    again.replay(log)
    assert course.status == again.status == Status.OVER
    assert again.summary(0.0, 2) == course.summary(0.0, 2)


@pytest.mark.parametrize("kind", ["an_event_of_tomorrow", "moved "])
def test_an_event_that_nobody_knows_changes_nothing(kind: str) -> None:
    seats = [{"kind": "human"}, {"kind": "human"}]
    course = Course(new_room({"game": "oware", "seats": seats}, "me"))
    before = course.summary(0.0, 0)
    course.apply(Happening(1, 1.0, kind, {"player": 0}))  # type: ignore[arg-type]
    assert course.summary(0.0, 0) == before


def test_a_kind_is_the_same_key_as_its_word() -> None:
    assert {EventKind.MOVED: 1}["moved"] == 1  # type: ignore[index]
    assert {"moved": 1}[EventKind.MOVED] == 1
    assert EventKind("moved") is EventKind.MOVED
