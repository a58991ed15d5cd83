"""Pairs every room of a logged ladder again, given its revealed seeds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

from bourre_referee.ladder.log.events import Event, LadderError, RoomPaired
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.ladder.matchmaking.next_room import RoomChoice, pair


@dataclass(frozen=True, slots=True)
class PairingDifference:
    """A room whose logged pairing differs from the recomputed one."""

    room: int
    logged: RoomChoice
    expected: RoomChoice | None

    def __str__(self) -> str:
        return f"room {self.room}: the log has {_text(self.logged)}, but its state gives {_text(self.expected)}"


def check_pairings(events: Iterable[Event], seeds: Mapping[int, bytes]) -> Iterator[PairingDifference]:
    """Yields the wrongly paired rooms of the epochs with known seeds.

    Raises LadderError for an impossible event, or for a seed that differs from its commitment.
    """
    state = LadderState()
    for event in events:
        found = None
        if isinstance(event, RoomPaired) and not event.asked_by and (seed := _seed(state, seeds)) is not None:
            found = _compare(state, seed, event)
        state.apply(event)
        if found is not None:
            yield found


def _seed(state: LadderState, seeds: Mapping[int, bytes]) -> bytes | None:
    seed = seeds.get(state.epoch)
    if seed is not None and sha256(seed).hexdigest() != state.commitment:
        raise LadderError(f"epoch {state.epoch}: the seed differs from the commitment.\nhint: ask the host for it")
    return seed


def _compare(state: LadderState, seed: bytes, event: RoomPaired) -> PairingDifference | None:
    first = state.bots.get(next(iter(event.line_up), ""))
    expected = pair(state, seed, first.joined.clock_class) if first else None
    logged = RoomChoice(event.line_up, event.rated)
    return None if logged == expected else PairingDifference(event.room, logged, expected)


def _text(pairing: RoomChoice | None) -> str:
    if pairing is None:
        return "no room"
    return f"{', '.join(pairing.line_up)} ({'rated' if pairing.rated else 'probation'})"
