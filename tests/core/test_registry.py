"""Game strings: read strictly, written canonically."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mbegu
from mbegu.core.errors import InvalidGame, InvalidOption, MbeguError
from mbegu.core.registry import _unusable


def test_the_five_games() -> None:
    assert set(mbegu.game_names()) >= {"oware", "kalah", "awale2", "urubugu", "morabaraba"}


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("oware", "oware"),
        ("oware()", "oware"),
        ("abapa", "oware"),
        (" oware( grand_slam = take ) ", "oware(grand_slam=take)"),
        ("oware(min_seeds=0)", "oware(min_seeds=0)"),
        ("kalah", "kalah(pits=6,seeds=4)"),
        ("kalah(seeds=3)", "kalah(pits=6,seeds=3)"),
        ("kalah(seeds=3,pits=6)", "kalah(pits=6,seeds=3)"),
        ("kalah(empty_capture=True)", "kalah(pits=6,seeds=4,empty_capture=True)"),
        ("igisoro", "urubugu"),
        ("urubugu(traditional)", "urubugu(start_min=2,capture=both,landing=occupied)"),
        ("urubugu(traditional=True)", "urubugu(start_min=2,capture=both,landing=occupied)"),
        ("urubugu(traditional=False)", "urubugu"),
        ("morabaraba(rules=classic)", "morabaraba(rules=classic)"),
        ("awale2(red_everywhere=False,chain=sown)", "awale2(red_everywhere=False,chain=sown)"),
    ],
)
def test_game_strings(text: str, canonical: str) -> None:
    game = mbegu.game(text)
    assert str(game) == canonical
    assert mbegu.game(str(game)) == game


def test_options_by_keyword() -> None:
    assert mbegu.game("kalah", pits=6, seeds=3) == mbegu.game("kalah(pits=6,seeds=3)")
    assert mbegu.game("kalah(pits=5)", seeds=3) == mbegu.game("kalah(pits=5,seeds=3)")
    assert mbegu.game("urubugu", traditional=True) == mbegu.game("urubugu(traditional)")
    assert mbegu.game("oware").id == "oware-abapa@1"


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("chess", InvalidGame, "no game is called “chess”; there are: "),
        ("", InvalidGame, "no game is called"),
        ("kalah(pits=6", InvalidGame, "bracket is not closed"),
        ("kalah(pits=6)x", InvalidGame, "bracket is not closed"),
        ("kalah(6)", InvalidGame, "“6” is not an option"),
        ("kalah(pits=)", InvalidGame, "write name=value"),
        ("kalah(pits=6,,seeds=4)", InvalidGame, "is not an option"),
        ("kalah(pits=6,pits=6)", InvalidGame, "pits is given twice"),
        ("kalah(pots=6)", InvalidOption, "no option “pots”; its options: pits, seeds"),
        ("kalah(pits=0)", InvalidOption, "“0” is not one of 1..10"),
        ("kalah(pits=eleven)", InvalidOption, "pits: “eleven” is not one of 1..10"),
        ("kalah(pits=-1)", InvalidOption, "is not one of 1..10"),
        ("kalah(pits=6.0)", InvalidOption, "is not one of 1..10"),
        ("kalah(pits=٣)", InvalidOption, "is not one of 1..10"),
        ("kalah(pits=10,seeds=13)", InvalidOption, "255"),
        ("kalah(empty_capture=yes)", InvalidOption, "True | False"),
        ("oware(grand_slam=maybe)", InvalidOption, "forfeit | illegal | take"),
        ("oware(traditional)", InvalidOption, "no option"),
        ("urubugu(traditional=3)", InvalidOption, "no option"),
    ],
)
def test_refused(text: str, error: type[MbeguError], words: str) -> None:
    with pytest.raises(error) as caught:
        mbegu.game(text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("value", [True, 6.0, None, [6], "6 "])
def test_keywords_of_the_wrong_kind(value: object) -> None:
    with pytest.raises(InvalidOption, match="pits"):
        mbegu.game("kalah", pits=value)


def test_not_a_text() -> None:
    with pytest.raises(InvalidGame, match="not a game string"):
        mbegu.game(None)  # type: ignore[arg-type]


@given(st.text(max_size=40))
def test_any_text_is_a_game_or_a_clear_error(text: str) -> None:
    try:
        told = str(mbegu.game(text))
    except InvalidGame as error:
        told = str(error)
    else:
        assert str(mbegu.game(told)) == told
    assert "\n" not in told


def test_why_a_game_cannot_be_used_stands_on_one_line_and_keeps_its_spaces() -> None:
    told = str(_unusable("nim", "Erreur\u00a0: la case «\u00a0a\u00a0»\n  n'est pas\tlà\u202f!"))
    assert told.endswith("Erreur\u00a0: la case «\u00a0a\u00a0» n'est pas là\u202f!")
