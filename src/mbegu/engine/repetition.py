"""Repetition, and which proofs hold on the path of a game.

A match may end because a position comes back, so what a position is worth depends on the way there.
A proof in the table says: "from here one side can force so much, by finite means, without a
repetition". A node that came back is never proved, and whatever rests on it is not proved either.

**Why such a proof holds from a root without a past.** Fix what is claimed. Each claim was made after
the claims about the children that it rests on; so a player who, in each position, follows the earliest
claim that is strong enough goes down a strictly decreasing series of moments, whatever the
other one plays. If a position occurred twice, its earliest claim would be earlier than itself. So the
play never repeats a position, and no rule of repetition can interfere: neither in the search that made
the claim, nor on another path, nor in another thread, nor from another root.

**What a past changes.** That play may run into a position of the game before the root, and there the
match would end. Such positions are *dangerous*: those with no irreversible move between them and the
root that have occurred so often that once more ends the match (see `IterativeDeepening._recall`). While there are
any, a claim is good only if it was made with the same root and the same past, where each step into a
dangerous position counted as a repetition. That is what `AGE` tells: it changes whenever they change, and before
an age comes round again the table is emptied. And it must have been made with the same player to move:
the table holds a position and the same one with the players exchanged as one, but where one of them would
end the match the other one might not. That is what an entry's `side` tells. Beyond an irreversible move no
dangerous position can be reached, and every claim is good there.

A proof that is not good here gives its move, and nothing more.
"""

from __future__ import annotations

from mbegu.engine.jit import inlined
from mbegu.engine.kernels.interface import irreversible, key
from mbegu.engine.knowledge import NEVER, recurrence
from mbegu.engine.memory import peek, peek_bits, poke, poke_bits
from mbegu.engine.thread_data import AGE, BASE, DANGER, PATH, REPEATS, SINCE
from mbegu.engine.transposition import SOLVED, age_of, depth_of, proved_of, side_of

USELESS = -1  # see `proofs`


@inlined
def enter(state, parent, ply, thread):  # type: ignore[no-untyped-def]
    """Writes a position to the path that leads to it, for games in which positions may come back."""
    if recurrence(state) != NEVER:
        at = peek(thread, BASE) + ply
        poke_bits(thread, PATH + at, key(state))
        since = at if irreversible(parent, state) else peek(thread, SINCE + ply - 1)
        poke(thread, SINCE + ply, since)


@inlined
def comes_back(ply, thread):  # type: ignore[no-untyped-def]
    """Whether the position at this ply stands on the path already."""
    base = peek(thread, BASE)
    at = base + ply
    here = peek_bits(thread, PATH + at)
    before = 0
    for i in range(at - 2, peek(thread, SINCE + ply) - 1, -2):
        if peek_bits(thread, PATH + i) == here:
            if i >= base:
                return True
            before += 1
    return before > 0 and before >= peek(thread, REPEATS)


@inlined
def in_danger(ply, thread):  # type: ignore[no-untyped-def]
    """Whether a dangerous position might be reached from the one at this ply."""
    return peek(thread, DANGER) != 0 and peek(thread, SINCE + ply) <= peek(thread, BASE)


@inlined
def side(state, ply):  # type: ignore[no-untyped-def]
    """What an entry is to tell about whose turn it was."""
    return ply & 1 if recurrence(state) != NEVER else 0


@inlined
def made_here(found, ply, thread):  # type: ignore[no-untyped-def]
    """Whether an entry comes from a thought about this root and past, with the same player to move."""
    return age_of(found) == peek(thread, AGE) and side_of(found) == ply & 1


@inlined
def proofs(state, found, ply, thread):  # type: ignore[no-untyped-def]
    """Which bounds of an entry are proved here; USELESS if it was nothing but a proof, and is none."""
    if recurrence(state) == NEVER or not in_danger(ply, thread) or made_here(found, ply, thread):
        return proved_of(found)
    return USELESS if depth_of(found) == SOLVED else 0


@inlined
def proofs_of_child(state, child, found, ply, thread):  # type: ignore[no-untyped-def]
    """The same for a child that has not been entered."""
    if (
        recurrence(state) == NEVER
        or not in_danger(ply, thread)
        or made_here(found, ply + 1, thread)
    ):
        return proved_of(found)
    if irreversible(state, child):
        return proved_of(found)
    return USELESS if depth_of(found) == SOLVED else 0
