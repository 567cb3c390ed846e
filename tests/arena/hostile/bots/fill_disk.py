"""Fills the disk through its scratch folder."""

# verdict: crash


class Hostile:
    def choose(self, position, clock):
        with open("big", "wb") as file:
            while True:
                file.write(bytes(1 << 20))
