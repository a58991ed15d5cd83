"""Makes the task of a room out of what the log called: which bots, from which files, in which boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from bourre_referee.ladder.host.bot_copy import files_changed, watched_copy
from bourre_referee.ladder.host.ladder_entries import bot_spec
from bourre_referee.ladder.host.ladder_file import LadderSettings
from bourre_referee.ladder.log.entrant import Entrant
from bourre_referee.ladder.log.open_room import OpenRoom
from bourre_referee.model.spec import Isolation, MatchSpec, RoomSpec
from bourre_referee.runner.watched_files import WatchedFiles
from bourre_referee.storage.manifest import Terms


class RoomMaker:
    """Makes the tasks of one ladder."""

    def __init__(self, settings: LadderSettings, isolation: Isolation, files_of: Callable[[str, int], Path]) -> None:
        """`isolation` is that of the bots which have none of their own; `files_of` finds the folder of a version."""
        self._settings = settings
        self._isolation = isolation
        self._files_of = files_of
        self._watched: dict[str, WatchedFiles] = {}
        """The files of each version that was called."""

    def changed_bots(self, line_up: Iterable[Entrant]) -> dict[str, str]:
        """Returns which bots no longer have the files with which they joined, and why, in one line."""
        changes = ((entrant.bot, self._watch(entrant).changes()) for entrant in line_up if entrant.joined.hosted)
        return {bot: files_changed(found) for bot, found in changes if found}

    def _watch(self, entrant: Entrant) -> WatchedFiles:
        if entrant.name not in self._watched:
            folder = self._files_of(entrant.bot, entrant.joined.number)
            self._watched[entrant.name] = watched_copy(entrant.joined.files, folder)
        return self._watched[entrant.name]

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
