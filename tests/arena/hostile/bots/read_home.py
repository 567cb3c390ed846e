"""Looks round in the user's home."""

# verdict: cage
import os


def pwd_home():
    return "/root" if os.path.exists("/root") else "/home"


class Hostile:
    def choose(self, position, clock):
        os.listdir(pwd_home())
        return position.legal_moves()[0]
