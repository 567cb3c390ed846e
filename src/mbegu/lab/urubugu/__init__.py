"""Questions that only Urubugu raises: set-ups, and what beats them."""
