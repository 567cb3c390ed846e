"""What a player of Morabaraba is told to do."""

from mbegu.core.i18n import _

__all__ = ["DUE", "TO_DO"]

TO_DO = {
    "ADD": lambda: _("place a cow on an empty point"),
    "MOVE": lambda: _("move a cow along a line"),
    "FLY": lambda: _("fly: move a cow to any empty point"),
    "STEAL": lambda: _("a mill: shoot a cow of your opponent"),
}

# The sentence that tells what is due instead of the move tried.
DUE = {
    "STEAL": lambda: _("you have a mill: shoot a cow of your opponent"),
    "ADD": lambda: _("while you have cows in hand you must place one"),
    "MOVE": lambda: _("move a cow along a line; no shot is due and no cow may fly"),
    "FLY": lambda: _("with three cows on the board, fly: one of your cows to any empty point"),
}
