"""Checks what is sent against its type, and says what is wrong: which field, what it must be, what it is."""

import re
from collections.abc import Hashable
from functools import cache
from typing import Any, TypeVar, cast

import msgspec
from starlette.requests import Request

from mbegu.core.errors import shorten
from mbegu.core.i18n import _
from mbegu.server.api.endpoints import MOST_BODY, is_writable, read_json
from mbegu.server.play.forms import InvalidForm

__all__ = ["checked", "read_form"]

Form = TypeVar("Form")
_PLACE = re.compile(r"at `\$((?:\.\w+|\[[^\]]*\])*)`")
_MISSING = re.compile(r"missing required field `(\w+)`")
_LISTED = re.compile(r"\[[^\]]*\]")


async def read_form(request: Request, kind: type[Form], most: int = MOST_BODY) -> Form:
    """The body of a request, if it is what it must be."""
    return checked(await read_json(request, most), kind)


def checked(form: dict[str, Any], kind: type[Form]) -> Form:
    """A form as its type says; `InvalidForm` with a sentence if it is not."""
    for key, value in form.items():
        if isinstance(value, str) and not is_writable(value):
            raise InvalidForm(_must(key, {"type": "string"}, value))
    try:
        return msgspec.convert(form, kind)
    except msgspec.ValidationError as error:
        key = _key(str(error))
        if key not in form:
            raise InvalidForm(_("{key} is missing").format(key=key)) from None
        schema = _schema(cast("Hashable", kind)).get("properties", {}).get(key, {})
        raise InvalidForm(_must(key, schema, form.get(key))) from None


def _key(error: str) -> str:
    """The field of a form that is wrong, or missing."""
    missing = _MISSING.search(error)
    if missing:
        return missing[1]
    place = _PLACE.search(error)
    return _LISTED.sub("", place[1]).lstrip(".").partition(".")[0] if place else "?"


@cache
def _schema(kind: Any) -> dict[str, Any]:
    """The schema of the object itself."""
    found = msgspec.json.schema(kind)
    named: dict[str, Any] = found["$defs"][found["$ref"].rpartition("/")[2]]
    return named


def _must(key: str, schema: dict[str, Any], value: Any) -> str:
    """A sentence: what a field must be, and what it is."""
    given = shorten(value)
    if "anyOf" in schema:
        schema = schema["anyOf"][0]
    items = schema.get("items", {})
    choices = schema.get("enum", items.get("enum", []) if isinstance(items, dict) else [])
    if choices:
        return _("{key} must be of {choices}, not {value}").format(
            key=key, choices=", ".join(map(str, choices)), value=given
        )
    match schema.get("type"):
        case "boolean":
            return _("{key} must be true or false, not {value}").format(key=key, value=given)
        case "integer" | "number" if "maximum" in schema:
            low, high = schema["minimum"], schema["maximum"]
            return _("{key} must be a number from {low} to {high}, not {value}").format(
                key=key, low=f"{low:g}", high=f"{high:g}", value=given
            )
        case "integer" | "number":
            return _("{key} must be a number, not {value}").format(key=key, value=given)
        case "array":
            return _("{key} must be a list, not {value}").format(key=key, value=given)
    return _("{key} must be a text, not {value}").format(key=key, value=given)
