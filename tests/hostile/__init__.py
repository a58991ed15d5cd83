"""Hostile bots, each with the verdict that is expected: `<name>/bot.py` and `<name>/verdict.toml`."""
