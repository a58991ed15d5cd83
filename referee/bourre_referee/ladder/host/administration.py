"""What the host and the owners do to a ladder: each act is an event in its log, served or not."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.authority import objection
from bourre_referee.ladder.log.events import (
    BotBenched,
    BotEvent,
    LadderFrozen,
    LadderThawed,
    MatchVoided,
    SeasonOpened,
)
from bourre_referee.ladder.log.shared_log import utc_now
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.void_match import check_reason


class Administration:
    """Changes one ladder; every method raises ContestError, with a hint, if that makes no sense now."""

    def __init__(self, ladder: LadderFolder, now: Callable[[], datetime] = utc_now) -> None:
        self._log = ladder.open_log(now)

    def change(self, event: BotEvent) -> None:
        """Pauses, resumes, benches, reinstates or retires a bot."""
        with self._log.appending() as tail:
            bot = tail.state.bots.get(event.bot)
            if bot is None:
                raise ContestError(f"no bot called {event.bot!r} is on this ladder: bourre ladder status lists them")
            if problem := objection(event, bot):
                raise ContestError(problem)
            if isinstance(event, BotBenched):
                check_reason(event.reason)
            tail.append(event)

    def freeze(self, *, frozen: bool) -> None:
        """Begins the final rounds, or ends them."""
        with self._log.appending() as tail:
            if tail.state.frozen == frozen:
                raise ContestError("the ladder is frozen already" if frozen else "the ladder is not frozen")
            tail.append(LadderFrozen() if frozen else LadderThawed())

    def open_season(self) -> int:
        """Opens the next season and returns its number; its first epoch opens next."""
        with self._log.appending() as tail:
            number = tail.state.seasons.last + 1
            tail.append(SeasonOpened(number))
        return number

    def void(self, room: int, reason: str) -> MatchVoided:
        """Takes back the match of a finished room."""
        check_reason(reason)
        with self._log.appending() as tail:
            seasons = tail.state.seasons
            place = seasons.place_of(room)
            if place is None:
                raise ContestError(f"there is no room {room}: the last one is {tail.state.rooms_paired}")
            if room in tail.state.rooms:
                raise ContestError(f"room {room} is being played: wait until it has ended")
            if room in seasons.voided:
                raise ContestError(f"the match of room {room} is void already: {seasons.voided[room]}")
            event = MatchVoided(place.epoch, room, reason)
            tail.append(event)
        return event
