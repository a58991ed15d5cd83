"""Invitations: the settings with which authors start remote bots. Each token is shown only once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from bourre_referee.storage.run.tokens import TokenFile


@dataclass(frozen=True, slots=True)
class Invitation:
    """The settings for one author."""

    bot: str
    settings: Mapping[str, str]
    """The environment variables that every bot needs."""
    token: str
    """The bot's token; empty if it was shown before."""

    @property
    def variables(self) -> dict[str, str]:
        """The environment variables of this bot, without a token if it was shown before."""
        return {**self.settings, "BOURRE_TOKEN": self.token} if self.token else {**self.settings}

    @property
    def environment(self) -> str:
        """The variables in the form that a shell accepts before a command."""
        return " ".join(f"{name}={quote(value)}" for name, value in self.variables.items())


def invite(bots: Sequence[str], path: Path) -> dict[str, str]:
    """Adds missing tokens to this file. Returns the new token of each bot, or an empty text if it has one.

    A bot with a revoked token gets none. Raises ContestError if the file is damaged or cannot be written.
    """
    file = TokenFile(path)
    known = file.read()
    if not known.missing(bots):
        return {bot: "" for bot in bots if bot in known.bots}
    with file.change() as change:
        new = {bot: change.renew(bot) for bot in change.tokens.missing(bots)}
        return {bot: new.get(bot, "") for bot in bots if bot in change.tokens.bots}


def renew_token(bot: str, path: Path) -> str:
    """Returns a new token of a bot. The earlier one stops working."""
    with TokenFile(path).change() as change:
        return change.renew(bot)


def revoke_token(bot: str, path: Path) -> bool:
    """Revokes the token of a bot, and returns whether it had one."""
    with TokenFile(path).change() as change:
        return change.revoke(bot)
