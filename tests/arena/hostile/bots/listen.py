"""Opens a door for others."""

# verdict: cage
import socket


class Hostile:
    def choose(self, position, clock):
        socket.socket().bind(("127.0.0.1", 0))
        return position.legal_moves()[0]
