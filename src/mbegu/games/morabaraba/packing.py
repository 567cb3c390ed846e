"""Morabaraba between Python and its kernel: positions packed and unpacked, moves as words and as numbers."""

from __future__ import annotations

from typing import Any

from mbegu.engine.kernels.bits import U
from mbegu.games.morabaraba.state import (
    ENDS,
    FLY,
    JSON_ORDER,
    MILLS,
    MOVE,
    NAMES,
    POINT,
    SHOT,
    STEAL,
    Morabaraba,
    MorabarabaClassic,
)

__all__ = ["from_move", "pack", "player", "scored", "seated", "to_move", "unpack", "width"]


def _is_classic(options: dict[str, Any]) -> bool:
    return bool(options.get("rules", "contest") == "classic")


def scored(options: dict[str, Any]) -> bool:
    """By the classic rules a blocked player loses, and few cows draw, whatever was shot."""
    return not _is_classic(options)


def pack(json_state: dict[str, Any], options: dict[str, Any]) -> Any:
    """The state of `{"board": 24 characters, "turn", "phase", "in_hand", "score", "ban", ...}`."""
    board = dict(zip(JSON_ORDER, json_state["board"], strict=True))
    player = (json_state["turn"] + 1) // 2
    classic = _is_classic(options)

    def cows(mark: str) -> int:
        return sum(1 << POINT[name] for name, cow in board.items() if cow == mark)

    def word(who: int) -> int:
        ban = _pack_ban(json_state["ban"][who], classic)
        return int(json_state["in_hand"][who] | json_state["score"][who] << 8 | ban << 32)

    clock = json_state["quiet"] | json_state["three"] << 32
    if json_state["phase"] == "STEAL":
        clock |= int(SHOT)
    herds = cows("xo"[player]), cows("ox"[player])
    words = (*herds, word(player), word(1 - player), clock)
    return (MorabarabaClassic if classic else Morabaraba)(*map(U, words))


def _pack_ban(names: list[str], classic: bool) -> int:
    if not classic:
        return sum(1 << MILLS.index(name) for name in set(names))
    if len(names) > 1:
        raise ValueError("the Morabaraba kernel takes one forbidden step at most")
    for name in names:
        start, end = name.split("-")
        return 1 | POINT[start] << 1 | POINT[end] << 6
    return 0


def unpack(state: Any, player: int, over: bool, options: dict[str, Any]) -> dict[str, Any]:
    """The JSON of a state in which `player` is to act (or would act, when the game is over)."""
    me, op, mine, his, clock = (int(word) for word in state)
    marks = "xo" if player == 0 else "ox"
    board = "".join(
        marks[0] if me >> POINT[name] & 1 else marks[1] if op >> POINT[name] & 1 else "."
        for name in JSON_ORDER
    )
    words = [mine, his] if player == 0 else [his, mine]
    if clock & int(SHOT):
        phase = "STEAL"
    elif mine & 0xFF:
        phase = "ADD"
    else:
        phase = "MOVE" if me.bit_count() > 3 else "FLY"
    json_state: dict[str, Any] = {
        "board": board,
        "turn": (-1, 1)[player],
        "phase": phase,
        "in_hand": [word & 0xFF for word in words],
        "score": [word >> 8 & 0xFF for word in words],
        "ban": [_unpack_ban(word >> 32, _is_classic(options)) for word in words],
        "quiet": clock & 0xFFFFFFFF,
        "three": clock >> 32 & 0xFF,
        "over": None,
    }
    if over:
        json_state["over"] = _ending(json_state, _is_classic(options))
        json_state["phase"] = "OVER"
    return json_state


def _unpack_ban(ban: int, classic: bool) -> list[str]:
    if not classic:
        return [mill for i, mill in enumerate(MILLS) if ban >> i & 1]
    return [f"{NAMES[ban >> 1 & 31]}-{NAMES[ban >> 6]}"] if ban else []


def _ending(json_state: dict[str, Any], classic: bool) -> dict[str, Any]:
    """Why a finished game is over, and who has won."""
    score = json_state["score"]
    winner = (score[1] > score[0]) - (score[1] < score[0])
    if max(score) >= 10:
        return {"reason": "two_cows", "winner": winner}
    if _is_blocked(json_state, classic):
        return {"reason": "no_moves", "winner": -json_state["turn"] if classic else winner}
    if json_state["three"] >= 10:
        return {"reason": "ten_moves", "winner": 0 if classic else winner}
    return {"reason": "fifty_moves", "winner": winner}


def _is_blocked(json_state: dict[str, Any], classic: bool) -> bool:
    """Whether nothing is legal, the counters left aside."""
    player = (json_state["turn"] + 1) // 2
    held = dict(zip(JSON_ORDER, json_state["board"], strict=True))
    empty = [name for name in JSON_ORDER if held[name] == "."]
    if json_state["phase"] == "ADD":
        return not empty
    mine = {name for name in JSON_ORDER if held[name] == "xo"[player]}
    bans = json_state["ban"][player]

    def allowed(start: str, end: str) -> bool:
        if json_state["phase"] == "MOVE" and _direction(POINT[start], POINT[end]) is None:
            return False
        if classic:
            return f"{start}-{end}" not in bans
        after = mine - {start} | {end}
        return not any(
            end in mill.split("-") and after.issuperset(mill.split("-")) for mill in bans
        )

    return not any(allowed(start, end) for start in mine for end in empty)


def _direction(start: int, end: int) -> int | None:
    """The direction of a step; None if no line joins the points."""
    for direction in range(4):
        inside = start < 16 if direction == 2 else start >= 8 or direction < 2
        if inside and ENDS[32 * direction + start] == end:
            return direction
    return None


def to_move(move: Any, player: int, options: dict[str, Any]) -> int:
    """The kernel's move of an action as the rules write it: "MOVE a1 a4"."""
    kind, *names = move.split()
    points = [POINT[name] for name in names]
    if kind == "ADD":
        return points[0]
    if kind == "STEAL":
        return STEAL + points[0]
    start, end = points
    if kind == "FLY":
        return FLY + 32 * start + end
    direction = _direction(start, end)
    if direction is None:
        raise ValueError(f"no line joins {names[0]} and {names[1]}")
    return MOVE + 32 * direction + start


def from_move(move: int, player: int, options: dict[str, Any]) -> str:
    """A kernel's move as the rules write it."""
    if move < STEAL:
        return f"ADD {NAMES[move]}"
    if move < MOVE:
        return f"STEAL {NAMES[move - STEAL]}"
    if move < FLY:
        return f"MOVE {NAMES[move & 31]} {NAMES[ENDS[move - MOVE]]}"
    return f"FLY {NAMES[(move - FLY) >> 5]} {NAMES[move & 31]}"


def player(json_state: dict[str, Any]) -> int | None:
    """Who is to act in a JSON state: 0, 1, or None when the game is over."""
    return None if json_state["phase"] == "OVER" else (json_state["turn"] + 1) // 2


def seated(json_state: dict[str, Any], player: int) -> dict[str, Any]:
    """The JSON state as if this player were to act."""
    return json_state | {"turn": 2 * player - 1}


def width(options: dict[str, Any]) -> int:
    """How many bytes a learner sees."""
    return 24 + 24 + 7 + 40
