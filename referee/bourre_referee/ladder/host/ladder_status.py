"""The status of a ladder: each bot with its place, and why it waits."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.entrant import LadderEntrant
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.ladder.matchmaking.waiting_reasons import QueueStatus, explain


@dataclass(frozen=True, slots=True)
class BotStatus:
    """The latest version of a bot."""

    name: str
    """`alice.2`."""
    declared: str
    """The version that its author declared."""
    owner: str
    kind: str
    """`staff`, `hosted` or `remote`."""
    games: int
    """The number of finished rated games of this version."""
    waiting: QueueStatus


@dataclass(frozen=True, slots=True)
class LadderStatus:
    """A ladder, up to the last line of its log that was read."""

    name: str
    served: bool
    """Whether a process serves it now. If not, the presence of bots is from the last time."""
    season: int
    epoch: int
    frozen: bool
    playing: int
    """The number of rooms in play."""
    rooms: int
    """The number of rooms so far."""
    events: int
    head: str
    """The hash of the log's last line."""
    bots: tuple[BotStatus, ...]

    def to_json(self) -> str:
        """Returns it as JSON."""
        return json.dumps(asdict(self), indent=2)


def read_status(ladder: LadderFolder) -> LadderStatus:
    """Reads the status. Raises ContestError if the ladder is damaged."""
    name, log = ladder.settings().contest.name, ladder.open_log()
    log.read()
    state = log.state
    return LadderStatus(
        name=name,
        served=ladder.is_served(),
        season=state.seasons.last,
        epoch=state.epoch,
        frozen=state.frozen,
        playing=len(state.rooms),
        rooms=state.rooms_paired,
        events=log.events,
        head=log.head,
        bots=tuple(_bot_status(state, bot) for bot in state.bots.values()),
    )


def _bot_status(state: LadderState, bot: LadderEntrant) -> BotStatus:
    joined = bot.joined
    kind = "staff" if joined.staff else "hosted" if joined.hosted else "remote"
    return BotStatus(bot.name, joined.version, joined.owner, kind, bot.games, explain(state, bot.bot))
