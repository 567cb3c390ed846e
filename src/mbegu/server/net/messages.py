"""What all messages have in common: how they are written, and how a wish is refused."""

import json
from datetime import UTC, datetime
from typing import Any

from mbegu.core.errors import MbeguError

__all__ = ["PROTOCOL", "Json", "Refused", "dumps", "moment"]

Json = dict[str, Any]
PROTOCOL = 1
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False)


class Refused(MbeguError):
    """Something that cannot be done in this room now."""


def dumps(message: Any) -> str:
    """As short as JSON can be."""
    return _ENCODER.encode(message)


def moment(at: float) -> str:
    """ISO 8601, in UTC."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
