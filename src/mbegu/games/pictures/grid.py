"""A board of any other shape: its places where the game says that they lie, or its text."""

from mbegu.core.board import Lying, Place
from mbegu.core.drawing import Markup, group, number, tag
from mbegu.core.game import Position
from mbegu.games.pictures.material import (
    ACCENT,
    CREAM,
    INK,
    badge,
    defs,
    finish,
    hollow,
    nickernuts,
    plank,
    pointer,
    scatter,
    text,
)

__all__ = ["draw_grid", "draw_text"]

MONO = "'Noto Sans Mono','DejaVu Sans Mono',Menlo,Consolas,monospace"
COLOURS = ("#3a2c26", "#ead9b8", "#cf3a2b", "#2f78b7")  # of the kinds, where there are several
STEP = 100.0


def draw_grid(position: Position) -> str:
    """Every place at its row and column, and every store that has one of its own: scores are told in words too."""
    board, lying = position.game.board, position.places()
    taken = {(place.row, place.column) for place in board.places}
    apart = [store for store in board.stores if (store.row, store.column) not in taken]
    places = (*board.places, *apart)
    left, top = min(at.column for at in places), min(at.row for at in places)
    across = max(at.column for at in places) - left + 1
    down = max(at.row for at in places) - top + 1
    width, height = across * STEP + 120, down * STEP + 180
    at = {
        place.name: (
            60 + (place.column - left + 0.5) * STEP,
            80 + (place.row - top + 0.5) * STEP,
        )
        for place in places
    }
    parts = [defs(*nickernuts()), plank(14, 14, width - 28, height - 40, 40)]
    for names in board.lines:
        d = "M" + "L".join(f"{number(at[name][0])} {number(at[name][1])}" for name in names)
        parts.append(tag("path", d=d, fill="none", stroke=INK, stroke_width=6))
    for k, place in enumerate(places):
        x, y = at[place.name]
        what = lying.get(place.name, Lying((0,) * len(board.kinds)))
        parts.append(group(*_inside(place, what, k), x=x, y=y, data_place=place.name))
    parts += [_side(position, player, width, height) for player in (0, 1)]
    return finish(position, width, height, *parts)


def _inside(place: Place, lying: Lying, k: int) -> list[Markup]:
    """A hollow with what lies in it, its label, and a rim if it is marked."""
    parts = [hollow(84, 84, rim=ACCENT if lying.marks else "")]
    if len(lying.counts) == 1:
        count = lying.counts[0]
        parts += [scatter(count, 42, k, size=0.9), badge(count, 27, 31, size=15)]
    else:
        kinds = [kind for kind, count in enumerate(lying.counts) if count]
        for shift, kind in enumerate(kinds):
            x = (shift - (len(kinds) - 1) / 2) * 30
            fill = COLOURS[kind % len(COLOURS)]
            parts.append(tag("circle", cx=x, cy=0, r=22, fill=fill, stroke=INK, stroke_width=1.5))
            if lying.counts[kind] > 1:
                parts.append(badge(lying.counts[kind], x + 12, 18, size=13))
    parts.append(text(place.label or place.name, -36, 38, 13, font_weight=600, opacity=0.85))
    return parts


def _side(position: Position, player: int, width: float, height: float) -> Markup:
    """A player's name and score, and whether it is his turn."""
    words = f"{position.game.side(player)} · {position.scores()[player]}"
    y = height - 62 if player == 0 else 46
    parts = [text(words, width / 2, y, 20, font_weight=600)]
    if position.turn == player:
        parts.append(pointer(width / 2 - 60, y + 18, 120))
    return group(*parts)


def draw_text(position: Position) -> str:
    """The text of the board on a wooden panel, and below it every move that may be played."""
    lines = position.diagram().split("\n")
    words = [position.game.format_move(move, position) for move in position.legal_moves()]
    rows = _buttons(words, max(480.0, max(map(len, lines)) * 11.0))
    width = max(max(map(len, lines)) * 11.0, *(row[-1][1] + row[-1][2] for row in rows), 0) + 120
    height = len(lines) * 24.0 + 140 + 44 * len(rows)
    told = [
        tag("text", line, x=60, y=76 + 24 * k, font_size=18, fill=CREAM, style="white-space:pre")
        for k, line in enumerate(lines)
    ]
    y = 76 + 24.0 * len(lines)
    buttons = [
        group(
            tag("rect", width=wide, height=34, rx=17, fill=CREAM, stroke=INK),
            text(word, wide / 2, 17, 16, fill=INK, font_weight=600),
            x=60 + x,
            y=y + 44 * number_,
            data_place=word,
        )
        for number_, row in enumerate(rows)
        for word, x, wide in row
    ]
    panel = plank(14, 14, width - 28, height - 40, 30)
    return finish(position, width, height, defs(), panel, group(*told, font_family=MONO), *buttons)


def _buttons(words: list[str], most: float) -> list[list[tuple[str, float, float]]]:
    """The words in rows: each with where it begins and how wide it is."""
    rows: list[list[tuple[str, float, float]]] = []
    x = most + 1
    for word in words:
        wide = 26 + 10.0 * len(word)
        if x + wide > most:
            rows.append([])
            x = 0
        rows[-1].append((word, x, wide))
        x += wide + 10
    return rows
