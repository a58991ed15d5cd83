"""A game of one person against bots that are processes, with its own referee. Only the record is kept."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from bourre.rules.deck import derive, master_seed
from bourre.rules.house import HouseRules
from bourre_referee.contest.isolation_choice import Tell, choose_isolation
from bourre_referee.evaluation.bot_source import BotSource, entrants_of, isolation_for
from bourre_referee.evaluation.process_practice import MOST_FAULTS
from bourre_referee.model.errors import ContestFailed
from bourre_referee.model.listener_spec import Listen, ListenerSpec, hash_token
from bourre_referee.model.spec import BotEntry, Clock, Isolation, MatchOutcome, MatchSpec, PlacedRoom, RoomFailed
from bourre_referee.server.remote_listener import RemoteListener

PERSON = "you"
"""The name of the person's seat."""
DAY_MS = 86_400_000
PATIENT = Clock(start_ms=60_000, decision_ms=DAY_MS, bank_ms=0, match_ms=DAY_MS)
"""A person may think all day, and so may bots, because a room has one clock."""

Sit = Callable[[str, str], Awaitable[None]]
"""Takes a seat at the referee at this address with this token, and returns after the referee's goodbye."""


@dataclass(frozen=True, slots=True)
class Game:
    """The players, rules and length of a game."""

    opponents: Mapping[str, BotSource]
    house: HouseRules
    deals: int
    seed: int
    """The cards follow from it, whatever anybody plays."""
    isolation: Isolation
    against: str
    """The opponents as the person named them."""
    seat: int = 0
    """The person's seat."""

    @property
    def line_up(self) -> tuple[str, ...]:
        """The names of the seats, in order."""
        others = (*self.opponents,)
        return (*others[: self.seat], PERSON, *others[self.seat :])

    @property
    def next_seat(self) -> Game:
        """The game with the same cards, and the person one seat further on."""
        return replace(self, seat=(self.seat + 1) % len(self.line_up))


def isolation_here(opponents: Mapping[str, BotSource], tell: Tell) -> Isolation:
    """Chooses a game's isolation, and `tell`s if there is none. Raises ContestError if it is not available."""
    return choose_isolation(isolation_for(opponents.values()), _entries(opponents), tell)


def _entries(opponents: Mapping[str, BotSource]) -> tuple[BotEntry, ...]:
    here = Path.cwd()
    return tuple(entrant.entry(here) for entrant in entrants_of(opponents, here))


async def play_game(game: Game, sit: Sit) -> MatchOutcome:
    """Plays a game with a person who takes a seat by `sit`, over the same wire as any bot.

    Raises the errors of `sit`, and ContestFailed if the host fails.
    """
    with TemporaryDirectory(prefix="bourre-play-") as place:
        token, address = secrets.token_hex(32), f"unix:{place}/referee"
        room = _room(game, Path(place))
        listener = RemoteListener(_listener(address), lambda bot, here: None, lambda: None)
        async with listener.open():
            listener.use_tokens({PERSON: hash_token(token)}, {})
            return await _play(listener, room, sit(address, token))


async def _play(listener: RemoteListener, room: PlacedRoom, sitting: Awaitable[None]) -> MatchOutcome:
    seat, table = asyncio.ensure_future(sitting), asyncio.ensure_future(listener.play(room))
    try:
        await asyncio.wait({seat, table}, return_when=asyncio.FIRST_COMPLETED)
        if seat.done():
            seat.result()  # refused, or interrupted: without a person there is no game
        (outcome,) = await table
        listener.say_goodbye("the game is over")
        await seat
    except RoomFailed as failed:
        raise ContestFailed(str(failed)) from failed
    finally:
        seat.cancel()
        table.cancel()
        await asyncio.wait({seat, table})
    return outcome


def _listener(address: str) -> ListenerSpec:
    return ListenerSpec("play", (PERSON,), PATIENT, Listen(address), tokens=Path())


def _room(game: Game, place: Path) -> PlacedRoom:
    seed = derive(master_seed(game.seed), "a person's game")
    return PlacedRoom(
        room="game",
        entries=(BotEntry(PERSON, None, Path.cwd()), *_entries(game.opponents)),
        matches=(MatchSpec("game", game.line_up, game.house, game.deals, seed),),
        tables=1,
        clock=PATIENT,
        max_faults=MOST_FAULTS,
        logs=place / "logs",
        isolation=game.isolation,
    )
