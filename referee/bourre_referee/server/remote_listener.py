"""The listener of a contest: one address where all remote bots connect, and the rooms that they play in."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from bourre_referee.model.listener_spec import AWAY_SECONDS, ListenerSpec, hash_token, remote_bots
from bourre_referee.model.spec import BotsAway, MatchOutcome, PlacedRoom
from bourre_referee.server.certificates import ReadPems
from bourre_referee.server.remote_session import RemoteSession
from bourre_referee.server.room import play_room
from bourre_referee.server.server_options import listener_options
from bourre_referee.server.service import Refusal, StreamOwner, serve_connections
from bourre_referee.server.starvation import HostTime, waited_for_processor

_FIRST_TABLES = 2**30
"""Table numbers begin at a random number below this, so that late answers to an earlier listener fit no table."""


class RemoteListener:
    """Admits remote bots by their tokens, and plays rooms with them, several at a time."""

    def __init__(
        self,
        spec: ListenerSpec,
        changed: Callable[[str, bool], None],
        read_tokens: Callable[[], None],
        read_pems: ReadPems | None = None,
    ) -> None:
        """`changed` gets each bot that connects or leaves. `read_tokens` can call `use_tokens`.

        `read_pems` returns the listener's certificates. Without it there is no TLS.
        """
        self._spec = spec
        self._changed = changed
        self._lines = {bot: self._new_line(bot) for bot in spec.bots}
        self._read_tokens = read_tokens
        self._read_pems = read_pems
        self._hashes: Mapping[str, str] = {}
        self._owners: dict[str, RemoteSession] = {}
        self._revoked: Mapping[str, str] = {}
        self._next_table = secrets.randbelow(_FIRST_TABLES)
        self._refusals: Counter[tuple[str, str]] = Counter()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[int]:
        """Listens, and yields the port. Raises OSError if the address is taken."""
        clock, address = self._spec.clock, self._spec.listen.address
        options = listener_options(clock, self._spec.most_bots or len(self._lines))
        hello_seconds = clock.start_ms / 1000
        serving = serve_connections(self._find, [address], hello_seconds, options, self._read_pems, self._count)
        async with serving as (port,):
            yield port

    def take_refusals(self) -> Counter[tuple[str, str]]:
        """Returns the number of refused hellos since the last call, by kind and bot; the bot is empty for strangers."""
        taken, self._refusals = self._refusals, Counter()
        return taken

    def use_tokens(self, hashes: Mapping[str, str], revoked: Mapping[str, str]) -> None:
        """Accepts only these token hashes. `revoked` maps former hashes to their bots.

        A bot that connected with another token gets a message, and its stream ends. On a ladder, new bots get sessions,
        and bots without a token lose theirs.
        """
        for bot, line in self._lines.items():
            if self._hashes.get(bot) not in (None, hashes.get(bot)):
                line.revoke(_revoked_in_words(bot))
        if self._spec.most_bots is not None:
            self._lines = self._lines_for(hashes, self._spec.most_bots)
        self._hashes, self._revoked = hashes, revoked
        self._owners = {hashes[bot]: line for bot, line in self._lines.items() if bot in hashes}

    async def play(self, room: PlacedRoom) -> Sequence[MatchOutcome]:
        """Plays a room with the sessions of its remote bots, which no other room may use. See `play_room`.

        The room begins once all of them are connected, or when their time is over. Until then they may leave and come
        back, and the room's other bots do not run. A ladder's room raises BotsAway if its bots do not connect soon.
        """
        lines = {entry: self._line_of(entry) for entry in remote_bots(room)}
        limit = AWAY_SECONDS if self._spec.is_ladder else room.clock.connect_ms / 1000
        await self._await_bots(lines.values(), limit)
        if self._spec.is_ladder and (away := tuple(line.bot for line in lines.values() if not line.live)):
            raise BotsAway(away)
        begun = replace(room, clock=replace(room.clock, connect_ms=0))
        first, self._next_table = self._next_table, self._next_table + len(room.matches)
        return await play_room(begun, lines, first)

    def tell(self, bot: str, notice: str) -> None:
        """Sends a bot a text for its log. A bot that is not connected does not get it."""
        if line := self._lines.get(bot):
            line.tell(notice)

    @property
    def full_at(self) -> int | None:
        """The most bots of the ladder, if more bots have tokens."""
        return self._spec.most_bots if len(self._owners) < len(self._hashes) else None

    def say_goodbye(self, reason: str) -> None:
        """Tells every bot, including those that connect later, that the contest is over."""
        for line in self._lines.values():
            line.say_goodbye(reason)

    async def _await_bots(self, lines: Collection[RemoteSession], seconds: float) -> None:
        """Waits until these bots are all connected, at most this many seconds of host time.

        Raises an error of the referee itself, because no bot is to blame for it.
        """
        for line in lines:
            line.error = None
        host = HostTime(asyncio.get_running_loop(), waited_for_processor)
        with host.measure():
            until = host.time() + seconds
            while (away := [line for line in lines if not line.live]) and (left := until - host.time()) > 0:
                coming = asyncio.create_task(away[0].here.wait())
                try:
                    await host.wait([coming], left)
                finally:
                    coming.cancel()
                for error in filter(None, (line.error for line in lines)):
                    raise error

    def _count(self, refusal: Refusal) -> None:
        self._refusals[refusal.kind, refusal.bot] += 1

    async def _find(self, token: str) -> StreamOwner | Refusal:
        known = hash_token(token)
        if known not in self._owners:
            self._read_tokens()
        if line := self._owners.get(known):
            await line.parted()
            return line
        if known in self._revoked:
            bot = self._revoked[known]
            return Refusal(_revoked_in_words(bot), "revoked token", bot)
        if self.full_at and (bot := next((bot for bot, hashed in self._hashes.items() if hashed == known), "")):
            text = f"the ladder is full with {self.full_at} bots: ask the organiser for a place"
            return Refusal(text, "full", bot)
        return Refusal("unknown token: use BOURRE_TOKEN as the organiser gave it", "unknown token")

    def _lines_for(self, bots: Collection[str], most: int) -> dict[str, RemoteSession]:
        """Returns the sessions of these bots, at most this many, and the sessions that are still in use."""
        kept = {bot: line for bot, line in self._lines.items() if bot in bots or line.in_use}
        places = max(0, most - sum(bot in bots for bot in kept))
        new = [bot for bot in bots if bot not in kept][:places]
        return kept | {bot: self._new_line(bot) for bot in new}

    def _line_of(self, entry: str) -> RemoteSession:
        """Returns the session of an entry's bot. If the bot has lost it, returns one that nobody can use."""
        bot = self._spec.line_of(entry)
        return self._lines.get(bot) or self._new_line(bot)

    def _new_line(self, bot: str) -> RemoteSession:
        return RemoteSession(bot, self._spec.contest, self._spec.clock, self._changed)


def _revoked_in_words(bot: str) -> str:
    return f"the token of {bot} was revoked: ask the organiser for a new one"
