"""Endgame tables: files that tell what every position with little on the board is worth.

    build(game("oware"), seeds=12)       makes one              mbegu.engine.tables.build
    table = open_table(game("oware"))    maps it into memory    mbegu.engine.tables.store
    table.look_up(position)              Verdict(value=4, low=4, high=4)

A table belongs to a set of rules, options included, and never answers for another. It is made of
*layers*, one for each number of seeds (or whatever the game counts), which stand one after the other with
one byte a position. What each byte means is told by the header, layer by layer.

A game takes part by a module `table` in its folder with one function, `solver(game)`, that returns a
`Solver` (`mbegu.engine.tables.solver`): it numbers positions, solves a layer, and checks one.
"""
