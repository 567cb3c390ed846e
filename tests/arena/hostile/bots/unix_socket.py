"""Asks the container daemon for help."""

# verdict: cage
import socket


class Hostile:
    def choose(self, position, clock):
        socket.socket(socket.AF_UNIX).connect("/var/run/docker.sock")
        return position.legal_moves()[0]
