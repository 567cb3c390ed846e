"""The table of the HTTP addresses: what each takes and gives, from which routes and OpenAPI are made.

An `Operation` stands beside its endpoint and says everything once; the server's routes, the
document at `/api/v1/openapi.json` and the page at `/api/v1/docs` come from the same table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from msgspec.json import schema_components
from starlette.routing import Route

from mbegu import __version__
from mbegu.server.api.endpoints import Endpoint
from mbegu.server.api.game_pages import framed
from mbegu.server.api.schemas import Error, Game
from mbegu.server.net.messages import dumps

__all__ = [
    "GAME",
    "Operation",
    "Query",
    "components",
    "docs_page",
    "document",
    "routes_of",
    "text",
    "types_of",
]

Schema = Mapping[str, Any]
ERRORS = {
    400: "What was sent cannot be read",
    401: "Not signed in, or a wrong password or token",
    403: "Not allowed",
    404: "Not there",
    405: "Not this method",
    409: "Taken",
    410: "Not there any more",
    413: "Too large",
    422: "The rules forbid it",
    429: "Too many requests; `Retry-After` says how long to wait",
    503: "Cannot be done now; try again",
}


def text(most: int) -> Schema:
    """A text of at most so many characters."""
    return {"type": "string", "maxLength": most}


(GAME,), _named = schema_components([Game])


# ---- operations


@dataclass(frozen=True)
class Query:
    """A parameter after the question mark."""

    name: str
    schema: Schema
    help: str = ""
    required: bool = False


@dataclass(frozen=True)
class Operation:
    """One method of one address."""

    method: str
    path: str
    endpoint: Endpoint
    tag: str
    summary: str
    gives: Any = None  # a type, or several of which it is one; None: nothing (204)
    status: int = 200
    takes: Any = None  # a type
    query: Sequence[Query] = ()
    errors: Sequence[int] = (400,)
    media: Sequence[str] = ("application/json",)
    member: bool = False  # only for one who is signed in
    headers: Mapping[str, Schema] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What programs call it."""
        return self.endpoint.__name__


def routes_of(operations: Sequence[Operation]) -> list[Route]:
    """The routes of a table; one address with several methods has several of them."""
    return [
        Route(one.path, one.endpoint, methods=[one.method.upper()], name=one.name)
        for one in operations
    ]


# ---- the document


def components(types: Sequence[Any]) -> tuple[list[Schema], dict[str, Schema]]:
    """The schema of each type, and those to which they refer by name."""
    found, named = schema_components(types, ref_template="#/components/schemas/{name}")
    return list(found), named


def types_of(operations: Sequence[Operation]) -> list[Any]:
    """All types of a table."""
    return [
        Error,
        *(kind for one in operations for kind in (*_kinds(one.gives), one.takes) if kind),
    ]


def _kinds(gives: Any) -> tuple[Any, ...]:
    return gives if isinstance(gives, tuple) else (gives,)


def document(operations: Sequence[Operation]) -> dict[str, Any]:
    """The OpenAPI document."""
    types = types_of(operations)
    found, schemas = components(types)
    words = {id(kind): schema for kind, schema in zip(types, found, strict=True)}
    paths: dict[str, dict[str, Any]] = {}
    for one in operations:
        path = one.path.replace(":path", "")
        paths.setdefault(path, {})[one.method.lower()] = _told(one, words)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Mbegu",
            "version": __version__,
            "summary": "African board games: play, records, analysis, ratings.",
            "description": (
                'Errors are `{"error": "a sentence"}` in the language that was asked for. '
                "Programs show a personal access token as `Authorization: Bearer mbegu_…`. "
                "Games are played over the WebSocket `/ws/rooms/{id}`, see the protocol."
            ),
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/api/v1"}],
        "security": [{}, {"cookie": []}, {"token": []}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "cookie": {"type": "apiKey", "in": "cookie", "name": "mbegu"},
                "token": {"type": "http", "scheme": "bearer"},
            },
        },
    }


def _told(one: Operation, words: Mapping[int, Schema]) -> dict[str, Any]:
    good: dict[str, Any] = {"description": "Done"}
    if one.gives is not None:
        given = [words[id(kind)] for kind in _kinds(one.gives)]
        schema = given[0] if len(given) == 1 else {"anyOf": given}
        good["content"] = {kind: {"schema": schema} for kind in one.media}
    errors = {*one.errors, 403, 413 if one.takes else 400, 429, 503}
    if "{" in one.path:
        errors.add(404)
    told: dict[str, Any] = {
        "operationId": one.name,
        "tags": [one.tag],
        "summary": one.summary,
        "parameters": [
            *(
                {
                    "name": name,
                    "in": "path",
                    "required": True,
                    "schema": {**text(100), "minLength": 1},
                }
                for name in _names(one.path)
            ),
            *(_parameter(query) for query in one.query),
        ],
        "responses": {
            str(one.status): good,
            **{
                str(status): {
                    "description": ERRORS[status],
                    "content": {"application/json": {"schema": words[id(Error)]}},
                }
                for status in sorted(errors)
            },
        },
    }
    if one.takes is not None:
        told["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": words[id(one.takes)]}},
        }
    if one.member:
        told["security"] = [{"cookie": []}]
    return told


def _names(path: str) -> list[str]:
    return [part[1:-1] for part in path.split("/") if part.startswith("{")]


def _parameter(query: Query) -> dict[str, Any]:
    return {
        "name": query.name,
        "in": "query",
        "required": query.required,
        "schema": query.schema,
        **({"description": query.help} if query.help else {}),
    }


# ---- the page


def docs_page(operations: Sequence[Operation]) -> str:
    """The table for people: one page without scripts."""
    parts = [
        "<h1>Mbegu API</h1><p>Every address is under <code>/api/v1</code>. The same for machines: "
        '<a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</p>'
    ]
    tags = list(dict.fromkeys(one.tag for one in operations))
    for tag in tags:
        parts.append(f"<h2>{escape(tag)}</h2>")
        parts += [_shown(one) for one in operations if one.tag == tag]
    return framed("API", "".join(parts))


def _fields(kind: Any) -> str:
    """What an object of a type holds, as JSON Schema."""
    (schema,), named = components([kind])
    return escape(dumps(named.get(getattr(kind, "__name__", ""), schema)))


def _shown(one: Operation) -> str:
    head = f"<b>{one.method.upper()}</b> <code>{escape(one.path)}</code> — {escape(one.summary)}"
    rows = [
        f"<li><code>{escape(query.name)}</code> <code>{escape(dumps(query.schema))}</code> "
        f"{escape(query.help)}</li>"
        for query in one.query
    ]
    body = f"<ul>{''.join(rows)}</ul>" if rows else ""
    if one.takes is not None:
        body += f"<p>Takes</p><pre>{_fields(one.takes)}</pre>"
    if one.gives is not None:
        given = " | ".join(_fields(kind) for kind in _kinds(one.gives))
        body += f"<p>Gives ({one.status})</p><pre>{given}</pre>"
    return f"<details><summary>{head}</summary>{body}</details>"
