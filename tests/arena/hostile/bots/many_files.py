"""Opens all the files there can be."""

# verdict: crash


class Hostile:
    def choose(self, position, clock):
        kept = [open(f"file{number}", "w") for number in range(10000)]
        return position.legal_moves()[0]
