"""Fills the disk with files that are each small enough."""

# verdict: crash


class Hostile:
    def choose(self, position, clock):
        for number in range(100):
            with open(f"part{number}", "wb") as file:
                file.write(bytes(1 << 20))
        return position.legal_moves()[0]
