"""People, ratings and names on both stores: the same story, the same ends."""

from dataclasses import replace
from pathlib import Path

from members import PASSWORD, member, play, rated_room, token_of
from serving import plain_settings, running

from mbegu.cli import main


def test_people_on_every_store(tmp_path: Path, url: str) -> None:
    with running(replace(plain_settings(tmp_path), database=url)) as server:
        (host, one), (friend, other) = member(server), member(server, bot=True)
        again = server.guest().post("/api/v1/account", {"name": one.upper(), "password": PASSWORD})
        assert again.status == 409
        for loser in (0, 1, 1):
            play(rated_room(host, friend), [host, friend], 10, loser=loser)
        shown = server.guest().get(f"/api/v1/people/{one}")
        assert [game["points"] for game in shown["games"]] == [1, 1, 0]
        assert shown["ratings"]["oware"]["games"] == 3
        assert server.guest().get("/api/v1/leaderboards/oware?bots=false")["places"] == []
        assert token_of(friend, "read", "play")
        stranger = server.guest()
        assert stranger.ask("GET", "/api/v1/people/%00").status == 404
        assert stranger.ask("GET", "/api/v1/rooms/%00").status == 404
        assert stranger.ask("GET", "/api/v1/rooms?before=1~%00").status == 400
        room = server.guest().new_room("oware", "human", "human")
        assert stranger.ask("GET", f"/api/v1/rooms/{room}").status == 200
        assert main(["admin", "ban", other, "--database", url]) == 0
        assert main(["admin", "users", "--database", url]) == 0
        assert main(["admin", "stats", "--json", "--database", url]) == 0
        assert len(host.get("/api/v1/account/export")["games"]) == 3
        assert host.post("/api/v1/account/delete", {"password": PASSWORD}).status == 204
        assert server.guest().ask("GET", f"/api/v1/people/{one}").status == 404
