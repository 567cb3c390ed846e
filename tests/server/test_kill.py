"""Nothing that was acknowledged is lost, however a server ends."""

from kills import survive


def test_no_acknowledged_move_is_lost(url: str) -> None:
    survived = survive(url, 4)
    assert survived.moves > 10
    assert survived.lines >= 20  # everybody came back
