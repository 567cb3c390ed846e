"""Modules by the names that they had while all of them lay in one folder: programs that import them go on working."""

import importlib
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

__all__ = ["MOVED", "install"]

PACKAGE = "mbegu.server"
MOVED = {
    "access": "api.tokens",
    "accounts": "people.accounts",
    "addresses": "net.addresses",
    "analysis": "api.analysis",
    "answers": "api.endpoints",
    "arrivals": "net.arrivals",
    "bounds": "net.request_bounds",
    "changes": "keep.group_commit",
    "chores": "api.clerk_worker",
    "clerk": "api.clerk",
    "clients": "net.clients",
    "cluster": "peers.leases",
    "commands": "play.commands",
    "common": "people.common_passwords",
    "computer": "play.computer",
    "course": "play.game_state",
    "database": "keep.database",
    "doors": "net.connection_limit",
    "fairness": "people.fairness",
    "first": "api.preload",
    "forms": "play.forms",
    "frames": "net.frames",
    "front": "net.front",
    "garbage": "net.garbage",
    "hall": "play.hall",
    "invites": "api.invites",
    "ladder": "api.ladder",
    "languages": "net.languages",
    "limits": "net.rate_limits",
    "lines": "people.connections",
    "lobby": "play.lobby",
    "logs": "net.logs",
    "membership": "api.membership",
    "metrics": "net.metrics",
    "names": "play.names",
    "namesakes": "people.namesakes",
    "news": "peers.follow",
    "offers": "play.offers",
    "openapi": "api.openapi",
    "pages": "api.pages",
    "passwords": "people.passwords",
    "patience": "net.timeouts",
    "phrases": "play.phrases",
    "positions": "api.positions",
    "presence": "play.presence",
    "profiles": "api.profiles",
    "qr": "api.qr",
    "ratings": "keep.ratings",
    "relay": "peers.reverse_proxy",
    "revocation": "keep.revocation",
    "room": "play.room",
    "rooms": "api.rooms",
    "rows": "keep.rows",
    "rungs": "think.ladder_bots",
    "sessions": "people.sessions",
    "sockets": "api.sockets",
    "soundness": "keep.soundness",
    "store": "keep.store",
    "tables": "keep.tables",
    "telling": "play.announcements",
    "thinking": "think.engines",
    "tokens": "people.tokens",
    "trials": "play.trials",
    "turns": "net.scheduling",
    "views": "play.views",
    "wire": "net.messages",
    "worker": "think.engine_worker",
    "workers": "think.process_pool",
}


class _Elsewhere(MetaPathFinder, Loader):
    """Is asked last, and knows the old names: the old one and the new are the same module."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _dot, name = fullname.rpartition(".")
        return ModuleSpec(fullname, self) if package == PACKAGE and name in MOVED else None

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__.rpartition(".")[2]
        sys.modules[module.__name__] = importlib.import_module(f"{PACKAGE}.{MOVED[name]}")


def install() -> None:
    """From now on the old names are found."""
    if not any(isinstance(finder, _Elsewhere) for finder in sys.meta_path):
        sys.meta_path.append(_Elsewhere())
