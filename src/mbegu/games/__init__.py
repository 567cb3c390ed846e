"""The rules, one readable file per game, each in the same order:

docstring with the rules · card and options · start · moves · play · end · notation
"""

from mbegu.core.game import Position


def _paint(position: Position) -> str:
    from mbegu.games.pictures import picture  # noqa: PLC0415 - only notebooks need it

    return picture(position)


Position.painter = _paint  # positions draw themselves
