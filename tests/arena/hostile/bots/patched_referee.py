"""Changes the rules and the clock, in its own process only."""

# verdict: win


class Hostile:
    def choose(self, position, clock):
        position.__class__.outcome = lambda self: None
        clock.set([1e9, 1e9])
        return position.legal_moves()[0]
