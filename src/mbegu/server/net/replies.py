"""Answers over HTTP: JSON, a status, a sentence for people."""

import gzip
import math
from functools import lru_cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from mbegu.core.errors import IllegalMove, InvalidRecord, MbeguError
from mbegu.core.i18n import _
from mbegu.server.net.messages import dumps

__all__ = ["Answer", "lasting", "refused", "reply", "too_often"]

MOST_PACKED, PACKING = 64, 9  # answers that are kept packed, as tightly as can be


class Answer(Exception):
    """An answer other than the usual one."""

    def __init__(self, status: int, error: str, wait: float = 10.0) -> None:
        super().__init__(error)
        self.status, self.wait = status, wait


def reply(content: Any, status: int = 200) -> Response:
    """JSON that nobody caches."""
    return Response(
        dumps(content),
        status,
        media_type="application/json",
        headers={"cache-control": "no-store"},
    )


def lasting(text: str, request: Request) -> Response:
    """JSON that is the same for many: what it takes to pack it is spent once."""
    headers = {"cache-control": "no-store", "vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(text, media_type="application/json", headers=headers)
    headers["content-encoding"] = "gzip"
    return Response(_packed(text), media_type="application/json", headers=headers)


@lru_cache(MOST_PACKED)
def _packed(text: str) -> bytes:
    return gzip.compress(text.encode(), PACKING)


def too_often(wait: float = 10.0) -> Response:
    """Too many requests."""
    response = reply({"error": _("too many requests: wait a moment")}, 429)
    response.headers["retry-after"] = str(math.ceil(wait))
    return response


def refused(error: MbeguError) -> Response:
    """What is wrong, with its status."""
    if isinstance(error, InvalidRecord):
        place = {"line": error.line, "column": error.column}
        return reply({"error": error.message, **place}, 400)
    if isinstance(error, IllegalMove):
        return reply({"error": str(error), "rule": error.rule}, 422)
    return reply({"error": str(error)}, getattr(error, "status", 400))
