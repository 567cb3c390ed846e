"""Requests and answers are declared once: the check, the document and the front end's types agree."""

import sys
from pathlib import Path
from typing import Any

import pytest
from guest import Guest

from mbegu.core.i18n import LANGUAGES, speaking
from mbegu.server.api.people_schemas import NewToken, SignOut, SignUp
from mbegu.server.api.schemas import Question
from mbegu.server.api.validation import checked
from mbegu.server.play.forms import InvalidForm

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

WRONG = [
    (SignUp, {"password": "a long secret"}, "name is missing"),
    (SignUp, {"name": 7, "password": "x"}, "name must be a text, not “7”"),
    (SignUp, {"name": "a\0", "password": "x"}, "name must be a text, not"),
    (SignUp, {"name": "a", "password": "x", "bot": 1}, "bot must be true or false, not “1”"),
    (SignOut, {"everywhere": "yes"}, "everywhere must be true or false, not"),
    (NewToken, {"name": "a", "scopes": "read"}, "scopes must be of play, read, not"),
    (NewToken, {"name": "a", "scopes": ["rule"]}, "scopes must be of play, read, not"),
    (NewToken, {"name": "a", "scopes": ["read"], "days": 0}, "days must be a number from 1 to 366"),
    (NewToken, {"name": "a", "scopes": ["read"], "days": True}, "from 1 to 366, not “True”"),
    (Question, {"game": "oware", "position": "", "seconds": "2"}, "a number from 0.1 to 10, not"),
    (Question, {"game": "oware", "position": "", "history": 3}, "history must be a list, not “3”"),
]


@pytest.mark.parametrize(("kind", "form", "said"), WRONG)
def test_what_is_wrong_is_named_with_what_would_be_right(
    kind: Any, form: dict[str, Any], said: str
) -> None:
    with pytest.raises(InvalidForm) as caught:
        checked(form, kind)
    assert said in str(caught.value)


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_said_in_every_language(language: str) -> None:
    with speaking(language), pytest.raises(InvalidForm) as caught:
        checked({"name": "a", "scopes": ["read"], "days": 0}, NewToken)
    assert "days" in str(caught.value)
    assert "366" in str(caught.value)


def test_what_nobody_asked_for_is_let_be() -> None:
    form = {"name": "a", "password": "b", "colour": "red"}
    assert checked(form, SignUp)["name"] == "a"


def test_a_wrong_form_is_answered_so(guest: Guest) -> None:
    answer = guest.ask("POST", "/api/v1/account", {"name": ["x"], "password": "y"})
    assert answer.status == 400
    assert answer.json()["error"].startswith("name must be a text")


def test_the_front_ends_types_are_up_to_date() -> None:
    from api_types import typescript

    for file, fresh in typescript().items():
        assert file.read_text() == fresh, "run python tools/api_types.py"
