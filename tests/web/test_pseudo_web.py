"""The web app in a language that nobody speaks: what stands outside of brackets was never given to translators."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from table import GAMES, arrive, room
from website import serving

HERE = Path(__file__).parent
CATALOGUE = HERE.parents[1] / "web" / "src" / "locale" / "fr.json"
SCREENS = (
    "/",
    "/new/urubugu",
    "/new/kalah",
    "/learn",
    "/learn/oware",
    "/games",
    "/settings",
    "/lobby",
    "/people/nobody",
    "/leaderboard",
    "/leaderboard/oware",
    "/ladder",
    "/account",
    "/no/such/page",
    "/p?game=oware",
    "/p?game=morabaraba",
)
# Names that are the same in every language: of this program, of languages, of keys, of forms of files, of a person.
SAME = {"Mbegu", "English", "Français", "Ikirundi", "Kiswahili", "nobody"}
SAME |= {"Esc", "Enter", "Tab", "Shift", "SVG", "PNG", "JSON", "OGN"}
SEEN = """() => {
  const told = [document.title];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walk.currentNode; node; node = walk.nextNode()) {
    if (node.nodeType === 3) {
      if (!node.parentElement.closest("script, style, code, kbd, noscript, option[lang]")) told.push(node.textContent);
    } else
      for (const name of ["aria-label", "title", "placeholder", "alt"])
        if (node.getAttribute(name)) told.push(node.getAttribute(name));
  }
  return told;
}"""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that speaks in brackets."""
    folder = tmp_path_factory.mktemp("pseudo")
    with serving(folder, PYTHONPATH=str(HERE / "pseudo")) as address:
        yield address


def outside(text: str) -> set[str]:
    """The words that stand outside of all brackets."""
    shorter = ""
    while shorter != text:
        shorter, text = text, re.sub(r"⟦[^⟦⟧]*⟧", " ", text)
    return {word for word in re.findall(r"[^\W\d_]{3,}", text) if word not in SAME}


def in_brackets(visit: Any) -> Any:
    """A browser whose catalogue says every sentence in brackets."""
    messages = json.loads(CATALOGUE.read_text(encoding="utf-8"))
    body = f"export default {json.dumps({key: f'⟦{value}⟧' for key, value in messages.items()})}"
    page = visit("/", still=True)
    page.context.route(
        re.compile(r"/assets/fr-[^/]*\.js"),
        lambda route: route.fulfill(body=body, content_type="text/javascript"),
    )
    page.goto("/?lang=fr")
    page.locator("main", has_text="⟦").first.wait_for()
    return page


def untranslated(page: Any) -> set[str]:
    """The words on the screen outside of brackets; a sentence may go on in the next paragraph."""
    return outside("\n".join(page.evaluate(SEEN)))


def test_what_is_not_translated_is_found() -> None:
    assert outside("⟦South {x} ⟦moves⟧⟧ and 3R") == {"and"}


def test_every_screen(visit: Any) -> None:
    page = in_brackets(visit)
    for path in SCREENS:
        arrive(page, path)
        assert untranslated(page) == set(), path


@pytest.mark.parametrize("game", GAMES)
def test_a_game(visit: Any, game: str) -> None:
    page = in_brackets(visit)
    found = room(page, game)
    arrive(page, f"/play/{found}")
    page.locator("svg.play [data-target]").first.wait_for()
    assert untranslated(page) == set()
    arrive(page, f"/record/{found}")
    assert untranslated(page) == set()
    arrive(page, f"/learn/{game}")
    assert untranslated(page) == set()
