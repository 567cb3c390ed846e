"""Looks: which colours the tones of a canvas have.

A tone is one word or several: the first is the ground (`own0`, `cursor`), the others what is written on it
(`count`, `red`). `terminal` uses the sixteen colours of the terminal itself, as its owner has set them.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

from rich.style import Style

from mbegu.core.i18n import N_

__all__ = ["LOOKS", "NO_COLOURS", "Look"]

STRONG = ("cursor", "chosen", "lit", "taken")


@dataclass(frozen=True)
class Look:
    """A look by its name; `words` are the colours of its tones."""

    name: str
    title: str
    dark: bool
    words: tuple[tuple[str, str], ...]
    sixteen: bool = False

    @cached_property
    def _styles(self) -> dict[str, Style]:
        return {name: Style.parse(style) for name, style in self.words}

    def style(self, tone: str) -> Style:
        """The colours of a tone."""
        return _style(self, tone)

    def colour(self, tone: str, *, ground: bool = False) -> str:
        """One colour of a tone as a name or a number, for Textual's own widgets."""
        style = self._styles[tone]
        found = style.bgcolor if ground else style.color
        return "#808080" if found is None else found.name


@lru_cache(1024)
def _style(look: Look, tone: str) -> Style:
    styles = look._styles
    found = styles["sheet"]
    for word in tone.split():
        found += styles.get(word, Style.null())
        if word in STRONG:  # on such a ground everything is written alike, to be legible
            break
    return found


def _look(name: str, title: str, dark: bool, /, **words: str) -> Look:
    return Look(name, title, dark, tuple(words.items()))


LOOKS = {
    look.name: look
    for look in (
        _look(
            "dusk",
            N_("Wood at dusk"),
            True,
            sheet="#e8d9c0 on #1d140d",
            title="bold #f6e7c8 on #3a2516",
            dim="#a08b70",
            frame="#8a5a2e",
            ridge="bold #c9925a",
            line="#9a6a3a",
            own="#f0e2c6 on #33200f",
            own0="#f0e2c6 on #4a2e17",
            own1="#f0e2c6 on #38230f",
            count="bold #ffe9bd",
            none="#9b7f5c",
            seed="#b9c4a4",
            red="bold #ff7a66",
            blue="bold #7fbfff",
            dark="bold #e8924a",
            light="bold #fff3d6",
            label="#a08b70",
            legal="bold #ffc247",
            last="bold #8fd08a",
            mark="bold #ffc247",
            cursor="bold #1d140d on #ffc247",
            chosen="bold #1d140d on #8fd08a",
            lit="bold #1d140d on #e0a95a",
            taken="bold #fff3e0 on #a5401f",
            turn="bold #ffc247",
            bad="bold #ff8a70",
            bar="#ffc247 on #4a2e17",
            key="bold #ffc247",
        ),
        _look(
            "wood",
            N_("Wood by day"),
            False,
            sheet="#3a2412 on #f3e6cf",
            title="bold #fff6e3 on #84502a",
            dim="#7a6246",
            frame="#84502a",
            ridge="bold #84502a",
            line="#84502a",
            own="#2b1708 on #e3c79b",
            own0="#2b1708 on #d8b27c",
            own1="#2b1708 on #e6cda4",
            count="bold #2b1708",
            none="#8a6a44",
            seed="#4b574b",
            red="bold #a81e10",
            blue="bold #123a8a",
            dark="bold #1a0d06",
            light="bold #8a6a44",
            label="#7a6246",
            legal="bold #9a3a00",
            last="bold #1f6a2a",
            mark="bold #9a3a00",
            cursor="bold #fff6e3 on #84502a",
            chosen="bold #fff6e3 on #2f6a3a",
            lit="bold #2b1708 on #ffc247",
            taken="bold #fff6e3 on #a5401f",
            turn="bold #9a3a00",
            bad="bold #a81e10",
            bar="#9a3a00 on #e3c79b",
            key="bold #9a3a00",
        ),
        _look(
            "contrast",
            N_("High contrast"),
            True,
            sheet="#ffffff on #000000",
            title="bold #000000 on #ffff00",
            dim="#d0d0d0",
            frame="#ffffff",
            ridge="bold #ffff00",
            line="#ffffff",
            count="bold #ffffff",
            none="#d0d0d0",
            seed="#ffffff",
            red="bold #ff8080",
            blue="bold #80c0ff",
            dark="bold #ffb060",
            label="#d0d0d0",
            legal="bold #ffff00",
            last="bold underline #ffffff",
            mark="bold #ffff00",
            cursor="bold #000000 on #ffff00",
            chosen="bold #000000 on #ffffff",
            lit="bold #000000 on #00ffff",
            taken="bold #ffffff on #c00000",
            turn="bold #ffff00",
            bad="bold #ff8080",
            bar="#ffff00 on #404040",
            key="bold #ffff00",
        ),
        Look(
            "terminal",
            N_("The terminal's own colours"),
            True,
            tuple(
                {
                    "sheet": "default",
                    "title": "bold reverse",
                    "dim": "default",
                    "frame": "yellow",
                    "ridge": "bold yellow",
                    "line": "yellow",
                    "count": "bold",
                    "seed": "green",
                    "red": "bold red",
                    "blue": "bold blue",
                    "dark": "bold cyan",
                    "light": "bold magenta",
                    "legal": "bold yellow",
                    "last": "bold green",
                    "mark": "bold yellow",
                    "cursor": "black on yellow",
                    "chosen": "black on green",
                    "lit": "black on cyan",
                    "taken": "white on red",
                    "turn": "bold yellow",
                    "bad": "bold red",
                    "bar": "yellow",
                    "key": "bold yellow",
                }.items()
            ),
            sixteen=True,
        ),
    )
}

# For whoever has set NO_COLOR: signs say everything, and these make it easier to find.
NO_COLOURS = Look(
    "none",
    "",
    True,
    (
        ("sheet", "default"),
        ("title", "bold reverse"),
        *((tone, "bold") for tone in ("ridge", "count", "legal", "mark", "turn", "bad", "key")),
        ("last", "bold underline"),
        *((tone, "reverse") for tone in ("cursor", "lit")),
        *((tone, "bold reverse") for tone in ("chosen", "taken")),
    ),
    sixteen=True,
)
