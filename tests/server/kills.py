"""Ends a server again and again in the middle of games, without a word."""

import asyncio
import random
import socket
from dataclasses import dataclass

from processes import process
from sturdy import Player, kept, pairs

MOST_SECONDS = 10.0  # until a kill
GAMES = ["oware", "kalah", "awale2", "urubugu", "morabaraba"]


@dataclass
class Survived:
    """How it went."""

    kills: int
    moves: int  # that were acknowledged
    lines: int  # connections


def survive(url: str, kills: int, seed: str = "kill") -> Survived:
    """Plays games while the server is killed so many times; fails if anything promised is lost."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    players = asyncio.run(_survive(url, kills, port, random.Random(seed)))
    return Survived(kills, kept(url, players), sum(player.lines for player in players))


async def _survive(url: str, kills: int, port: str, lot: random.Random) -> list[Player]:
    players: list[Player] = []
    playing: list[asyncio.Task[None]] = []
    done, last = 0, False
    while not last:
        last = done == kills
        with process(url, "--port", port) as (server, new):
            guest = players[0].guest if players else new
            guest.get("/api/v1/rooms")
            if all(player.over for player in players) and not last:
                more = pairs(guest, GAMES, str(lot.random()), 100_000, cuts=False)
                players += more
                playing += [asyncio.create_task(player.play()) for player in more]
            await _some_moves(players, lot)
            if last:
                for player in players:
                    player.most = 0  # it is enough: whoever is to move resigns
                await asyncio.wait_for(asyncio.gather(*playing), 60)
            else:
                server.kill()
                done += 1
    return players


async def _some_moves(players: list[Player], lot: random.Random) -> None:
    """Until a random number of moves has been acknowledged, and a little longer."""
    until = asyncio.get_running_loop().time() + MOST_SECONDS
    enough = lot.randrange(1, 30) + sum(len(player.promised) for player in players)
    while (
        sum(len(player.promised) for player in players) < enough
        and not all(player.over for player in players)
        and asyncio.get_running_loop().time() < until
    ):
        await asyncio.sleep(0.001)
    await asyncio.sleep(lot.uniform(0.0, 0.05))
