"""What the keys do, and the words that may be typed after a colon."""

import textwrap

from mbegu.core.game import Position
from mbegu.core.i18n import _
from mbegu.terminal.words import spoken

__all__ = ["KEYS", "command_lines", "help_text", "key_row"]

SHEET = 65  # columns that a sheet has for its text on the smallest screen
KEYS = {
    "?": "?",
    "f1": "?",
    "h": "hint",
    "f2": "hint",
    "u": "undo",
    "f3": "undo",
    "s": "save",
    "o": "load",
    "n": "new",
    "t": "theme",
    "v": "eval",
    "r": "rules",
    "q": "q",
    "ctrl+c": "q",
    ":": ":",
}


def key_row() -> list[tuple[str, str]]:
    """The last row of the screen; where it is too long, its end is left out, and never the way out."""
    return [
        ("?", spoken("help")),
        ("q", spoken("quit")),
        ("h", spoken("hint")),
        ("u", spoken("undo")),
        ("n", spoken("new")),
        ("s", spoken("save")),
        (":", _("command")),
        ("t", spoken("theme")),
    ]


def command_lines() -> list[tuple[str, str, str]]:
    """Each command: its key, its word, what it does."""
    return [
        ("h F2", spoken("hint"), _("a good move, and what it does")),
        ("u F3", spoken("undo"), _("take your last move back")),
        ("n", spoken("new"), _("begin again, or another game")),
        ("s", spoken("save"), _("write the game to a file")),
        ("o", spoken("load"), _("go on with a game from a file")),
        ("v", spoken("eval"), _("show or hide who stands better")),
        ("t", spoken("theme"), _("other colours")),
        ("+ -", spoken("speed"), _("how quickly moves are shown, from 1 to 5")),
        ("r", spoken("rules"), _("the rules of this game")),
        ("", spoken("resign"), _("give up")),
        ("q", spoken("quit"), _("leave; the game is kept: mbegu play --resume")),
    ]


def help_text(position: Position) -> str:
    """Everything that one can do here."""
    at = position if position.turn is not None else position.game.start()
    example = position.game.format_move(at.legal_moves()[0], at)
    lines = [
        _("Arrows and Enter, the mouse, or the name of a move ({example}) play it.").format(
            example=example
        ),
        _("Tab goes to the next place that can be played; Esc lets go."),
        _("[x] can be played, * was played last; the line below says what a move would do."),
        _("While seeds are sown: space pauses, . is a step, Esc skips, + and - change the speed."),
        "",
        _("A letter that is a move is a move; these keys are for the rest:"),
    ]
    for key, word, what in command_lines():
        first = f"  {key:6} :{word:14} "
        lines.append(_hung(first, what))
    return "\n".join(lines)


def _hung(first: str, what: str) -> str:
    """A long explanation goes on under its beginning."""
    return first + f"\n{' ' * len(first)}".join(textwrap.wrap(what, SHEET - len(first)))
