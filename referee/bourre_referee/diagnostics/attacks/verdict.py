"""The expected outcome when a hostile bot plays, read from its `verdict.toml`."""

from __future__ import annotations

import tomllib
from enum import StrEnum
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from bourre.rules.actions import Fault
from bourre_referee.model.spec import Level, MatchOutcome

FOUND = "FOUND"
"""A bot prints this when it has found something that it must not have."""


class HonestBots(StrEnum):
    """How the honest bots come to the hostile bot's table."""

    LAUNCHED = "launched"
    """As processes of the room, like the hostile bot, so that an attack on its neighbours finds some."""
    CONNECTED = "connected"
    """As clients that serve one room after another. This is enough if the bot attacks only by the messages on its own
    connections, or by exiting."""


class ExpectedOutcome(BaseModel):
    """One bot at one level: how it is played, and the expected outcome."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    levels: tuple[Level, ...] = tuple(Level)
    """The levels at which the attack makes sense and cannot hurt the machine."""
    neighbours: HonestBots = HonestBots.LAUNCHED
    deals: int = 4
    matches: int = 1
    preset: str = "limit"
    max_faults: int = 10
    decision_ms: int = 10_000
    bank_ms: int = 10_000
    start_ms: int = 60_000
    reconnect_ms: int = 1_000
    xfail: str = ""
    """The reason for a known failure."""
    faults: dict[Fault, int] = {}
    """The exact faults of its seat in the first match."""
    at_least: dict[Fault, int] = {}
    """Further faults that occur at least this often."""
    among: tuple[Fault, ...] = ()
    """Further faults, at least one of them. The host's scheduler decides which."""
    house: bool = False
    """Whether the referee takes over the seat in the end."""
    reneges: int = 0
    """The least number of reneges."""
    log_has: tuple[str, ...] = ()
    log_lacks: tuple[str, ...] = (FOUND,)

    def complaints(self, outcome: MatchOutcome, bot: str, log: str) -> list[str]:
        """Returns the differences of this match and the bot's log from the verdict."""
        seat = [result.bot for result in outcome.result.seats].index(bot)
        result = outcome.result.seats[seat]
        complaints = self._about_faults({fault.fault: fault.times for fault in outcome.faults if fault.seat == seat})
        if self.house != (result.house_deals > 0):
            complaints.append(
                f"the referee played {result.house_deals} deals, expected {'some' if self.house else 'none'}"
            )
        if result.reneges < self.reneges:
            complaints.append(f"{result.reneges} reneges, expected {self.reneges} or more")
        complaints += [f"the log lacks {words!r}" for words in self.log_has if words not in log]
        complaints += [f"the log has {words!r}" for words in self.log_lacks if words in log]
        return complaints

    def _about_faults(self, came: dict[Fault, int]) -> list[str]:
        loose = {*self.at_least, *self.among}
        rest = {fault: times for fault, times in came.items() if fault not in loose}
        complaints = [
            f"{came.get(fault, 0)} times {fault}, expected {least} or more"
            for fault, least in self.at_least.items()
            if came.get(fault, 0) < least
        ]
        if rest != self.faults:
            complaints.append(f"faults {_shown(rest)}, expected {_shown(self.faults)}")
        if self.among and not came.keys() & set(self.among):
            complaints.append(f"faults {_shown(came)}, expected some of {', '.join(self.among)}")
        return complaints


def read_verdict(path: Path, level: Level) -> ExpectedOutcome:
    """Reads the verdict in a file. The table of a level overrides the top of the file."""
    told = tomllib.loads(path.read_text())
    own: dict[Level, Any] = {each: told.pop(each, {}) for each in Level}
    return ExpectedOutcome.model_validate({**told, **own[level]})


def _shown(faults: dict[Fault, int]) -> str:
    return ", ".join(f"{times} {fault}" for fault, times in sorted(faults.items())) or "none"
