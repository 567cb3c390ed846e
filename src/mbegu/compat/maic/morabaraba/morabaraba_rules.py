"""The rules, as the framework applies them.

The AIs look ahead with these functions, so everything they can see is kept: the order of every
list, which state is changed and when, and the framework's own way of ending a game.
"""

import random
from typing import Any

from core import Color
from morabaraba.morabaraba_action import MorabarabaAction, MorabarabaActionType
from morabaraba.morabaraba_board import NEIGHBOURS, Cell, MorabarabaBoard
from morabaraba.morabaraba_state import MorabarabaState

MAX_SCORE = 10
_FLY_LIMIT = 10

_ADD = MorabarabaActionType.ADD
_MOVE = MorabarabaActionType.MOVE
_STEAL = MorabarabaActionType.STEAL
_FLY = MorabarabaActionType.FLY


class MorabarabaRules:
    """All static: `MorabarabaRules.act(...)` and `MorabarabaRules(anything).act(...)` are one."""

    def __init__(self, players: Any = ()) -> None:
        self.players = players
        self.current_player = -1

    # -- what may be done ------------------------------------------------------------------------

    @staticmethod
    def get_player_actions(state: MorabarabaState, player: int) -> list[MorabarabaAction]:
        """What `player` could do, whoever's turn it is.

        Listing for a player with three cows or fewer starts the fly counter: `fly_case` is set.
        """
        board = state.get_board()
        if state.mill:
            return [
                MorabarabaAction(_STEAL, at=cell)
                for cell in MorabarabaRules.stealables(-player, board)
            ]
        empty = board.get_all_empty_cells()
        if state.in_hand[player] > 0:
            return [MorabarabaAction(_ADD, to=cell) for cell in empty]
        pieces = board.get_player_pieces_on_board(Color(player))
        if len(pieces) > 3:
            kind = _MOVE
            free = set(empty)
            reach = {at: [to for to in NEIGHBOURS.get(at, ()) if to in free] for at in pieces}
        else:
            state.fly_case = True
            kind = _FLY
            reach = dict.fromkeys(pieces, empty)
        banned = _banned_mills(state, player)
        return [
            MorabarabaAction(kind, at=at, to=to)
            for at in pieces
            for to in reach[at]
            if not (banned and _completes(banned, pieces, at, to))
        ]

    @staticmethod
    def stealables(player: int, board: MorabarabaBoard) -> list[Cell]:
        """The cows of `player`, the victim, that may be shot."""
        safe = [cell for mill in board.player_mills(player) for cell in mill]
        open_to_fire = [
            cell for cell in board.get_player_pieces_on_board(Color(player)) if cell not in safe
        ]
        return open_to_fire or list(dict.fromkeys(safe))

    @staticmethod
    def get_rules_possibles_moves(cell: Cell, board: Any) -> list[Cell] | None:
        """All neighbours, empty or not, in a list of the caller's own; None off the points."""
        # A list is no point either, though [0, 0] looks like one.
        return list(NEIGHBOURS[cell]) if isinstance(cell, tuple) and cell in NEIGHBOURS else None

    @staticmethod
    def get_effective_cell_moves(state: MorabarabaState, cell: Cell) -> list[Cell] | None:
        """The empty neighbours. A grid cell that is no point is a TypeError, as it always was."""
        board = state.get_board()
        if not board.is_cell_on_board(cell):
            return None
        neighbours: Any = MorabarabaRules.get_rules_possibles_moves(cell, board)
        return [to for to in neighbours if board.is_empty_cell(to)]

    @staticmethod
    def is_making_mill(board: MorabarabaBoard, player: int, cell: Cell) -> list[Any]:
        """`[whether, which]`: the complete mills through `cell`, where the cow already stands."""
        made = [mill for mill in board.player_mills(player) if cell in mill]
        return [bool(made), made]

    @staticmethod
    def is_legal_move(state: MorabarabaState, action: MorabarabaAction, player: int) -> bool:
        """Whether `get_player_actions` would list it, without touching the state.

        So it does not ask whose turn it is: AIs look ahead with one player several times in a row,
        or let the wrong one shoot.
        """
        kind, cells = action.action_type, action.action
        board = state.get_board()
        if state.mill:
            return kind is _STEAL and cells["at"] in MorabarabaRules.stealables(-player, board)
        if kind is _STEAL or cells["to"] not in NEIGHBOURS or not board.is_empty_cell(cells["to"]):
            return False
        if state.in_hand[player] > 0 or kind is _ADD:
            return state.in_hand[player] > 0 and kind is _ADD
        at, to = cells["at"], cells["to"]
        pieces = board.get_player_pieces_on_board(Color(player))
        if at not in pieces or (kind is _MOVE) != (len(pieces) > 3):
            return False
        if kind is _MOVE and to not in NEIGHBOURS.get(at, ()):
            return False
        return not _completes(_banned_mills(state, player), pieces, at, to)

    @staticmethod
    def is_player_stuck(state: MorabarabaState, player: int) -> bool:
        return not MorabarabaRules.get_player_actions(state, player)

    @staticmethod
    def random_play(state: MorabarabaState, player: int) -> MorabarabaAction | None:
        actions = MorabarabaRules.get_player_actions(state, player)
        # The module's own generator, one choice a call: seeded AIs count on both.
        return random.choice(actions) if actions else None  # noqa: S311

    # -- doing it --------------------------------------------------------------------------------

    @staticmethod
    def act(
        state: MorabarabaState, action: MorabarabaAction, player: int
    ) -> bool | tuple[MorabarabaState, bool, bool]:
        """False if the action is illegal, else what `make_move` says."""
        if not MorabarabaRules.is_legal_move(state, action, player):
            return False
        return MorabarabaRules.make_move(state, action, player)

    @staticmethod
    def make_move(
        state: MorabarabaState, action: MorabarabaAction, player: int
    ) -> tuple[MorabarabaState, bool, bool]:
        """Changes the state itself; `(state, done, is_mill)`."""
        kind, cells = action.action_type, action.action
        board = state.get_board()
        mill = False
        if kind is _STEAL:
            board.empty_cell(cells["at"])
            state.score[player] += 1
            state.captured = cells["at"]
            state.boring_moves = 0
        else:
            if kind is _ADD:
                state.in_hand[player] -= 1
            else:
                # A STEAL or an ADD leaves a ban alone; the next MOVE or FLY replaces it.
                broken = [mill for mill in board.player_mills(player) if cells["at"] in mill]
                _set_ban(state, player, broken)
                board.empty_cell(cells["at"])
            board.fill_cell(cells["to"], Color(player))
            state.captured = None
            state.boring_moves += 1
            mill = MorabarabaRules.is_making_mill(board, player, cells["to"])[0]
        state.mill = mill
        if state.fly_case and not mill:
            state.fly_moves += 1
        state.set_latest_player(player)
        state.set_latest_move(action.get_json_action())
        state.set_next_player(player if mill else -player)
        return state, MorabarabaRules.is_end_game(state), mill

    # -- the end ---------------------------------------------------------------------------------

    @staticmethod
    def is_end_game(state: MorabarabaState) -> bool:
        """Tested even while a shot is owed. Before the first action: KeyError(None)."""
        if state.score[state.get_latest_player()] >= MAX_SCORE:  # type: ignore[index]
            return True
        if state.fly_moves == _FLY_LIMIT or MorabarabaRules.is_boring(state):
            return True
        if 0 in state.in_hand.values():
            board = state.get_board()
            if any(len(board.get_player_pieces_on_board(Color(p))) == 2 for p in (-1, 1)):
                return True
        return MorabarabaRules.is_player_stuck(state, state.get_next_player())

    @staticmethod
    def is_boring(state: MorabarabaState) -> bool:
        return state.boring_moves >= state.just_stop

    @staticmethod
    def get_results(state: MorabarabaState) -> dict[str, Any]:
        """The higher score wins; a tie names -1 all the same."""
        return {
            "tie": state.score[-1] == state.score[1],
            "winner": 1 if state.score[1] > state.score[-1] else -1,
            "score": state.score,
        }

    # -- small things ----------------------------------------------------------------------------

    @staticmethod
    def moment_player(state: MorabarabaState) -> int:
        return state.get_next_player()

    @staticmethod
    def is_elmt_in_first_is_in_second(first: Any, second: Any) -> bool:
        return any(element in second for element in first)


def _ban(state: MorabarabaState, player: int) -> list[Any]:
    return state.player1_forbidden_mill if player == -1 else state.player2_forbidden_mill


def _set_ban(state: MorabarabaState, player: int, broken: list[list[Cell]]) -> None:
    # A new list each time: AIs copy states shallowly, and must not see each other's bans.
    ban = [True, broken] if broken else [False, None]
    if player == -1:
        state.player1_forbidden_mill = ban
    else:
        state.player2_forbidden_mill = ban


def _banned_mills(state: MorabarabaState, player: int) -> list[list[Cell]]:
    on, mills = _ban(state, player)
    return mills if on and mills else []


def _completes(mills: list[list[Cell]], pieces: list[Cell], at: Cell, to: Cell) -> bool:
    """Whether one of `mills` would stand once a cow of `pieces` has gone from `at` to `to`."""
    return any(
        to in mill and all(cell == to or (cell != at and cell in pieces) for cell in mill)
        for mill in mills
    )
