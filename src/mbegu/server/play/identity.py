"""Whoever acts in a room is known by one text, his `session`: a guest by a secret, a member by his account.

>>> account_of(session_of("p-7Yc1")), account_of("a guest's secret"), is_bot("bot-2Xd9")
('p-7Yc1', None, True)
"""

__all__ = ["BOT", "PERSON", "account_of", "is_bot", "session_of"]

PERSON, BOT = "p-", "bot-"  # how ids of accounts begin


def session_of(account: str) -> str:
    """How a member is known in rooms."""
    return f"@{account}"


def account_of(session: str | None) -> str | None:
    """The account of a session; None for guests."""
    return session[1:] if session is not None and session.startswith("@") else None


def is_bot(account: str | None) -> bool:
    """Whether an account is one that a program plays: its id says so, for good."""
    return account is not None and account.startswith(BOT)
