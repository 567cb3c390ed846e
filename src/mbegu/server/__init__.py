"""The web app, Python side: rooms, sockets, the store and the computer opponents.

Read `play/room.py` first: a room is one game, and the only place that changes it. docs/protocol.md
tells what a browser says to it. Each line may import those below it, never those above:

    run, backup     the process; copies of everything
    app             which address leads where
    api             HTTP addresses, WebSockets, pages     peers   several processes on one database
    play            rooms, hall, lobby
    think           processes that think                  people  accounts, names, ratings
    keep            the store
    net             lines, limits, messages
"""

from mbegu.server import moved

moved.install()
