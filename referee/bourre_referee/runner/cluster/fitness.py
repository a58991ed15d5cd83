"""Whether a worker can play: the same bourre, the bots' files, the isolation asked for, and a reference bot."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version

from bourre.messages import PROTOCOL
from bourre.rules.house import HouseRules
from bourre_referee.contest.bot_permissions import check_environment
from bourre_referee.model.build import name_build
from bourre_referee.model.errors import ContestError
from bourre_referee.model.site import Site, program_path
from bourre_referee.model.spec import BotSpec, Clock, Entry, Isolation, MatchSpec, RoomSpec
from bourre_referee.sandbox.levels import find_exposing_folder, unavailable_reason
from bourre_referee.server.host_proof import REFERENCE_BOT, REFERENCE_NAMES


@dataclass(frozen=True, slots=True)
class Unfit:
    """Why a worker plays nothing, in words, with a hint. No bot is at fault."""

    reason: str


@dataclass(frozen=True, slots=True)
class Installation:
    """What must be the same on every machine of one contest."""

    bourre: str
    protocol: str
    build: str
    """Compiled or not: results are the same, but bots' time is not."""

    def difference(self, worker: Mapping[str, str]) -> Unfit | None:
        """Compares a worker's installation with this one; `worker` may come from any version."""
        for part, ours in asdict(self).items():
            if (theirs := worker.get(part)) != ours:
                name = "bourre" if part == "bourre" else f"bourre's {part}"
                return Unfit(
                    f"{name} is {theirs or 'unknown'} there, and {ours} here: install the same bourre on both machines"
                )
        return None


def own_installation() -> Installation:
    """Returns what is installed here."""
    return Installation(version("bourre"), str(PROTOCOL), name_build())


def find_unfitness(bots: Sequence[BotSpec], isolation: Isolation, site: Site) -> Unfit | None:
    """Tries whether a site can start these bots at their isolation, by really making each sandbox."""
    entries: dict[Isolation, list[Entry]] = {isolation: []}
    for bot in bots:
        entry = site.entry(bot)
        if bot.command and program_path(bot.command[0], entry.folder, entry.venv, site.python) is None:
            missing = entry.venv or bot.command[0]
            return Unfit(f"bot {bot.name}: there is no {missing} there: install it, or play without this machine")
        entries.setdefault(bot.isolation.over(isolation), []).append(entry)
    try:
        check_environment([entry for same in entries.values() for entry in same], os.environ)
    except ContestError as error:
        return Unfit(str(error))
    for isolated, same in entries.items():
        if reason := unavailable_reason(isolated, same):
            return Unfit(f'isolation level = "{isolated.level}" is not available there: {reason}')
        if holder := find_exposing_folder(isolated, site.logs):
            return Unfit(f"every bot could read {site.logs}, as boxes contain {holder}: set TMPDIR to another folder")
    return None


def reference_room(isolation: Isolation, clock: Clock) -> RoomSpec:
    """Returns a room of one deal between two of the referee's own bots, with ample time to start."""
    command = ("python", "-c", REFERENCE_BOT)
    return RoomSpec(
        room="reference",
        entries=tuple(BotSpec(name, command) for name in REFERENCE_NAMES),
        matches=(MatchSpec("reference", REFERENCE_NAMES, HouseRules(), 1, bytes(32)),),
        tables=1,
        clock=Clock(start_ms=max(clock.start_ms, Clock().start_ms)),
        max_faults=1,
        isolation=isolation,
    )


def last_words(logs: Mapping[str, bytes]) -> str:
    """Returns the last line that a reference bot printed."""
    from bourre_referee.text.names import printable

    lines = [line for log in logs.values() for line in log.decode(errors="replace").split("\n") if line.strip()]
    return printable(lines[-1]) if lines else "they printed nothing"
