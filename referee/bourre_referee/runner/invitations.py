"""Invitations: what the author of a remote bot needs to start it, each token shown only once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from bourre_referee.storage.tokens import TokenFile


@dataclass(frozen=True, slots=True)
class Invitation:
    """What one author needs."""

    bot: str
    settings: Mapping[str, str]
    """The environment variables that every bot needs."""
    token: str
    """The bot's own token; empty if it was shown before."""

    @property
    def environment(self) -> str:
        """The variables as a shell takes them before a command."""
        token = {"BOURRE_TOKEN": self.token} if self.token else {}
        return " ".join(f"{name}={quote(value)}" for name, value in {**self.settings, **token}.items())


def invite(bots: Sequence[str], path: Path) -> dict[str, str]:
    """Makes the tokens that are missing in this file; returns the new ones by bot, empty for a bot that has one.

    Raises ContestError if the file is damaged or cannot be written.
    """
    file = TokenFile(path)
    known = file.read().bots
    if known.keys() >= {*bots}:
        return dict.fromkeys(bots, "")
    with file.change() as change:
        return {bot: "" if bot in change.tokens.bots else change.renew(bot) for bot in bots}
