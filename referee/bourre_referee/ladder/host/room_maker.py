"""Makes the task of a room out of what the log called: which bots, from which files, in which boxes."""

from __future__ import annotations

from bourre_referee.ladder.host.ladder_entries import entry_of
from bourre_referee.ladder.host.ladder_file import LadderSettings
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.state import OpenRoom
from bourre_referee.model.spec import Isolation, MatchSpec, RoomSpec


class RoomMaker:
    """Makes the tasks of one ladder."""

    def __init__(self, settings: LadderSettings, ladder: LadderFolder, isolation: Isolation) -> None:
        """`isolation` is that of the bots which have none of their own."""
        self._settings = settings
        self._ladder = ladder
        self._isolation = isolation

    def make(self, number: int, room: OpenRoom, match: MatchSpec) -> RoomSpec:
        """Returns the task of playing this match in the room with this number."""
        contest = self._settings.contest
        return RoomSpec(
            room=f"room{number:06}",
            entries=tuple(entry_of(entrant, self._settings, self._ladder) for entrant in room.line_up),
            matches=(match,),
            tables=1,
            clock=contest.clock,
            max_faults=contest.max_faults,
            logs=self._ladder.logs,
            isolation=self._isolation,
        )
