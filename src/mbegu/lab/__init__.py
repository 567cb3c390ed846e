"""The lab: questions about the games, and experiments that answer them.

The functions here return objects whose tables are ready for pandas and Polars:

    from mbegu import lab
    lab.find_counters("2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2", limit=10).table().to_pandas()

They are imported when they are asked for: the lab needs heavy packages.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mbegu.lab.stats import statistics_of
    from mbegu.lab.urubugu.book import prove, write_book
    from mbegu.lab.urubugu.counter import count_counters, find_counters
    from mbegu.lab.urubugu.families import setting_of
    from mbegu.lab.urubugu.resist import find_resistant
    from mbegu.lab.urubugu.settings import equilibrium, play_settings
    from mbegu.lab.wandering import wander

__all__ = [
    "count_counters",
    "equilibrium",
    "find_counters",
    "find_resistant",
    "play_settings",
    "prove",
    "setting_of",
    "statistics_of",
    "wander",
    "write_book",
]

_HOMES = {
    "count_counters": "urubugu.counter",
    "equilibrium": "urubugu.settings",
    "find_counters": "urubugu.counter",
    "find_resistant": "urubugu.resist",
    "play_settings": "urubugu.settings",
    "prove": "urubugu.book",
    "setting_of": "urubugu.families",
    "statistics_of": "stats",
    "wander": "wandering",
    "write_book": "urubugu.book",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
