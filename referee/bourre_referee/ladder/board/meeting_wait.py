"""How long two given bots wait, on average, until they meet in a rated room; or why they do not."""

from __future__ import annotations

from dataclasses import dataclass

from bourre_referee.ladder.log.entrant import Entrant
from bourre_referee.ladder.log.events import LadderOpened
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.ladder.pairing.matchmaking import opened


@dataclass(frozen=True, slots=True)
class MeetingWait:
    """When two bots will meet."""

    rooms: float | None
    """From one meeting to the next, how many rated rooms of their clock class are paired; None if it cannot be said."""
    reason: str
    """Why it cannot be said; empty if it can."""


def meeting_wait(state: LadderState, bot: str, other: str) -> MeetingWait:
    """Predicts when two bots meet if the bots that are active now stay so; raises KeyError for a bot that never joined.

    From any moment on, it takes 0.8 to 0.95 times as many rooms on average (`research/ladder-matchmaking.md`). Divide
    them by the rooms that the class pairs in an hour to get the time.
    """
    pair = state.bots[bot], state.bots[other]
    reason = _why_never(*pair, opened(state)) or _why_not_now(*pair, state)
    return MeetingWait(None, reason) if reason else MeetingWait(_rooms(*pair, state), "")


def _why_never(one: Entrant, other: Entrant, terms: LadderOpened) -> str:
    if one is other:
        return "a bot does not meet itself"
    if one.joined.clock_class != other.joined.clock_class:
        return f"{one.bot} and {other.bot} play in different clock classes"
    staff = one.joined.staff or other.joined.staff
    if terms.owners_apart and not staff and one.joined.owner == other.joined.owner:
        return f"{one.bot} and {other.bot} have the same owner, whose bots do not meet"
    return ""


def _why_not_now(one: Entrant, other: Entrant, state: LadderState) -> str:
    for entrant in (one, other):
        if not entrant.is_active:
            return f"{entrant.bot} is not active"
        if entrant.probation:
            return f"{entrant.bot} has not passed its probation room"
    missing = opened(state).seats - _active(one, state)
    noun = "bot" if missing == 1 else "bots"
    return f"{missing} more {noun} must be active to fill a table" if missing > 0 else ""


def _active(entrant: Entrant, state: LadderState) -> int:
    return state.lists[entrant.joined.clock_class].opponents(entrant, owners_apart=False) + 1


def _rooms(one: Entrant, other: Entrant, state: LadderState) -> float:
    """Of all active bots, a room seats each as often, and beside it each of its opponents as often."""
    terms, waiting = opened(state), state.lists[one.joined.clock_class]
    opponents = sum(waiting.opponents(entrant, terms.owners_apart) for entrant in (one, other)) / 2
    return _active(one, state) * opponents / (terms.seats * (terms.seats - 1))
