"""The lab: questions about the games, and experiments that answer them."""
