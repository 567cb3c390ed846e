"""Where the cursor goes."""

from mbegu.terminal.tui.canvas import Canvas
from mbegu.terminal.tui.session import Session

__all__ = ["neighbour", "next_open"]

HIGH = 2  # a character is about twice as high as it is wide
ASIDE = 3  # how much farther a step aside counts than one in the wanted direction


def neighbour(session: Session, canvas: Canvas, dx: int, dy: int) -> str:
    """The place that lies next in a direction; where there is none, the same."""
    here = canvas.middle(session.cursor)
    if here is None:
        places = session.places()
        return places[0] if places else ""
    best, found = None, session.cursor
    for name in session.places():
        there = canvas.middle(name)
        if there is None or name == session.cursor:
            continue
        across, down = there[0] - here[0], HIGH * (there[1] - here[1])
        ahead, aside = across * dx + down * dy, abs(across * dy) + abs(down * dx)
        if ahead <= 0 or aside > 2 * ahead:
            continue
        if best is None or ahead + ASIDE * aside < best:
            best, found = ahead + ASIDE * aside, name
    return found


def next_open(session: Session, step: int = 1) -> str:
    """The next place that can be played."""
    names, starts = session.places(), session.open_places()
    if not starts:
        return session.cursor
    at = names.index(session.cursor) if session.cursor in names else 0
    order = [names[(at + step * (k + 1)) % len(names)] for k in range(len(names))]
    return next((name for name in order if name in starts), session.cursor)
