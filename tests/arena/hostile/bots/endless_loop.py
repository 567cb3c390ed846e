"""Never answers."""

# verdict: timeout


class Hostile:
    def choose(self, position, clock):
        while True:
            pass
