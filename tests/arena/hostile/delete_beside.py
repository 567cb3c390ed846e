"""Deletes another bot's file."""

# verdict: cage
import os


class Hostile:
    def choose(self, position, clock):
        os.remove(os.path.join(os.path.dirname(os.path.abspath(__file__)), "tcp_connect.py"))
        return position.legal_moves()[0]
