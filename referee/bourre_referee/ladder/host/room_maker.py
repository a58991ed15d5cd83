"""Makes the task of a room out of what the log called: which bots, from which files, in which boxes."""

from __future__ import annotations

from bourre_referee.ladder.host.ladder_entries import bot_spec
from bourre_referee.ladder.host.ladder_file import LadderSettings
from bourre_referee.ladder.log.state import OpenRoom
from bourre_referee.model.spec import Isolation, MatchSpec, RoomSpec
from bourre_referee.storage.manifest import Terms


class RoomMaker:
    """Makes the tasks of one ladder."""

    def __init__(self, settings: LadderSettings, isolation: Isolation) -> None:
        """`isolation` is that of the bots which have none of their own."""
        self._settings = settings
        self._isolation = isolation

    def make(self, number: int, room: OpenRoom, match: MatchSpec, terms: Terms) -> RoomSpec:
        """Returns the task of playing this match of an epoch with these terms in the room with this number."""
        return RoomSpec(
            room=f"room{number:06}",
            entries=tuple(bot_spec(entrant, self._settings) for entrant in room.line_up),
            matches=(match,),
            tables=1,
            clock=terms.clock,
            max_faults=terms.max_faults,
            isolation=self._isolation,
        )
