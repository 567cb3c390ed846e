"""Whispers to somebody by datagram."""

# verdict: cage
import socket


class Hostile:
    def choose(self, position, clock):
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"moves", ("127.0.0.1", 9))
        return position.legal_moves()[0]
