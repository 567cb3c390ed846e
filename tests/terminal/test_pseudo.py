"""A language that nobody speaks, in which every sentence of ours stands between brackets: what stands outside
of them on a screen was never given to translators."""

import re
from collections.abc import Iterator

import click
import pytest

import mbegu
from mbegu.cli import COMMANDS
from mbegu.cli import mbegu as everything
from mbegu.core import i18n, story
from mbegu.core.match import Match
from mbegu.terminal.line import LineGame
from mbegu.terminal.seats import Seat
from mbegu.terminal.tui.help import help_text, key_row
from mbegu.terminal.tui.scene import State, compose
from mbegu.terminal.tui.session import Session

# Names that are the same in every language: of moves, of games, of programs, of options.
SAME = {"mbegu", "play", "tui", "resume", "Esc", "Tab", "Enter", "Arrows", "MBEGU_LANG"}


@pytest.fixture(autouse=True)
def _pseudo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(i18n, "_gettext", lambda _language: lambda words: f"⟦{words}⟧")
    monkeypatch.setattr(i18n, "p_", lambda _context, words: f"⟦{words}⟧")
    monkeypatch.setattr("mbegu.terminal.words.p_", lambda _context, words: f"⟦{words}⟧")
    monkeypatch.setattr("mbegu.core.players.p_", lambda _context, words: f"⟦{words}⟧")
    story._told.cache_clear()  # what was told in French before
    with i18n.speaking("fr"):
        yield
    story._told.cache_clear()


def outside(text: str) -> set[str]:
    """The words that stand outside of all brackets."""
    while "⟦" in text:
        shorter = re.sub(r"⟦[^⟦⟧]*⟧", " ", text, flags=re.DOTALL)
        if shorter == text:  # cut off at the edge of the screen
            shorter = re.sub(r"⟦[^⟧]*$|⟦[^⟦\n]*", " ", text, flags=re.MULTILINE)
        text = shorter
    return {word for word in re.findall(r"[A-Za-z]{3,}", text) if word not in SAME}


def test_what_is_not_translated_is_found() -> None:
    assert outside("⟦South {x} ⟦moves⟧⟧ and 3R") == {"and"}


@pytest.mark.parametrize("name", mbegu.game_names())
def test_the_full_screen(name: str) -> None:
    game = mbegu.game(name)
    session = Session(Match(game), (Seat("human"), Seat("level3")))
    for _ply in range(3):
        # Wide enough that nothing is cut off inside its brackets.
        state = State(chance=0.5, keys=key_row(), thinking=not session.human_to_move)
        text = compose(session, state, 260, 40).text()
        assert outside(text) - {name, "pits", "seeds"} == set(), text
        session.play(session.position.legal_moves()[0])
        assert outside(compose(session, state, 260, 40).text()) - {name, "pits", "seeds"} == set()
        session.skip()
    assert outside(help_text(session.position)) == set()


@pytest.mark.parametrize("name", mbegu.game_names())
def test_lines_of_text(name: str) -> None:
    lines = iter(["?", "moves", "board", "undo", "save", "slow", "zzz", "resign", "q"])
    said: list[str] = []

    def ask(prompt: str) -> str:
        said.append(prompt)
        return next(lines)

    position = mbegu.game(name).start()
    match = Match(position.game)
    match.play(position.legal_moves()[0])
    LineGame(match, (Seat("human"), Seat("human")), ask, said.append).run()
    allowed = {"zzz", "save", str(match.position)}
    for text in said:
        if text.strip() != str(match.positions[-1]).strip() and "zzz" not in text:
            assert outside(text) - allowed == set(), text


def test_the_list_of_commands() -> None:
    text = everything.get_help(click.Context(everything, info_name="mbegu"))
    words = outside(text) - set(COMMANDS)
    # Click's own frame, options and values.
    assert words <= {
        "Usage",
        "OPTIONS",
        "COMMAND",
        "ARGS",
        "Options",
        "lang",
        "version",
        "help",
        "Show",
    } | {"the", "and", "exit", "this", "message"}, words
