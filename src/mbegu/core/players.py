"""Who plays, in words: records and options write `human`, `random`, `level3`; people read a name.

>>> player_name("level3"), player_name("Amina")
('level 3', 'Amina')
"""

from mbegu.core.i18n import _, p_

__all__ = ["player_name"]


def player_name(name: str) -> str:
    """The name of a player in the language of the moment; what is no word of ours stays as it is."""
    level = name.removeprefix("level")
    if level != name and level.isdecimal():
        return _("level {level}").format(level=level)
    known = {
        "human": p_("player", "human"),
        "random": p_("player", "random"),
        "greedy": p_("player", "greedy"),
        "minimax": p_("player", "minimax"),
    }
    return known.get(name, name)
