"""The table of addresses: what it promises is kept, whatever is sent."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from members import member
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from serving import Running

from mbegu.server.api import routes
from mbegu.server.net.rate_limits import Limit, RateLimits, VisitorLimit

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
EXAMPLES = 12


@pytest.fixture
def endless(served: Running) -> Iterator[None]:
    """Nobody is told to wait: the tests want answers."""
    limits = RateLimits()
    for name, limit in vars(limits).items():
        if isinstance(limit, Limit | VisitorLimit):
            setattr(limits, name, type(limit)(rate=1e9, burst=1e9))
    served.app.state.limits = limits
    yield
    served.app.state.limits = RateLimits()


def test_every_address_is_in_the_document(served: Running) -> None:
    told = served.guest().get("/api/v1/openapi.json")
    assert told["openapi"].startswith("3.1")
    there = {(method, path) for path, methods in told["paths"].items() for method in methods}
    addresses = {
        (method.lower(), route.path)
        for route in routes.routes()
        for method in route.methods or ()
        if method != "HEAD" and ":path" not in route.path
    }
    assert addresses - there == {("get", "/openapi.json"), ("get", "/docs")}
    names = [one.name for one in routes.OPERATIONS]
    assert len(names) == len(set(names))


@pytest.mark.usefixtures("endless")
@pytest.mark.parametrize("one", routes.OPERATIONS, ids=lambda one: one.name)
def test_whatever_is_sent_the_answer_is_as_promised(served: Running, one: Any) -> None:
    """schemathesis sends what the schema allows and what it does not, as a member."""
    guest, _name = member(served)
    guest.new_room("oware")
    document = guest.get("/api/v1/openapi.json")
    schema = schemathesis.openapi.from_dict(document)
    schema.config.update(base_url=f"http://127.0.0.1:{served.port}/api/v1")
    operation = schema[one.path][one.method]

    @hypothesis.given(case=operation.as_strategy())
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    def send(case: Any) -> None:
        case.call_and_validate(
            checks=CHECKS, headers={"Cookie": guest.cookie, "Origin": guest.origin}
        )

    send()


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.found.append(tag)


def test_the_page_for_people_needs_no_script(served: Running) -> None:
    reply = served.guest().ask("GET", "/api/v1/docs")
    page = reply.body.decode()
    tags = _Tags()
    tags.feed(page)
    assert "script" not in tags.found
    assert not re.search(r"https?://", page)
    for one in routes.OPERATIONS:
        assert one.path in page
    assert "default-src 'none'" in reply.headers["content-security-policy"]


def test_the_document_is_json_schema(served: Running) -> None:
    """No reference leads nowhere."""
    told = served.guest().get("/api/v1/openapi.json")
    for name in re.findall(r'"#/components/schemas/(\w+)"', json.dumps(told)):
        assert name in told["components"]["schemas"]
