"""The data of an owner's page."""

from __future__ import annotations

from dataclasses import dataclass

from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.challenges import Challenge
from bourre_referee.ladder.log.entrant import Entrant
from bourre_referee.ladder.matchmaking.waiting_reasons import Waiting, explain
from bourre_referee.web.ladder.ladder_reader import LadderNow
from bourre_referee.web.ladder.owned_rooms import OwnedRoom, owned_rooms
from bourre_referee.web.ladder.probation_report import ProbationReport, ProbationReports
from bourre_referee.web.owner_logs import last_start_failure


@dataclass(frozen=True, slots=True)
class OwnedBot:
    """A bot of the owner."""

    entrant: Entrant
    """Its latest version."""
    waiting: Waiting
    probation: ProbationReport | None
    """How its last probation room went."""
    rooms: tuple[OwnedRoom, ...]
    """The rooms with something to read, newest first."""
    start_failure: str
    """In which log of the newest room of its latest version it never started, and why; empty if it did."""


@dataclass(frozen=True, slots=True)
class OwnerView:
    """What an owner sees behind the key."""

    owner: str
    seats: int
    bots: tuple[OwnedBot, ...]
    challenges: tuple[Challenge, ...]
    """Those that wait for their bots, or for the word of others."""
    asked: tuple[Challenge, ...]
    """Those of others that wait for this owner's word."""
    welcomes: bool
    """Whether the owner agrees to all."""


def owner_view(now: LadderNow, folder: LadderFolder, reports: ProbationReports, owner: str) -> OwnerView:
    """Returns what the page of an owner shows; raises ContestError if that cannot be read."""
    challenges = now.state.challenges
    owned = [entrant for entrant in now.state.bots.values() if entrant.joined.owner == owner]
    return OwnerView(
        owner=owner,
        seats=now.state.terms.seats if now.state.terms else 0,
        bots=tuple(_owned_bot(now, folder, reports, bot) for bot in owned),
        challenges=tuple(challenges.of(owner)),
        asked=tuple(each for each in challenges if owner in challenges.unanswered(each, now.state.bots)),
        welcomes=owner in challenges.welcoming,
    )


def _owned_bot(now: LadderNow, folder: LadderFolder, reports: ProbationReports, bot: Entrant) -> OwnedBot:
    rooms = tuple(owned_rooms(now, folder, bot.bot))
    logs = rooms[0].logs if rooms and rooms[0].entrant == bot.name else ()
    return OwnedBot(
        entrant=bot,
        waiting=explain(now.state, bot.bot),
        probation=None if bot.joined.staff else reports.newest(now, bot.bot),
        rooms=rooms,
        start_failure=last_start_failure(folder.path, bot.name, logs),
    )
