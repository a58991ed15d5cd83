"""Which notices owners get, and the file of the latest, from which feeds are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import TypeAdapter, ValidationError

from bourre_referee.ladder.log.entrant import LadderEntrant, bot_name
from bourre_referee.ladder.log.event_log import Logged
from bourre_referee.ladder.log.events import BotBenched
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files import atomic
from bourre_referee.storage.files.untrusted_files import read

Happened = Literal["suspended", "failed to start", "refused"]

MOST = 500
"""The most notices that are kept."""

AGAIN = timedelta(hours=1)
"""The same is not told again within this time."""

REFUSED = {
    "other protocol": "it speaks another version of the protocol, so install a matching bourre",
    "revoked token": "its token was revoked, so ask the host for a new one",
    "certificate": "its certificate does not name it",
    "full": "the ladder is full, so ask the host for a place",
}
"""The refusals that an owner can mend, by kind."""


class BotTrouble(NamedTuple):
    """What a host notices about a bot that the log does not tell."""

    bot: str
    """The bot; with its version if the room of that version was concerned."""
    happened: Happened
    reason: str


@dataclass(frozen=True, slots=True)
class OwnerNotice:
    """A notice for the owner of a bot. Anyone may read it."""

    number: int
    """Its number among all notices of the ladder, starting at 1."""
    at: datetime
    bot: str
    """The bot with its version, `alice.2`."""
    owner: str
    happened: Happened
    reason: str

    @property
    def text(self) -> str:
        """The notice in one sentence."""
        return f"{self.bot} {'' if self.happened == 'failed to start' else 'was '}{self.happened}: {self.reason}"


_JSON = TypeAdapter(tuple[OwnerNotice, ...])


def read_notices(path: Path) -> tuple[OwnerNotice, ...]:
    """Reads the latest notices, oldest first; none without a file. Raises ContestError if it is damaged."""
    try:
        return _JSON.validate_json(read(path))
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise ContestError(f"Cannot read {path}: {error.strerror}.\nhint: check its permissions") from error
    except ValidationError as error:
        raise ContestError(f"{path}: {error.errors()[0]['msg']}.\nhint: remove it") from error


class OwnerNotices:
    """Stores each notice, and hands it on to be sent. The same is told once an hour at most. Staff has no owner."""

    def __init__(self, path: Path, send: Callable[[OwnerNotice], None], now: Callable[[], datetime]) -> None:
        """`send` returns at once. Raises ContestError if the file is damaged."""
        self._path = path
        self._send = send
        self._now = now
        self._kept: Sequence[OwnerNotice] = read_notices(path)

    def follow(self, news: Iterable[Logged], troubles: Iterable[BotTrouble], state: LadderState) -> None:
        """Tells the owners of suspended bots, and of the latest versions that had trouble."""
        for logged in news:
            if isinstance(logged.event, BotBenched):
                self._tell(state.bots[logged.event.bot], "suspended", logged.event.reason)
        for bot, happened, reason in troubles:
            known = state.bots.get(bot_name(bot))
            if known and bot in (known.bot, known.name):
                self._tell(known, happened, reason)

    def _tell(self, bot: LadderEntrant, happened: Happened, reason: str) -> None:
        now = self._now()
        if bot.joined.staff or any(_is_same(known, bot.name, happened, reason, now) for known in self._kept):
            return
        number = self._kept[-1].number + 1 if self._kept else 1
        notice = OwnerNotice(number, now, bot.name, bot.joined.owner, happened, reason)
        self._kept = (*self._kept, notice)[-MOST:]
        atomic.write_bytes(self._path, _JSON.dump_json(tuple(self._kept)))
        self._send(notice)


def _is_same(known: OwnerNotice, bot: str, happened: Happened, reason: str, now: datetime) -> bool:
    is_recent = abs(now - known.at) < AGAIN
    is_alike = happened == "failed to start" or known.reason == reason
    return is_recent and is_alike and (known.bot, known.happened) == (bot, happened)
