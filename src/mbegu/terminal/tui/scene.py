"""The whole screen of a game in a canvas: players, board, moves, evaluation, what is said, keys."""

import textwrap
from dataclasses import dataclass, field

from mbegu.core.board import Board
from mbegu.core.i18n import _
from mbegu.core.story import tell_outcome
from mbegu.core.typography import labelled, numeral
from mbegu.terminal.tui.canvas import Canvas
from mbegu.terminal.tui.drawing import FULL, PLAIN, View, draw_board, room_for, room_of
from mbegu.terminal.tui.session import Session

__all__ = ["State", "compose", "table_size", "too_small"]

PANEL = 21  # columns of the moves
BROAD_PANEL = 29  # on a screen that has room for moves of several words
WITH_PANEL = 76  # columns of a screen from which on there is room for them
BELOW = 4  # rows under the board: what goes on, what is said (two), keys
LEAST = (40, 14)
AMPLE = (100, 30)  # more than that a table takes only for a board that needs it


@dataclass
class State:
    """What the screen shows besides the game itself."""

    plain: bool = False
    thinking: bool = False
    paused: bool = False
    speed: int = 3
    chance: float | None = None  # of the first player
    evaluating: bool = True
    notice: str = ""
    keys: list[tuple[str, str]] = field(default_factory=list)


def too_small(board: Board, width: int, height: int) -> bool:
    """Whether the board does not fit, however it is drawn."""
    room = _Room.of(board, width, height)
    wide, high = room_for(board, room.wide, room.high)
    return wide > room.wide or high > room.high or width < LEAST[0] or height < LEAST[1]


@dataclass(frozen=True)
class _Room:
    """Where the board and the panel are."""

    wide: int
    high: int
    panel: int  # columns, 0 for none

    @classmethod
    def of(cls, board: Board, width: int, height: int) -> "_Room":
        """The moves stand beside the board, unless it needs all the room there is."""
        high = height - BELOW - 3
        panel = _panel_of(width)
        if panel and room_for(board, width - panel, high)[0] > width - panel:
            panel = 0
        return cls(width - panel, high, panel)


