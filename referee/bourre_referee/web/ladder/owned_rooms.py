"""The parts of a bot's rooms that its owner may read: its output, its notes and its hands, but no other bot's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from bourre.record import Record, read
from bourre.rules.events import HandDealt
from bourre.words.table_words.readers import Reader
from bourre_referee.contest.stages import match_id
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.entrant import bot_name
from bourre_referee.ladder.log.seasons import Place
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.model.seat_remarks import SeatRemarks
from bourre_referee.storage.run.run import Run
from bourre_referee.text.names import seat_names
from bourre_referee.text.narration.events_by_deal import DealEvents, deals_of, event_text
from bourre_referee.text.narration.spoken_notes import match_note_lines
from bourre_referee.web.ladder.ladder_reader import LadderNow
from bourre_referee.web.owner_logs import rooms_with_logs

MOST_ROOMS = 50
"""The most rooms of a bot on a page. The others can be read, too."""


@dataclass(frozen=True, slots=True)
class FinishedRooms:
    """The names of finished rooms, which are also the names of their logs."""

    state: LadderState

    def __contains__(self, name: object) -> bool:
        """Returns whether this is the name of a room that is over."""
        number = room_number(name) if isinstance(name, str) else None
        return number is not None and number <= self.state.rooms_paired and number not in self.state.rooms


def room_number(name: str) -> int | None:
    """Returns the number of a room with this name, `room000012`. None if it is not such a name."""
    digits = name.removeprefix("room")
    is_name = name.startswith("room") and 6 <= len(digits) <= 12 and digits.isascii() and digits.isdecimal()
    return int(digits) if is_name else None


@dataclass(frozen=True, slots=True)
class OwnedRoom:
    """A room that is over."""

    number: int
    entrant: str
    logs: tuple[str, ...]
    """The names of its logs in addresses, one for each attempt. None if the bot printed nothing."""


def owned_rooms(now: LadderNow, folder: LadderFolder, bot: str) -> Iterator[OwnedRoom]:
    """Yields the newest rooms of a bot, in any version: rated ones, and others with output of the bot."""
    found: dict[tuple[int, str], list[str]] = {}
    for entrant in (entrant.name for entrant in now.state.entrants if entrant.bot == bot):
        for game in islice(now.history.games_of(entrant), MOST_ROOMS):
            found[game.room, entrant] = []
        for log in rooms_with_logs(folder.path, entrant, FinishedRooms(now.state)):
            found.setdefault((room_number(log.partition(".")[0]) or 0, entrant), []).append(log)
    for number, entrant in sorted(found, reverse=True)[:MOST_ROOMS]:
        yield OwnedRoom(number, entrant, tuple(found[number, entrant]))


def read_hands(folder: LadderFolder, state: LadderState, place: Place, owner: str) -> str | None:
    """Returns a match from the view of an owner's seats, with their notes. None if no bot of the owner sat there.

    Raises ContestError if the match is not stored.
    """
    run = Run.open(folder.epoch(place.epoch, rated=place.rated))
    match = match_id(place.match)
    record = read(run.record(match))
    bots = [bot_name(entrant) for entrant in record.header.bots]
    own = frozenset(seat for seat, bot in enumerate(bots) if state.bots[bot].joined.owner == owner)
    if not own:
        return None
    remarks = run.remarks(match)
    notes = match_note_lines(record, [said if seat in own else SeatRemarks() for seat, said in enumerate(remarks)])
    return "".join(f"{line}\n" for line in (*_lines(record, own), "", "Notes:", *notes))


def _lines(record: Record, own: frozenset[int]) -> Iterator[str]:
    for deal in deals_of(record):
        yield f"Deal {deal.number}:"
        yield from (f"  {line}" for line in _deal_lines(deal, own))


def _deal_lines(deal: DealEvents, own: frozenset[int]) -> Iterator[str]:
    """Yields the events of a deal. Of other seats' events, it yields the part that an onlooker sees."""
    story, reader = deal.begin(), Reader(seat_names(deal.bots))
    for event in deal.events:
        story.hear(event)
        text = event_text(event, story, reader)
        if text.seat in own:
            yield text.text
        elif not isinstance(event, HandDealt):
            yield text.public
