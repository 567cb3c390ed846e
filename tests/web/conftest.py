"""A real browser on a real server. Where Chromium is missing, every test says that it did not run."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from website import serving

import mbegu
from mbegu.arena.ladder import Ladder

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "src" / "mbegu" / "server" / "static"
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
PICTURES = Path(os.environ.get("MBEGU_SCREENSHOTS") or ROOT / "build" / "screenshots")
CHROMIUM = os.environ.get("MBEGU_CHROMIUM") or shutil.which("chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1440, "height": 900}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without a browser nothing here can be said to work."""
    here = [item for item in items if Path(item.path).parent == Path(__file__).parent]
    reason = ""
    if not CHROMIUM:
        reason = (
            "CHROMIUM IS MISSING: THE WEB APP WAS NOT TESTED. "
            "Install it (apt-get install chromium) or name it in MBEGU_CHROMIUM."
        )
    elif not (STATIC / "index.html").exists():
        reason = (
            "THE WEB APP IS NOT BUILT, SO IT WAS NOT TESTED: run `npm ci && npm run build` in web/."
        )
    if reason:
        for item in here:
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with a database of its own."""
    folder = tmp_path_factory.mktemp("server")
    ladder = str(folder / "ladder.db")
    with Ladder(ladder) as kept:
        for bot in ("random", "greedy"):
            kept.add(mbegu.game("oware"), bot)
    with serving(folder, MBEGU_LADDER=ladder) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One Chromium for all tests of a worker."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Any, base: str) -> Iterator[Callable[..., Any]]:
    """`visit("/settings", phone=True, skin="litema")` opens a page as a new guest would.

    Afterwards: nothing went wrong in the page, and no request left for another host.
    """
    contexts, wrong, away = [], [], []

    def note(request: Any) -> None:
        if not request.url.startswith((base, base.replace("http", "ws"), "data:", "blob:")):
            away.append(request.url)

    def open_page(
        path: str = "/", *, phone: bool = False, dark: bool = False, **chosen: Any
    ) -> Any:
        still = chosen.pop("still", False)
        settings = {"skin": "wood", "speed": "instant", "sound": False, **chosen}
        context = browser.new_context(
            base_url=base,
            viewport=PHONE if phone else DESK,
            has_touch=phone,
            locale="en-GB",
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if still else "no-preference",
            permissions=["clipboard-read", "clipboard-write"],
        )
        contexts.append(context)
        context.set_default_timeout(60_000)  # also on a computer with other things to do
        context.add_init_script(
            "if (!localStorage.getItem('mbegu-settings'))"
            f" localStorage.setItem('mbegu-settings', JSON.stringify({_js(settings)}))"
        )
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "console", lambda message: wrong.append(message.text) if message.type == "error" else 0
        )
        page.on("request", note)
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not away, f"requests to other hosts: {away}"
    # By a test: a 404, a line that is cut, a script that this browser cannot read.
    asked = ("status of 4", "ERR_INTERNET_DISCONNECTED", "Unexpected token '{'")
    real = [text for text in wrong if not any(why in text for why in asked)]
    assert not real, "\n".join(real)


def _js(settings: dict[str, Any]) -> str:
    import json

    return json.dumps(settings)


@pytest.fixture
def picture() -> Callable[[Any, str], None]:
    """Writes a screenshot into the folder of screenshots."""
    PICTURES.mkdir(parents=True, exist_ok=True)

    def shoot(page: Any, name: str) -> None:
        page.screenshot(path=PICTURES / f"{name}.png")

    return shoot


@pytest.fixture(scope="session")
def static() -> Path:
    """The folder of the built app."""
    return STATIC


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core."""
    if not AXE.exists():
        pytest.fail("axe-core is missing: run `npm ci` in web/")
    return AXE.read_text(encoding="utf-8")
