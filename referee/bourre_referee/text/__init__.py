"""Texts about the game: deals, house rules, names, amounts."""
