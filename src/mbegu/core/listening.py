"""Why nobody can be served: what is said where a port cannot be had, by the server and by a site alike."""

import errno

from mbegu.core.errors import MbeguError, system_words
from mbegu.core.i18n import _

__all__ = ["CannotServe", "cannot_listen"]


class CannotServe(MbeguError):
    """Nobody can be served."""


def cannot_listen(host: str, port: int, error: OSError) -> CannotServe:
    """What is said of a port that somebody else has, or nobody may have."""
    if error.errno == errno.EADDRINUSE:
        return CannotServe(
            _(
                "port {port} is in use: another server runs there; choose one with --port, or "
                "--port 0 for any that is free"
            ).format(port=port)
        )
    return CannotServe(
        _("cannot listen on {host} port {port}: {why}").format(
            host=host, port=port, why=system_words(error)
        )
    )
