"""What a server gives browsers for the time without it: a service worker, a page, and Python where it was built."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from serving import Running, plain_settings, running

PAGE = '<html lang="en"><head><meta charset="utf-8" /></head><script src="./assets/a-1.js"></script></html>'


def built(folder: Path, tab: bool = True) -> None:
    """A front end, and Python for browsers."""
    for name, text in {
        "static/index.html": PAGE,
        "static/routes.json": '["/", "/play/:room"]',
        "static/sw.js": "// keeps MBEGU",
        "static/assets/a-1.js": "draw()",
        "static/assets/a-1.js.br": "packed",
        "static/icons/192.png": "icon",
        **({"tab/tab.json": "{}", "tab/engine/oware.wasm": "\0asm"} if tab else {}),
    }.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    """A server with both."""
    built(tmp_path)
    with running(plain_settings(tmp_path)) as made:
        yield made


def version_of(reply: Any) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(
        reply.body.decode().partition("\n")[0].removeprefix("const MBEGU = ").rstrip(";")
    )
    return told


def test_the_worker_names_every_file_and_no_answer(server: Running) -> None:
    guest = server.guest()
    reply = guest.ask("GET", "/sw.js")
    assert reply.headers["content-type"].startswith("text/javascript")
    assert reply.headers["cache-control"] == "no-cache"
    assert "worker-src 'self'" in reply.headers["content-security-policy"]
    assert reply.body.decode().endswith("// keeps MBEGU")
    told = version_of(reply)
    files = [name for name in told["files"] if not name.startswith("tab/")]
    assert files == ["assets/a-1.js", "offline.html"]
    assert told["home"] == "server"
    assert sorted(told["later"]) == sorted(set(told["files"]) - set(files))
    for name in told["files"]:
        assert guest.ask("GET", f"/{name}").status == 200, name


def test_python_lies_where_its_content_says(server: Running) -> None:
    guest = server.guest()
    page = guest.ask("GET", "/").body.decode()
    (folder,) = re.findall(r'name="mbegu-files" content="/(tab/[0-9a-f]+/)"', page)
    reply = guest.ask("GET", f"/{folder}engine/oware.wasm")
    assert (reply.status, reply.headers["cache-control"][:6]) == (200, "public")
    assert guest.ask("GET", f"/tab/{'0' * 16}/tab.json").status == 404
    assert guest.ask("GET", f"/{folder}../../mbegu.sqlite3").status in (400, 404)
    assert guest.ask("GET", f"/{folder}%2e%2e/static/index.html").status in (400, 404)


def test_a_page_and_its_worker_are_of_one_version(server: Running) -> None:
    guest = server.guest()
    told = version_of(guest.ask("GET", "/sw.js"))
    for path in ("/", "/play/abc", "/offline.html"):
        assert (
            f'name="mbegu-version" content="{told["version"]}"'
            in guest.ask("GET", path).body.decode()
        )
    away = guest.ask("GET", "/offline.html").body.decode()
    assert 'name="mbegu-home" content="tab"' in away
    assert "mbegu-home" not in guest.ask("GET", "/").body.decode()


def test_any_change_is_another_version(tmp_path: Path) -> None:
    versions = set()
    for round_, (name, text) in enumerate(
        {"static/assets/b.js": "new", "tab/engine/oware.wasm": "new", "static/sw.js": "new"}.items()
    ):
        folder = tmp_path / str(round_)
        built(folder)
        (folder / name).write_text(text)
        with running(plain_settings(folder)) as made:
            versions.add(version_of(made.guest().ask("GET", "/sw.js"))["version"])
    assert len(versions) == 3


def test_without_python_the_server_is_asked_again(tmp_path: Path) -> None:
    built(tmp_path, tab=False)
    with running(plain_settings(tmp_path)) as made:
        guest = made.guest()
        assert version_of(guest.ask("GET", "/sw.js"))["later"] == []
        assert "mbegu-home" not in guest.ask("GET", "/offline.html").body.decode()
