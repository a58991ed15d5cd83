"""The past of a ladder for its pages: the acts in its log, and the rated games of each entrant."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bourre_referee.ladder.board.benching import RatedGame
from bourre_referee.ladder.log.event_log import Logged
from bourre_referee.ladder.log.events import (
    BoardUpdated,
    BotArrived,
    BotLeft,
    EpochClosed,
    EpochOpened,
    RoomFinished,
    RoomPaired,
)
from bourre_referee.ladder.log.seasons import Place

_ROUTINE = (BoardUpdated, BotArrived, BotLeft, RoomFinished, RoomPaired)
"""Frequent events, which are no act of anyone."""


@dataclass(frozen=True, slots=True)
class GameLine:
    """A rated game as the pages list it."""

    room: int
    place: Place
    entrants: tuple[str, ...]
    """By seat, like `chips` and `ranks`."""
    chips: tuple[float, ...]
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """One entrant's results at tables shared with another."""

    other: str
    games: int
    ahead: int
    """The number of games in which it finished before the other."""
    behind: int
    chips: float
    """Its chips less the other's chips in these games."""


class LadderHistory:
    """Grows with the log and with the games."""

    def __init__(self) -> None:
        self.acts: list[Logged] = []
        """The acts of hosts and owners, and the ends of epochs, in order."""
        self.opened_at: dict[int, str] = {}
        """The time at which each epoch was opened."""
        self.closed_at: dict[int, str] = {}
        """The time at which each epoch was closed."""
        self.games: dict[int, GameLine] = {}
        """The rated games by room."""
        self._rooms: defaultdict[str, array[int]] = defaultdict(lambda: array("q"))
        self._probation: defaultdict[str, array[int]] = defaultdict(lambda: array("q"))

    def note(self, logged: Logged) -> None:
        """Adds the next event of the log."""
        match logged.event:
            case EpochOpened(epoch=epoch):
                self.opened_at[epoch] = logged.at
            case EpochClosed(epoch=epoch):
                self.closed_at[epoch] = logged.at
            case RoomPaired(rated=False, asked_by="") as paired:
                for bot in paired.line_up:
                    self._probation[bot].append(paired.room)
        if not isinstance(logged.event, _ROUTINE):
            self.acts.append(logged)

    def take(self, game: RatedGame, place: Place) -> None:
        """Adds a finished rated game."""
        seats, unit = game.result.seats, game.result.unit
        self.games[game.room] = GameLine(
            room=game.room,
            place=place,
            entrants=tuple(seat.bot for seat in seats),
            chips=tuple(seat.chips / unit for seat in seats),
            ranks=tuple(seat.rank for seat in seats),
        )
        for seat in seats:
            self._rooms[seat.bot].append(game.room)

    def probation_rooms(self, bot: str) -> Sequence[int]:
        """Returns the probation rooms of a bot, in any version, in order. Reference bots sit in many."""
        return self._probation.get(bot, ())

    def games_of(self, entrant: str) -> Iterator[GameLine]:
        """Yields the rated games of an entrant, newest first."""
        rooms = self._rooms.get(entrant)
        return (self.games[room] for room in reversed(rooms)) if rooms else iter(())

    def head_to_head(self, entrant: str, voided: dict[int, str]) -> list[HeadToHead]:
        """Returns an entrant's results against each other one, most games first, without void games."""
        found: dict[str, HeadToHead] = {}
        for game in self.games_of(entrant):
            if game.room not in voided:
                for other, (ahead, behind, chips) in _compare(game, entrant):
                    old = found.get(other) or HeadToHead(other, 0, 0, 0, 0.0)
                    found[other] = HeadToHead(
                        other, old.games + 1, old.ahead + ahead, old.behind + behind, old.chips + chips
                    )
        return sorted(found.values(), key=lambda each: (-each.games, each.other))


def _compare(game: GameLine, entrant: str) -> Iterator[tuple[str, tuple[bool, bool, float]]]:
    own = game.entrants.index(entrant)
    for seat, other in enumerate(game.entrants):
        if seat != own:
            ahead, behind = game.ranks[own] < game.ranks[seat], game.ranks[own] > game.ranks[seat]
            yield other, (ahead, behind, game.chips[own] - game.chips[seat])
