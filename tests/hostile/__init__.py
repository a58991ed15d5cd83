"""Bots that do harm, each with the verdict that must come out: `<name>/bot.py` and `<name>/verdict.toml`."""
