"""The ladder of bots in the browser: its list, and a game against one of them."""

from typing import Any

import pytest
from test_access import check


@pytest.mark.parametrize("lang", ["en", "fr", "rn", "sw"])
def test_the_ladder(visit: Any, axe: str, picture: Any, lang: str) -> None:
    page = visit(f"/ladder/oware?lang={lang}", phone=lang == "sw")
    page.wait_for_selector("tbody tr >> nth=1")
    assert page.locator("tbody th").all_inner_texts() == ["greedy", "random"]
    check(page, axe)
    picture(page, f"ladder-{lang}")
    if lang != "en":
        assert page.locator("h1").inner_text() != "Ladder of bots"
        return
    page.get_by_role("button", name="Play greedy").click()
    page.wait_for_selector("main.play[data-mine]")
    assert "greedy" in page.locator("main.play").inner_text()
    page.goto("/ladder/kalah")
    page.get_by_text("No bot stands here yet").wait_for()
    check(page, axe)
