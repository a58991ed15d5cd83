"""Starter folders for authors of bots: a bot, its test, and a contest for it."""
