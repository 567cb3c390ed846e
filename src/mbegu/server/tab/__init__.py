"""The server's rooms inside a browser tab: the same games, commands and views, without a network.

A worker of the browser runs this by Pyodide (web/src/tab). What a server brings is brought by the tab
here: its own database keeps the games (`store`), a second worker thinks (`engines`), and the questions
of the API and the lines of rooms come as messages (`office`).
"""

from typing import Any

__all__ = ["begin", "prepare", "thinker"]


def prepare() -> None:
    """Imports and reads everything that a tab will need, before the image of its memory is taken."""
    from mbegu.server.tab import image  # noqa: PLC0415

    image.fill()


def begin(keeper: Any, page: Any) -> Any:
    """The office of a tab: `keeper` keeps games, `page` hears the answers and thinks."""
    from mbegu.server.tab.office import Office  # noqa: PLC0415

    return Office(keeper, page)


def thinker(hosts: Any, libraries: str) -> Any:
    """Who does the jobs of thinking, in a worker of his own, with the engine's modules."""
    from mbegu.server.tab.engines import Mind  # noqa: PLC0415

    return Mind(hosts, libraries)
