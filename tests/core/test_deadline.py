"""Code of others that never comes back is not waited for."""

import threading

import pytest
from nim import Nim

from mbegu.core.deadline import within
from mbegu.core.i18n import current_language, speaking
from mbegu.engine.kernels import agreement
from mbegu.server.play import catalogue


def test_what_is_found_or_raised_comes_back() -> None:
    with speaking("fr"):
        assert within(10, current_language) == "fr"
    with pytest.raises(KeyError):
        within(10, lambda: {}["no"])
    with pytest.raises(SystemExit):
        within(10, exit)
    with pytest.raises(TimeoutError):
        within(0.05, threading.Event().wait)


def test_a_kernel_that_goes_round_for_ever_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agreement, "PATIENCE", 0.05)
    monkeypatch.setattr(agreement, "_compare", lambda *_asked: threading.Event().wait())
    said = agreement.disagreement(object(), Nim())
    assert said is not None
    assert said.startswith("at 12 0: the kernel does not answer ")


def test_a_card_that_takes_for_ever_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "PATIENCE", 0.05)
    monkeypatch.setattr(catalogue, "_BROKEN", {})
    monkeypatch.setattr(Nim, "start", lambda _self: threading.Event().wait())
    assert catalogue._card(Nim) is None
    why = "its rules take longer than 0.05 seconds"
    assert {"nim": f"nim cannot be used: TimeoutError: {why}"} == catalogue._BROKEN
