"""Looks for the folders of other bots around its own."""

# verdict: win
import os


class Hostile:
    def choose(self, position, clock):
        for place in (os.getcwd(), os.path.dirname(os.path.abspath(__file__))):
            for above in (os.path.dirname(place), os.path.dirname(os.path.dirname(place))):
                try:
                    found = os.listdir(above)
                except PermissionError:
                    continue
                return f"saw {found}"
        return position.legal_moves()[0]
