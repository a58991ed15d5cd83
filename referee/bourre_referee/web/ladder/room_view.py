"""The data of a room's page: what an onlooker sees while it is played, and then its result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bourre.record.replayer import Step
from bourre.rules.events import DealEnded, Event
from bourre_referee.contest.stages import match_id
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.events import RoomVoided
from bourre_referee.ladder.log.seasons import OpenRoom, Place
from bourre_referee.storage.files.public_log import read_public_log
from bourre_referee.text.narration.events_by_deal import DealEvents, session_deals
from bourre_referee.web.data.trick_table import TrickTable, trick_table
from bourre_referee.web.ladder.ladder_reader import LadderNow
from bourre_referee.web.page_lookup import RefusedRequest


@dataclass(frozen=True, slots=True)
class LiveRoom:
    """A room in play. It has no card that an onlooker at the table does not see."""

    bots: tuple[str, ...]
    chips: tuple[int, ...]
    """The chips of each bot so far, by seat."""
    deals: int
    """The number of deals of its match."""
    deal: int
    """The number of the current deal; 0 before the first."""
    table: TrickTable | None
    """The current deal."""
    before: TrickTable | None
    """The deal before it."""


@dataclass(frozen=True, slots=True)
class RoomView:
    """A room."""

    room: int
    events: int
    """The number of events that this view shows."""
    live: LiveRoom | None
    """None once it is over."""
    off: str
    """Why it was called off; empty if it was not."""
    epoch: str
    """Its epoch, or the unrated part of it, as in addresses."""
    match: str
    revealed: bool
    """Whether its cards are public."""
    seats: tuple[tuple[str, float], ...]
    """Each entrant with its chips, best first; empty if it is not over, or not rated."""


def room_view(now: LadderNow, folder: LadderFolder, room: int) -> RoomView:
    """Returns the view of a room. Raises RefusedRequest if there is no such room, and ContestError if it is damaged."""
    place = now.state.seasons.place_of(room)
    if place is None:
        raise RefusedRequest(404, f"there is no room {room} yet", "the board shows the rooms in play and the last ones")
    opened = now.state.rooms.get(room)
    events = tuple(read_public_log(folder.rooms / f"room{room:06}")) if opened else ()
    game = now.history.games.get(room)
    return RoomView(
        room=room,
        events=len(events),
        live=_live(folder, place, opened, events) if opened else None,
        off=_why_off(now, room),
        epoch=f"{place.epoch}{'' if place.rated else '-unrated'}",
        match=match_id(place.match),
        revealed=any(epoch.number == place.epoch and epoch.closed for epoch in now.state.seasons.epochs),
        seats=tuple(sorted(zip(game.entrants, game.chips, strict=True), key=lambda one: -one[1])) if game else (),
    )


def _why_off(now: LadderNow, room: int) -> str:
    """Returns why the host or the ladder gave the room up, or took its match back."""
    if room in now.state.seasons.voided:
        return now.state.seasons.voided[room]
    acts = (act.event for act in now.history.acts)
    return next((act.reason for act in acts if isinstance(act, RoomVoided) and act.room == room), "")


def _live(folder: LadderFolder, place: Place, room: OpenRoom, events: Sequence[Event]) -> LiveRoom:
    terms = folder.epoch(place.epoch, rated=place.rated).read_manifest().terms
    bots = tuple(entrant.bot for entrant in room.line_up)
    deals = list(session_deals([Step(None, None, list(events))], bots, terms.rules)) if events else []
    ended = [event for event in events if isinstance(event, DealEnded)]
    return LiveRoom(
        bots=bots,
        chips=ended[-1].balances if ended else (0,) * len(bots),
        deals=terms.deals,
        deal=deals[-1].number if deals else 0,
        table=_table(deals[-1:]),
        before=_table(deals[-2:-1]),
    )


def _table(deals: Sequence[DealEvents]) -> TrickTable | None:
    return trick_table(deals[0]) if deals else None
