"""Counts sequences of moves by a program of another design: one ring of 18 cells and pockets, no classes.

python count.py 5
"""

import sys


def after(ring, pockets, owned, mover, pit):
    """The ring is turned so that the mover's first house is cell 0; owned[k] is a cell of the ring or -1."""
    ring, pockets, owned = ring[:], pockets[:], owned[:]
    taken = ring[pit]
    ring[pit] = 0
    path = [pit] + [(pit + k) % 18 for k in range(1, taken)] if taken > 1 else [(pit + 1) % 18]
    for cell in path:
        keeper = owned.index(cell) if cell in owned else None
        if keeper is None:
            ring[cell] += 1
        else:
            pockets[keeper] += 1
    end = path[-1]
    if end > 8 and end not in owned:
        barred = (owned[1 - mover] + 9) if owned[1 - mover] >= 0 else -1
        if ring[end] in range(2, 200, 2):
            pockets[mover] += ring[end]
            ring[end] = 0
        elif ring[end] == 3 and owned[mover] < 0 and end not in (17, barred):
            owned[mover] = end
            pockets[mover] += 3
            ring[end] = 0
    turned = ring[9:] + ring[:9]
    return turned, pockets, [(cell + 9) % 18 if cell >= 0 else -1 for cell in owned]


def sequences(ring, pockets, owned, mover, depth):
    """How many sequences of exactly so many moves there are."""
    if depth == 0:
        return 1
    if max(pockets) > 81:
        return 0
    return sum(
        sequences(*after(ring, pockets, owned, mover, pit), 1 - mover, depth - 1)
        for pit in range(9)
        if ring[pit]
    )


if __name__ == "__main__":
    for depth in range(1, int(sys.argv[1]) + 1):
        print(depth, sequences([9] * 18, [0, 0], [-1, -1], 0, depth))
