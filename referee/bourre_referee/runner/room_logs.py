"""The logs of a room that was played on another machine, kept where rooms of this machine keep theirs."""

from __future__ import annotations

from collections.abc import Mapping

from bourre_referee.model.site import Site
from bourre_referee.model.spec import RoomSpec


def keep_logs(site: Site, room: RoomSpec, logs: Mapping[str, bytes]) -> tuple[str, ...]:
    """Writes what each bot of a room printed; says what went wrong, as a log is not worth a match."""
    try:
        for bot in room.entries:
            if bot.name in logs:
                path = site.logs / bot.name / f"{room.room}.log"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(logs[bot.name])
    except OSError as error:
        return (f"{site.logs}: what bots print is not kept: {error.strerror}",)
    return ()
