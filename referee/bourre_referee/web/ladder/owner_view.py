"""The data of an owner's page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.challenges import Challenge
from bourre_referee.ladder.log.entrant import Entrant, bot_name
from bourre_referee.ladder.matchmaking.waiting_reasons import Waiting, explain
from bourre_referee.model.stored import StoredMatch
from bourre_referee.storage.run.run import Run
from bourre_referee.web.ladder.ladder_reader import LadderNow
from bourre_referee.web.ladder.owned_rooms import OwnedRoom, owned_rooms
from bourre_referee.web.owner_logs import last_start_failure


@dataclass(frozen=True, slots=True)
class ProbationReport:
    """How a version fared in its probation room."""

    room: int
    entrant: str
    against: tuple[str, ...]
    rank: int
    seats: int
    chips_per_deal: float
    reneges: tuple[tuple[str, int], ...]
    """How often it broke each rule."""
    faults: tuple[tuple[str, int], ...]
    """How often it made each kind of fault."""
    longest_ms: float | None
    """The longest time charged for a decision; None if the house played for it from the first one on."""


class ProbationReports:
    """Reads the reports of one ladder, each once."""

    def __init__(self, folder: LadderFolder) -> None:
        self._folder = folder
        self._read: dict[int, ProbationReport] = {}

    def newest(self, now: LadderNow, bot: str) -> ProbationReport | None:
        """Returns the report of a bot's last probation room that is over and not void; raises ContestError."""
        for room in reversed(now.history.probation_rooms(bot)):
            if room not in now.state.rooms and (found := self._report(now, room, bot)):
                return found
        return None

    def _report(self, now: LadderNow, room: int, bot: str) -> ProbationReport | None:
        if room not in self._read:
            place = now.state.seasons.place_of(room)
            if place is None:
                return None
            run = Run.open(self._folder.epoch(place.epoch, rated=place.rated))
            stored = (each.stored for each in run.new_matches(()) or () if each.stored.number == place.match)
            if found := _tell(room, bot, stored):
                self._read[room] = found
        return self._read.get(room)


def _tell(room: int, bot: str, stored: Iterable[StoredMatch]) -> ProbationReport | None:
    for match in stored:
        for number, seat in enumerate(match.seats):
            if bot_name(seat.bot) == bot:
                timing = match.timings[number] if match.timings else None
                return ProbationReport(
                    room=room,
                    entrant=seat.bot,
                    against=tuple(each.bot for each in match.seats if each is not seat),
                    rank=seat.rank,
                    seats=len(match.seats),
                    chips_per_deal=seat.chips / match.unit / match.deals,
                    reneges=seat.reneges_by_rule,
                    faults=seat.faults_by_kind,
                    longest_ms=timing.longest_ms if timing and timing.decisions else None,
                )
    return None


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
