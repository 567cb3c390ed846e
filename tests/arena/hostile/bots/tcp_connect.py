"""Calls home."""

# verdict: cage
import socket

PORT = 9


class Hostile:
    def choose(self, position, clock):
        socket.create_connection(("127.0.0.1", PORT), timeout=1)
        return position.legal_moves()[0]
