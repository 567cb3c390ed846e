"""A game's page for the browser: its Markdown as HTML, without what lies beside it on the disk."""

from functools import lru_cache
from html import escape

from markdown_it import MarkdownIt

from mbegu.core.game import Game
from mbegu.core.page import without_pictures

__all__ = ["framed", "page_html"]

# HTML in a page is shown, not obeyed, and links can only be what markdown-it calls harmless.
MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
PICTURE = '<p><img src="/api/v1/picture.svg?game={game}" alt=""></p>'


@lru_cache(64)
def page_html(game: type[Game]) -> str:
    """The page, with the board at the start under its title."""
    tokens = MARKDOWN.parse(without_pictures(game.page()))
    for token in tokens:  # our policy allows no style in a page: columns are aligned by a class
        if "style" in token.attrs:
            token.attrs["class"] = str(token.attrs.pop("style")).rpartition(":")[2]
    told: str = MARKDOWN.renderer.render(tokens, MARKDOWN.options, {})
    title, end, rest = told.partition("</h1>")
    picture = PICTURE.format(game=escape(game.name)) if end else ""
    return framed(game.title, f"{title}{end}{picture}{rest}")


def framed(title: str, body: str) -> str:
    """A page without scripts; its style is a file, as our policy asks."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<link rel="stylesheet" href="/page.css">'
        f"<title>{escape(title)} · Mbegu</title></head><body><main>{body}</main></body></html>"
    )
