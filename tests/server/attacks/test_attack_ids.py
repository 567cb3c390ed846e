"""An id belongs to the one who sent it: nobody spends another's."""

from collections.abc import Callable

from guest import Guest
from online_table import Table, catch_up
from serving import Running

People = Callable[..., Table]


def test_a_command_id_belongs_to_a_player(people: People) -> None:
    table = people("oware")
    assert table.south.move(0, id="same-id-1")["t"] == "ack"
    catch_up(table.north, table.south.version)
    assert table.north.move(6, id="same-id-1")["t"] == "ack"
    catch_up(table.south, table.north.version)
    assert table.south.ply == 2


def test_a_watcher_spends_no_players_id(people: People) -> None:
    table = people("oware")
    table.watcher.command("offer_draw", id="same-id-2")
    table.north.command("offer_draw", id="same-id-2")
    assert table.south.move(0, id="same-id-2")["t"] == "ack"
    catch_up(table.watcher, table.south.version)
    assert table.watcher.ply == 1


def test_the_same_id_of_the_same_player_is_done_once(people: People) -> None:
    table = people("oware")
    first = table.south.move(0, id="same-id-3")
    again = table.south.command("move", ply=1, move=0, id="same-id-3")
    assert (first["t"], first["version"]) == (again["t"], again["version"])


def test_an_id_in_the_lobby_belongs_to_a_visitor(served: Running) -> None:
    def seek(guest: Guest) -> str:
        with guest.socket("/ws/lobby") as socket:
            socket.send('{"t":"hello","v":1}')
            socket.send('{"t":"seek","id":"same-id-4","game":"kalah","clock":"-"}')
            while '"same-id-4"' not in (answer := str(socket.recv(10))):
                pass
            return answer

    assert seek(served.guest()) != seek(served.guest())
