"""Copies each game's page.md to docs/games, and adds the steps of its lesson with their diagrams.

python tools/pages.py
"""

import textwrap
from collections.abc import Iterator
from pathlib import Path

from diagrams import KEY

from mbegu.core.page import PAGE, rebased
from mbegu.games.lessons import lesson

ROOT = Path(__file__).resolve().parent.parent
GAMES, COPIES = ROOT / "src" / "mbegu" / "games", ROOT / "docs" / "games"

AFTER_RULES = "\n## Fine points\n"


def copies() -> Iterator[tuple[Path, str]]:
    """Where each copy is, and what it says."""
    for page in sorted(GAMES.glob(f"*/{PAGE}")):
        copy = COPIES / f"{page.parent.name}.md"
        note = f"\n<!-- made by tools/pages.py from {page.relative_to(ROOT).as_posix()} -->\n"
        text = rebased(page.read_text("utf-8"), page.parent, copy.parent)
        yield copy, text.replace(AFTER_RULES, in_pictures(page.parent.name) + AFTER_RULES) + note


def in_pictures(name: str) -> str:
    """The steps of a game's lesson, each with its diagram."""
    steps = lesson(name)
    if not steps:
        return ""
    told = [
        "\n### Every rule in pictures",
        f"These are the steps of the lesson in the web app. {KEY}",
    ]
    for count, step in enumerate(steps, 1):
        picture = f"![{step.title}](../pictures/{name}-rule-{count}.svg)"
        told += [f"#### {step.title}", step.text, picture, step.after]
    return "\n\n".join(map(_wrapped, told)) + "\n"


def _wrapped(paragraph: str) -> str:
    if paragraph.startswith(("\n#", "#", "!")):
        return paragraph
    return "\n".join(textwrap.wrap(paragraph, 110, break_on_hyphens=False))


def main() -> None:
    """Writes every copy."""
    for copy, text in copies():
        copy.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
