"""Needs a package that nobody has."""

# verdict: crash
import a_package_that_nobody_has


class Hostile:
    def choose(self, position, clock):
        return 0
