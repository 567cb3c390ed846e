"""A game as a loop of steps."""

from typing import Any


class BoardEnv:
    """An interface only; the contest's window was its one user, and Mbegu's arena replaces it."""

    def reset(self) -> Any:
        raise NotImplementedError

    def step(self, action: Any) -> Any:
        raise NotImplementedError

    def is_done(self) -> bool:
        raise NotImplementedError
