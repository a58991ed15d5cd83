"""Bots' files as the commands read them; see `bourre.bot_file`."""

from bourre.bot_file import BotFileError, find, load

__all__ = ["BotFileError", "find", "load"]
