"""What is extended of uvicorn and websockets, and is not promised by them: this notices when it changes.

When it fails, somebody has installed another version: read what has changed in the methods that it names,
look whether `net/timeouts.py`, `net/websocket_protocol.py` and `net/frames.py` still fit, let tests/server/attacks
run, and only then write the new fingerprint here and the new bound into pyproject.toml.
"""

import hashlib
import inspect
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.protocol import Protocol

from mbegu.server.net import timeouts, websocket_protocol

READ = {
    (H11Protocol, "__init__"): "ad1ed8e837b2",
    (H11Protocol, "connection_made"): "6efb565ff3d3",
    (H11Protocol, "data_received"): "e03b145518ca",
    (H11Protocol, "handle_events"): "e63a9d1492e3",
    (H11Protocol, "on_response_complete"): "1fbb8f48c6a1",
    (H11Protocol, "pause_writing"): "17a8fd215d96",
    (H11Protocol, "resume_writing"): "7844bbaa8cce",
    (H11Protocol, "connection_lost"): "dbb688fa2b38",
    (H11Protocol, "timeout_keep_alive_handler"): "fcd7338529fe",
    (H11Protocol, "shutdown"): "aaa6d607648b",
    (WebSocketsSansIOProtocol, "__init__"): "631dcd744eab",
    (WebSocketsSansIOProtocol, "connection_made"): "f533ec93747c",
    (WebSocketsSansIOProtocol, "connection_lost"): "dd116afc4d80",
    (WebSocketsSansIOProtocol, "data_received"): "c89d394077d8",
    (WebSocketsSansIOProtocol, "handle_connect"): "fc648c2161ff",
    (WebSocketsSansIOProtocol, "handle_parser_exception"): "ff5cf13c764f",
    (WebSocketsSansIOProtocol, "send"): "d4919ed760ce",
    (WebSocketsSansIOProtocol, "send_receive_event_to_app"): "a2b10de91477",
    (WebSocketsSansIOProtocol, "receive"): "1dc0e7153900",
    (WebSocketsSansIOProtocol, "on_task_complete"): "f45490be9f80",
    (WebSocketsSansIOProtocol, "keepalive_timeout"): "8e1ceb6ec446",
    (WebSocketsSansIOProtocol, "pause_writing"): "4830f7e0d81f",
    (WebSocketsSansIOProtocol, "resume_writing"): "ef79384e5fff",
    (WebSocketsSansIOProtocol, "shutdown"): "e8ace796ada6",
    (Protocol, "receive_data"): "df57bef09335",
    (Protocol, "data_to_send"): "959589a5e74e",
    (Protocol, "fail"): "924ae7075dc7",
    (Protocol, "send_close"): "bc2a998cc8b9",
    (PerMessageDeflate, "__init__"): "b9e7db6ec03a",
}
OURS = {
    timeouts.Requests: H11Protocol,
    websocket_protocol.Protocol: WebSocketsSansIOProtocol,
}


@pytest.mark.parametrize(("owner", "name"), READ, ids=lambda part: getattr(part, "__name__", part))
def test_what_we_extend_is_as_it_was_read(owner: type, name: str) -> None:
    source = inspect.getsource(getattr(owner, name))
    found = hashlib.sha256(source.encode()).hexdigest()[:12]
    assert found == READ[owner, name], f"{owner.__module__}: {name} has changed"


@pytest.mark.parametrize(("ours", "theirs"), OURS.items())
def test_every_method_that_we_replace_is_watched(ours: type, theirs: type) -> None:
    replaced = {
        name for name, kind in vars(ours).items() if callable(kind) and hasattr(theirs, name)
    }
    assert replaced
    assert {(theirs, name) for name in replaced} <= set(READ)


@pytest.mark.parametrize("name", ["uvicorn", "websockets"])
def test_the_versions_have_an_upper_bound(name: str) -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    (wanted,) = (
        Requirement(text) for text in project["project"]["dependencies"] if text.startswith(name)
    )
    assert any(bound.operator == "<" for bound in wanted.specifier)
    assert version(name) in wanted.specifier
