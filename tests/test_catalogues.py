"""The translations: compiled by the build, complete where promised, and sound."""

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
from babel.messages.catalog import Message

import mbegu
from mbegu.core.i18n import LANGUAGES, _, speaking

TOOLS = Path(__file__).resolve().parent.parent / "tools"


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    sys.path.insert(0, str(TOOLS))
    try:
        import catalogues
    finally:
        sys.path.pop(0)
    return catalogues


@pytest.mark.parametrize(
    ("language", "south"), [("en", "South"), ("fr", "Sud"), ("rn", "Bumanuko"), ("sw", "Kusini")]
)
def test_every_language_speaks(language: str, south: str) -> None:
    assert language in LANGUAGES
    with speaking(language):
        assert _("South") == south
        assert _("not in any catalogue") == "not in any catalogue"


def test_the_tool_knows_every_language(tool: ModuleType) -> None:
    assert {"en", *tool.LANGUAGES} == set(LANGUAGES)


def test_messages_are_found_wherever_they_stand(
    tool: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = """
a = _("one " "sentence")
b = f"{_('inside an f-string')}"
c = N_("marked"), p_("board", "right"), p_("direction", "right")
d = _(variable), _(""), other("not a message")
"""
    (tmp_path / "module.py").write_text(source)
    monkeypatch.setattr(tool, "SOURCES", tmp_path)
    monkeypatch.setattr(tool, "ROOT", tmp_path)
    assert tool.keys(tool.extract()) == {
        ("one sentence", None),
        ("inside an f-string", None),
        ("marked", None),
        ("right", "board"),
        ("right", "direction"),
    }


def test_messages_of_the_web_app_may_be_joined_from_parts(
    tool: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = (
        """t("one"), t('two', { n }), at("no"), t("a long " +\n  "sentence"), t("a" + b), t(c)"""
    )
    (tmp_path / "web" / "src").mkdir(parents=True)
    (tmp_path / "web" / "src" / "x.ts").write_text(source)
    monkeypatch.setattr(tool, "SOURCES", tmp_path)
    monkeypatch.setattr(tool, "ROOT", tmp_path)
    assert tool.keys(tool.extract()) == {
        (text, None) for text in ("one", "two", "a long sentence", "a")
    }


@pytest.mark.parametrize(
    ("source", "translated", "complaint"),
    [
        ("{side} wins", "{side} gagne", ""),
        ("{side} wins", "", ""),
        ("{a} and {b}", "{b} et {a}", ""),
        ("{side} wins", "{camp} gagne", "leaves open"),
        ("{side} wins", "gagne", "leaves open"),
        ("wins", "{side} gagne", "leaves open"),
        ("{side} wins", "{side gagne", "{side gagne"),
        ("no { here", "pas de { ici", ""),
        ("line\n", "ligne", "end a line"),
        ("Who?", "Qui ?", "no-break"),
        ("Who?", "Qui\u00a0?", ""),
        ("Say “no”", "Dites « non »", "no-break"),
        ("Say “no”", "Dites «\u00a0non\u00a0»", ""),
        ("Say “no”", "Dites “non”", "quotation"),
        ("{share} % at 12:30, like tcp://host:1", "{share}\u00a0% à 12:30, comme tcp://host:1", ""),
        ("{share} %", "{share} %", "no-break"),
    ],
)
def test_what_is_wrong_with_a_translation(
    tool: ModuleType, source: str, translated: str, complaint: str
) -> None:
    found = tool.complaints_about(Message(source, translated), "fr")
    assert bool(found) == bool(complaint)
    assert complaint in "".join(found)


def test_the_update_mends_french_spaces(tool: ModuleType) -> None:
    assert (
        tool.with_french_spaces("« Qui ? » : 5 %", "fr")
        == "«\u00a0Qui\u00a0?\u00a0»\u00a0: 5\u00a0%"
    )
    assert tool.with_french_spaces("Nani ?", "sw") == "Nani ?"


# One thing, one word. In French: the word that is not used, and the one that is.
FRENCH_WORDS = {
    r"\bdispositions?\b": "mise en place",
    r"\bcontre-mises?\b": "riposte",
    r"\bindices?\b": "conseil",
    r"\b(?:un|le|les|des|du) bots?\b": "robot",
    r"\bcote\b": "classement",
}


@pytest.mark.parametrize("word", FRENCH_WORDS)
def test_french_has_one_word_for_one_thing(tool: ModuleType, word: str) -> None:
    said = [str(message.string) for message in tool.read(tool.source_of("fr")) if message.id]
    assert [text for text in said if re.search(word, text)] == [], f"say {FRENCH_WORDS[word]}"


def test_words_of_the_games_are_one_in_kirundi() -> None:
    """The table in docs/translating.md: ikinwa is of class 7, a board is no Urubugu, beads are laid (gukenyura)."""
    old = (
        r"[Aa]?makinwa|kinwa r[iy]\w+|(?:[mk]u |c’u|y’u)rubugu|Impair|Pair\b|[uU]gutondek|gushinga"
    )
    for name in mbegu.game_names():
        game = mbegu.game(name)
        steps = [words for step in game.lesson() for words in (step.title, step.text, step.after)]
        with speaking("rn"):
            for words in (game.side(0), game.side(1), _(game.rulebook), *map(_, steps)):
                assert not re.search(old, words), words


# What a catalogue must not hold: a straight apostrophe within a word; in Kirundi another word for a board than
# the one of docs/translating.md.
AVOIDED = {"fr": r"\w'\w", "rn": r"\w'\w|rubaho", "sw": r"\w'\w"}


@pytest.mark.parametrize("language", AVOIDED)
def test_signs_and_words_that_we_do_not_use(tool: ModuleType, language: str) -> None:
    catalogue = tool.read(tool.source_of(language))
    texts = [str(message.string) for message in catalogue if message.id]
    assert [text for text in texts if re.search(AVOIDED[language], text)] == []
