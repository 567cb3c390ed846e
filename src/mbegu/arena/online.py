"""The client for bots online, by the name that it had first; it lives in `mbegu.arena.clients.online`."""

from mbegu.arena.clients.online import DRAWS, TAKEBACKS, OnlineClient, OnlineError

__all__ = ["DRAWS", "TAKEBACKS", "OnlineClient", "OnlineError"]
