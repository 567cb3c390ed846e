"""The web app, Python side: rooms, sockets, the store and the computer opponents.

Read `room.py` first: a room is one game, and the only place that changes it. docs/protocol.md tells
what a browser says to it.
"""
