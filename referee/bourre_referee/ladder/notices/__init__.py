"""Tells owners at once when a bot of theirs is suspended, does not start or is refused."""
