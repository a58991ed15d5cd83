"""The game in words: deals, house rules, names, amounts."""