def compose(session: Session, state: State, width: int, height: int) -> Canvas:
    """The screen, of this size. On a large one the table stands in its middle."""
    canvas = Canvas(width, height)
    if too_small(session.match.game.board, width, height):
        for row, line in enumerate(textwrap.wrap(_small(width, height), max(1, width))):
            canvas.put(0, row, line, "bad")
        return canvas
    view = view_of(session, state)
    wide, high = table_size(view, width, height)
    table = _table(session, state, view, Canvas(wide, high))
    canvas.paste(table, (width - wide) // 2, (height - high) // 2)
    return canvas


def _panel_of(width: int) -> int:
    if width < WITH_PANEL:
        return 0
    return BROAD_PANEL if width >= AMPLE[0] else PANEL


def table_size(view: View, width: int, height: int) -> tuple[int, int]:
    """How much of a screen a table takes: players and words stay near the board."""
    panel = _panel_of(width)
    wide, high = room_of(view, width - panel, height - BELOW - 3)
    return (
        min(width, max(AMPLE[0], wide + panel + 4)),
        min(height, max(AMPLE[1], high + BELOW + 5)),
    )


def _table(session: Session, state: State, view: View, canvas: Canvas) -> Canvas:
    board = view.board
    room = _Room.of(board, canvas.width, canvas.height)
    _title(canvas, session, state)
    top = _top_player(board)
    _player(canvas, 1, top, session, state, room.wide)
    draw_board(canvas, 0, 2, room.wide, room.high, view)
    _player(canvas, 2 + room.high, 1 - top, session, state, room.wide)
    if room.panel:
        _panel(canvas, room.wide, 1, room.panel, room.high + 2, session, state)
    _below(canvas, canvas.height - BELOW, session, state)
    return canvas


def view_of(session: Session, state: State) -> View:
    """The board of a session, as it is to be drawn."""
    idle = session.human_to_move and not session.reel
    return View(
        session.position,
        session.frame,
        frozenset(session.open_places()),
        session.cursor if idle else "",
        session.chosen or "",
        () if session.reel else session.last,
        session.preview(),
        PLAIN if state.plain else FULL,
    )


def _small(width: int, height: int) -> str:
    told = _("This window is too small for the board ({width}×{height}; 80×24 will do). q leaves.")
    return told.format(width=width, height=height)


def _top_player(board: Board) -> int:
    """Who sits above the board: whose holes lie on top."""
    rows = {
        player: [place.row for place in board.places if place.owner == player] for player in (0, 1)
    }
    if not rows[0] or not rows[1]:
        return 1
    mean = [sum(rows[player]) / len(rows[player]) for player in (0, 1)]
    return 0 if mean[0] < mean[1] else 1


# ---- the parts ------------------------------------------------------------------------------------


def _title(canvas: Canvas, session: Session, state: State) -> None:
    game = session.match.game
    canvas.fill(0, 0, canvas.width, 1, "title")
    name = _(game.title)
    if str(game) != game.name:
        name += f" · {game}"
    canvas.put(1, 0, name[: canvas.width - 20], "title")
    told = _("speed {number}").format(number=state.speed)
    canvas.put(canvas.width - len(told) - 1, 0, told, "title")


def _player(
    canvas: Canvas, y: int, player: int, session: Session, state: State, width: int
) -> None:
    """Who sits there, whether it is his turn, what he has won and has in hand, and his time."""
    match, seat = session.match, session.seats[player]
    mine = session.shown_turn == player
    arrow = (">" if state.plain else "▶") if mine else " "
    tone = "turn" if mine else "dim"
    told = _belongings(session, player)
    left = match.clock.remaining(player)
    if left is not None:
        told += f"  {max(0, int(left)) // 60}:{max(0, int(left)) % 60:02}"
    side, seated = match.game.side(player), f" · {seat.shown}"
    room = width - len(arrow + seated + told) - 6
    if len(side) > room > 0:  # who plays it, and what he has, stand there all the same
        side = side[: room - 1] + ("." if state.plain else "…")
    canvas.put(1, y, f"{arrow} {side}{seated}", tone)
    canvas.put(width - len(told) - 2, y, told, tone)


def _belongings(session: Session, player: int) -> str:
    game, lying = session.match.game, session.frame.lying
    board, told = game.board, list[str]()
    hand = board.store(player, "hand")
    if hand is not None and hand.name in lying:
        told.append(_("in hand {count}").format(count=sum(lying[hand.name].counts)))
    store = board.store(player)
    at = -2 if session.reel else -1  # what comes of a move is not told before it has happened
    score = session.match.positions[at].scores()[player]
    if store is not None and store.name in lying:
        score = sum(lying[store.name].counts)
    told.append(f"{_(board.score)} {score}")
    return "  ".join(told)


def _panel(
    canvas: Canvas, x: int, y: int, width: int, height: int, session: Session, state: State
) -> None:
    """The moves so far, the newest at the bottom, and who stands better."""
    game = session.match.game
    rows = _move_rows(session)
    shown = max(1, height - 5)
    column = (width - 5) // 2  # with a space to the next one
    for player in (0, 1):
        canvas.put(x + 5 + column * player, y, game.side(player)[: column - 1], "dim")
    first = max(0, len(rows) - shown)
    for line, (number, words) in enumerate(list(enumerate(rows, 1))[first:]):
        canvas.put(x, y + 1 + line, f"{number:3}. ", "dim")
        for player in (0, 1):
            canvas.put(x + 5 + column * player, y + 1 + line, words[player][: column - 1])
    if state.evaluating:
        _bar(canvas, x, y + height - 3, width - 2, session, state)


def _move_rows(session: Session) -> list[list[str]]:
    """The moves in two columns; who moves again goes on in his own."""
    rows: list[list[str]] = []
    mover = None
    for player, word in session.moves_told():
        if player == mover:
            rows[-1][player] += word if word.startswith("x") else f"+{word}"
        elif player == 1 and rows and not rows[-1][1]:
            rows[-1][1] = word
        else:
            rows.append(["", ""])
            rows[-1][player] = word
        mover = player
    return rows


def _bar(canvas: Canvas, x: int, y: int, width: int, session: Session, state: State) -> None:
    """Each player's winning chance, and a bar of it."""
    game = session.match.game
    if state.chance is None:
        canvas.put(x, y, _("evaluation: …"), "dim")
        return
    first = state.chance
    shares = numeral(first, ".0%"), numeral(1 - first, ".0%")
    room = min(6, (width - len("".join(shares)) - 3) // 2)  # what two names may take
    sides = f"{game.side(0)[:room]} {shares[0]}", f"{shares[1]} {game.side(1)[:room]}"
    canvas.put(x, y, sides[0], "dim")
    canvas.put(x + width - len(sides[1]), y, sides[1], "dim")
    full = round(first * width)
    signs = "#-" if state.plain else "█░"
    canvas.put(x, y + 1, signs[0] * full + signs[1] * (width - full), "bar")


def _below(canvas: Canvas, y: int, session: Session, state: State) -> None:
    tone, told = _going_on(session, state)
    wide = canvas.width - 2
    lines = [(text, tone) for text in textwrap.wrap(told, wide) or [""]]
    said = _said(session).rstrip().removesuffix(told)  # how it ended need not be told twice
    for part in (state.notice or said).splitlines():
        lines += [(text, "") for text in textwrap.wrap(part, wide)]
    for line, (text, its_tone) in enumerate(lines[:3]):
        canvas.put(1, y + line, text, its_tone)
        _pointable(canvas, y + line, text, session)
    at = 1
    for key, word in state.keys:
        if at + len(key) + len(word) + 1 > canvas.width:
            break
        canvas.put(at, y + 3, key, "key")
        canvas.put(at + len(key) + 1, y + 3, word, "dim")
        canvas.area(f"key:{key}", at, y + 3, len(key) + len(word) + 1, 1)
        at += len(key) + len(word) + 3


def _pointable(canvas: Canvas, y: int, text: str, session: Session) -> None:
    """The words among which one chooses can be clicked."""
    for number, choice in enumerate(session.variants()):
        at = text.find(choice.word)
        if at >= 0:
            canvas.area(f"pick:{number}", 1 + at, y, len(choice.word), 1)


def _said(session: Session) -> str:
    """What was just said; else what the move under the cursor would do, or why there is none."""
    if session.reel:  # what comes of it is not told before it has happened
        return session.reel[0].told or session.headline
    if session.message:
        return f"{session.message}\n{session.preview().told if session.variants() else ''}"
    told = session.preview().told
    if told or not session.human_to_move or session.cursor in session.open_places():
        return told
    return session.why_not(session.cursor) if session.chosen is None else ""


def _going_on(session: Session, state: State) -> tuple[str, str]:
    """What goes on: the film with its lap, whose turn it is, or how the game ended."""
    match = session.match
    if session.reel:
        return "turn", _film_line(session, state)
    if match.outcome is not None:
        return "turn", tell_outcome(match.game, match.outcome)
    assert match.turn is not None
    side = match.game.side(match.turn)
    if state.thinking:
        return "dim", _("{side} is thinking …").format(side=side)
    due = str(session.position.marks().get("due") or "")
    told = _("{side} to move").format(side=side)
    told = labelled(told, due) if due else told
    typed = f"  > {session.typed}" if session.typed else ""
    return "turn", told + typed


def _film_line(session: Session, state: State) -> str:
    frame = session.reel[0]
    told = [_("lap {number}").format(number=frame.lap)] if frame.lap else []
    if frame.hand:
        told.append(_("{number} in the hand").format(number=frame.hand))
    told.append(
        _("paused: . is a step, space goes on") if state.paused else _("space: pause, Esc: skip")
    )
    return " · ".join(told)
