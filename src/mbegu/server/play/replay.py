"""A kept game is played through in pieces: however long it is, nobody waits for it."""

import asyncio

from mbegu.server.play.game_state import Course
from mbegu.server.play.rows import RoomRow

__all__ = ["replayed"]

AT_ONCE = 32  # events that are played before others have their turn


async def replayed(row: RoomRow) -> Course:
    """The course of a game from its log."""
    course = Course(row, played=False)
    for number, _entry in enumerate(course.replaying(row.log), 1):
        if number % AT_ONCE == 0:
            await asyncio.sleep(0)
    return course
